"""The estimate: what writing a golden set would cost, found without asking a model.

The whole pipeline runs with stand-in replies, and each request is counted as the call that it
would be. Stand-ins pass all checks; `EXTRA_CALLS` stands for the real questions that do not.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.models.dry_run import dry_run_of
from llamaindex_rag_eval.models.usage import Usage
from testset.corpus.documents import Documents
from testset.generation.config import GenerationConfig, Options
from testset.generation.generate import write_golden_set

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["Estimate", "Stage", "aestimate", "estimate"]

EXTRA_CALLS = 0.05
"""Calls for repairs, for questions after rejected ones, and for answers that a model compares, as a
share of the calls of their stage."""
STAGES: Mapping[str, tuple[str, ...]] = {
    "personas": ("PersonasOf",),
    "facts": ("FactsOf",),
    "write": (),
    "check": (
        "AlternativesOf",
        "AnswerOf",
        "CriticOf",
        "NeedsOf",
        "ParaphrasesOf",
        "SameOf",
        "SupportOf",
    ),
}
"""Stage -> its requests; "write" has all that are of no other stage."""


@dataclass(frozen=True, slots=True)
class Stage:
    """What one stage would cost.

    Attributes:
        name: The stage.
        calls: Calls of a model, 0 or more.
        prompt_tokens: Tokens sent.
        completion_tokens: Tokens received.
        cost: Dollars; `None` where the model's price is not known.
    """

    name: str
    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost: float | None

    @property
    def tokens(self) -> int:
        """Tokens sent and received."""
        return self.prompt_tokens + self.completion_tokens


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a golden set would cost, by stage."""

    stages: tuple[Stage, ...]

    @property
    def total(self) -> Stage:
        """All stages together."""
        costs = [stage.cost for stage in self.stages]
        return Stage(
            "total",
            sum(stage.calls for stage in self.stages),
            sum(stage.prompt_tokens for stage in self.stages),
            sum(stage.completion_tokens for stage in self.stages),
            None if None in costs else sum(cost or 0.0 for cost in costs),
        )


def estimate(docs: Documents, **options: "Unpack[Options]") -> Estimate:
    """Return what `generate` would spend with these arguments, spending nothing.

    What the judge's cache holds already is free. Rules cost nothing: their estimate has no calls.

    Args:
        docs: As for `generate`.
        **options: The keywords of `generate`; a journal is neither read nor written.

    Raises:
        DocumentError: There is no document to read.
        InputError: As `generate`.
    """
    return run_sync(aestimate(docs, **options))


async def aestimate(docs: Documents, **options: "Unpack[Options]") -> Estimate:
    """Return what `agenerate` would spend, as `estimate` does, inside a running event loop."""
    usage = Usage()
    asked = GenerationConfig(**options)
    counting = replace(
        asked,
        judge=Judge(dry_run_of(asked.verifier.oracle, usage)),
        writer=None if asked.writer is None else Judge(dry_run_of(asked.author.oracle, usage)),
        journal=None,
    )
    await write_golden_set(docs, counting)
    return Estimate(tuple(_stage(name, usage) for name in STAGES))


def _stage(name: str, usage: Usage) -> Stage:
    known = {request for requests in STAGES.values() for request in requests}
    own = STAGES[name]
    by_request = usage.by["request"].items()
    counts = [count for kind, count in by_request if kind in own or (not own and kind not in known)]
    more = 1.0 + EXTRA_CALLS if name in ("write", "check") else 1.0
    costs = [count.cost for count in counts]
    return Stage(
        name,
        round(more * sum(count.calls for count in counts)),
        round(more * sum(count.prompt_tokens for count in counts)),
        round(more * sum(count.completion_tokens for count in counts)),
        None if None in costs else more * sum(cost or 0.0 for cost in costs),
    )
