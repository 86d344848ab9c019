"""Understood: does a question that a model wrote stand alone?

First by rule: a pronoun with no name before it points at something outside. Then a model that
sees no document says what one must know to understand it.
"""

from llamaindex_rag_eval.judge.rules.entities import entities_of
from testset.checks.draft import Draft, passed, rejected
from testset.checks.self_contained import dangling
from testset.golden.item import Check
from testset.requests.writer import Writer

__all__ = ["understood"]

_LEANING = frozenset({"conversational", "underspecified"})
"""Types that lean on something by design."""


async def understood(draft: Draft, writer: Writer) -> Check:
    """Reject a question that points at something it does not name."""
    if draft.type in _LEANING:
        return passed("not asked")
    found = dangling(draft.question, draft.language)
    if found is not None and not entities_of(draft.question[: found.start()]):
        return rejected(f"{found.group().strip()!r} points at something outside the question")
    missing = await writer.needs(draft.question)
    if missing:
        return rejected(f"not named: {', '.join(missing)}")
    return passed("nothing is missing")
