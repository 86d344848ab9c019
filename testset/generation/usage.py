"""Usage: calls, tokens and dollars of one generation, over all sessions of a resumed run."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from pydantic import BaseModel, ConfigDict

from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.request import Oracle
from llamaindex_rag_eval.models.usage import Usage, current_sent
from testset.generation.checkpoint import Checkpoint

CALLS, TOKENS = 12, 12_000
"""Calls and tokens that a question takes, with a repair."""
FEW = 8
"""Questions at a time under a budget in money."""
UNLIMITED = 1_000_000
"""Questions that are paid for where there is no budget."""


class WriterUsage(BaseModel):
    """What the calls of models have used up.

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
    def summary(self) -> Mapping[str, str]:
        """The counts in words, for a data card."""
        cost = "no price is known" if self.cost is None else f"${self.cost:.4f}"
        return {
            "model calls": f"{self.calls:,}",
            "tokens": f"{self.prompt_tokens:,} sent, {self.completion_tokens:,} received",
            "cost": cost,
        }

    @classmethod
    def from_summary(cls, facts: Mapping[str, str]) -> "WriterUsage | None":
        """Return the calls and tokens that `summary` tells; `None` if there are none among facts.

        Example:
            >>> told = WriterUsage(calls=1200, prompt_tokens=5, completion_tokens=7).summary
            >>> WriterUsage.from_summary(told).calls
            1200
        """
        try:
            sent, received = (part.split()[0] for part in facts["tokens"].split(", "))
            counts = [int(text.replace(",", "")) for text in (facts["model calls"], sent, received)]
        except (KeyError, ValueError):
            return None
        return cls(calls=counts[0], prompt_tokens=counts[1], completion_tokens=counts[2])


class UsageCounter:
    """Count what oracles spend from now on, in addition to what earlier sessions spent.

    Args:
        oracles: The oracles that are asked; a usage that several of them share counts once.
        earlier: What earlier sessions of the run have spent.
        sent: Calls that earlier sessions have sent.
    """

    def __init__(self, oracles: Sequence[Oracle], earlier: WriterUsage, sent: int = 0) -> None:
        self._usages = list({id(usage): usage for o in oracles for usage in _usages(o)}.values())
        self._before = [_usage_of(usage) for usage in self._usages]
        self._earlier = earlier
        self._sent = sent - sum(usage.sent for usage in self._usages)

    @classmethod
    def resumed(cls, oracles: Sequence[Oracle], checkpoint: Checkpoint) -> "UsageCounter":
        """Return a meter that continues from what a checkpoint records, or from nothing."""
        return cls(oracles, WriterUsage.model_validate(checkpoint.spent), checkpoint.sent)

    @contextmanager
    def telling(self, checkpoint: Checkpoint) -> Iterator[None]:
        """Record each call in a checkpoint before it is sent, until the block ends."""
        token = current_sent.set(lambda: checkpoint.send(self.sent))
        try:
            yield
        finally:
            current_sent.reset(token)

    @property
    def sent(self) -> int:
        """Calls that were sent until now and have not failed."""
        return self._sent + sum(usage.sent for usage in self._usages)

    @property
    def summary(self) -> Mapping[str, str]:
        """All that was spent, and what may have been beyond that, in words for a data card."""
        unread = self.sent - self.total.calls
        if unread <= 0:
            return self.total.summary
        more = f"at most {unread:,} more: sent, and no answer was read (stopped, or too late)"
        return {**self.total.summary, "calls beyond these": more}

    @property
    def total(self) -> WriterUsage:
        """All that was spent until now."""
        total = self._earlier
        for usage, before in zip(self._usages, self._before, strict=True):
            total = _plus_difference(total, _usage_of(usage), before)
        return total


def affordable_questions(oracles: Sequence[Oracle]) -> int:
    """Return how many questions the budgets of oracles still pay for, counted generously.

    A budget in money counts as one for few: what a call costs is known when it was made.
    """
    found = [UNLIMITED]
    for limit in (entry.limit for oracle in oracles for entry in _inside(oracle, "limit")):
        if not isinstance(limit, Limit):
            continue
        spent, budget = limit.usage.total, limit.budget
        if budget.calls is not None:
            found.append((budget.calls - spent.calls) // CALLS)
        if budget.tokens is not None:
            used = spent.prompt_tokens + spent.completion_tokens
            found.append((budget.tokens - used) // TOKENS)
        if budget.cost is not None:
            found.append(FEW)
    return min(found)


def _usages(oracle: object) -> Iterator[Usage]:
    """Yield the usage of every oracle inside an oracle."""
    for entry in _inside(oracle, "usage"):
        if isinstance(entry.usage, Usage):
            yield entry.usage


def _inside(oracle: object, name: str) -> Iterator[Any]:
    """Yield an oracle and those inside it that have an attribute."""
    inside: object = oracle
    while inside is not None:
        if hasattr(inside, name):
            yield inside
        inside = getattr(inside, "inner", None)


def _usage_of(usage: Usage) -> WriterUsage:
    total = usage.total
    return WriterUsage(
        calls=total.calls,
        prompt_tokens=total.prompt_tokens,
        completion_tokens=total.completion_tokens,
        cost=total.cost,
    )


def _plus_difference(total: WriterUsage, now: WriterUsage, before: WriterUsage) -> WriterUsage:
    """Return `total + now - before`, field by field; no cost if any of the costs is unknown."""
    cost = None
    if total.cost is not None and now.cost is not None and before.cost is not None:
        cost = round(total.cost + now.cost - before.cost, 6)
    return WriterUsage(
        calls=total.calls + now.calls - before.calls,
        prompt_tokens=total.prompt_tokens + now.prompt_tokens - before.prompt_tokens,
        completion_tokens=(
            total.completion_tokens + now.completion_tokens - before.completion_tokens
        ),
        cost=cost,
    )
