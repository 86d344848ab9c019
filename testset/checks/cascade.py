"""The cascade: one question through all checks, cheapest first, until one turns it down."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from llamaindex_rag_eval.judge import Judge
from testset.checks import (
    Asked,
    Draft,
    alternative_gold,
    duplicate,
    grounded,
    lint,
    retrievable,
    round_trip,
    self_contained,
    span,
    unanswerable,
)
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check

__all__ = ["Outcome", "examine"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the checks came to.

    Attributes:
        draft: The question, its evidence widened by other passages that answer it.
        checks: What each check found, in the order they were made.
    """

    draft: Draft
    checks: Mapping[str, Check]

    @property
    def failed(self) -> str:
        """The name of the check that turned it down; empty if none did."""
        for name, check in self.checks.items():
            if check.verdict == "rejected":
                return name
        return ""


async def examine(draft: Draft, index: CorpusIndex, asked: Asked, judge: Judge) -> Outcome:
    """Return the outcome of the cascade; checks after the first rejection are not made."""
    checks: dict[str, Check] = {}
    for name, step in _steps(draft, index, asked).items():
        checks[name] = step()
        if checks[name].verdict == "rejected":
            return Outcome(draft, checks)
    checks["alternative_gold"], others = alternative_gold(draft, index)
    if checks["alternative_gold"].verdict != "rejected":
        checks["grounded"] = await grounded(draft, judge)
    if others and draft.gold:
        draft = replace(draft, gold=((*draft.gold[0], *others), *draft.gold[1:]))
    return Outcome(draft, checks)


def _steps(draft: Draft, index: CorpusIndex, asked: Asked) -> dict[str, Callable[[], Check]]:
    """Return the checks that look at one question alone, cheapest first."""
    return {
        "lint": partial(lint, draft),
        "span": partial(span, draft, index),
        "self_contained": partial(self_contained, draft),
        "duplicate": partial(duplicate, draft, asked),
        "round_trip": partial(round_trip, draft, index),
        "retrievable": partial(retrievable, draft, index),
        "unanswerable": partial(unanswerable, draft, index),
    }
