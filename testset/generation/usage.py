"""The meter: what writing a golden set has cost, over all sessions of a run that was resumed."""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import BaseModel, ConfigDict, JsonValue

from llamaindex_rag_eval.models.request import Oracle
from llamaindex_rag_eval.models.usage import Usage

__all__ = ["Meter", "Spent"]


class Spent(BaseModel):
    """What models were asked for.

    Attributes:
        calls: Calls, 0 or more.
        prompt_tokens: Tokens sent.
        completion_tokens: Tokens received.
        cost: Dollars; `None` where a model's price is not known.
    """

    model_config = ConfigDict(frozen=True)

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float | None = 0.0

    @property
    def facts(self) -> Mapping[str, str]:
        """The counts in words, for a data card."""
        cost = "no price is known" if self.cost is None else f"${self.cost:.4f}"
        return {
            "model calls": f"{self.calls:,}",
            "tokens": f"{self.prompt_tokens:,} sent, {self.completion_tokens:,} received",
            "cost": cost,
        }


class Meter:
    """Count what oracles spend from now on, on top of what was spent before.

    Args:
        oracles: Who is asked; a model that several of them ask is counted once.
        earlier: What earlier sessions of the run have spent.
    """

    def __init__(self, oracles: Sequence[Oracle], earlier: Spent) -> None:
        self._usages = list({id(usage): usage for o in oracles for usage in _usages(o)}.values())
        self._before = [_counted(usage) for usage in self._usages]
        self._earlier = earlier

    @classmethod
    def resumed(cls, oracles: Sequence[Oracle], record: JsonValue) -> "Meter":
        """Return a meter that goes on from what a journal holds, or from nothing."""
        return cls(oracles, Spent.model_validate(record or {}))

    @property
    def spent(self) -> Spent:
        """What was spent until now."""
        total = self._earlier
        for usage, before in zip(self._usages, self._before, strict=True):
            total = _sum(total, _counted(usage), before)
        return total


def _usages(oracle: object) -> Iterator[Usage]:
    """Yield the usage of every oracle inside an oracle."""
    inside: object = oracle
    while inside is not None:
        usage = getattr(inside, "usage", None)
        if isinstance(usage, Usage):
            yield usage
        inside = getattr(inside, "inner", None)


def _counted(usage: Usage) -> Spent:
    total = usage.total
    return Spent(
        calls=total.calls,
        prompt_tokens=total.prompt_tokens,
        completion_tokens=total.completion_tokens,
        cost=total.cost,
    )


def _sum(total: Spent, now: Spent, before: Spent) -> Spent:
    cost = None
    if total.cost is not None and now.cost is not None and before.cost is not None:
        cost = round(total.cost + now.cost - before.cost, 6)
    return Spent(
        calls=total.calls + now.calls - before.calls,
        prompt_tokens=total.prompt_tokens + now.prompt_tokens - before.prompt_tokens,
        completion_tokens=(
            total.completion_tokens + now.completion_tokens - before.completion_tokens
        ),
        cost=cost,
    )
