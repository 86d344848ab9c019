"""Grounded: do the gold spans support every fact of the answer?

An answer that stands there word for word is supported; of any other the judge is asked.
"""

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.judge.rules.sentences import sentences
from testset.checks.draft import Draft, passed, rejected
from testset.golden.item import Check

__all__ = ["grounded"]


async def grounded(draft: Draft, judge: Judge) -> Check:
    """Reject an answer that the judge does not find supported by the evidence."""
    if not draft.gold:
        return passed("no fact to ground")
    if _plain(draft.reference) in _plain(draft.gold_text):
        return passed("stands word for word in the evidence", score=1.0)
    facts = draft.facts or sentences(draft.reference) or (draft.reference,)
    verdicts = await judge.support(facts, sources=[draft.gold_text])
    for verdict in verdicts:
        if not verdict.supported:
            return rejected(f"{verdict.verdict}: {verdict.reason}", score=verdict.probability)
    return passed(verdicts[0].reason, score=verdicts[0].probability)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
