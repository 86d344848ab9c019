"""Grounded: do the gold spans support every fact of the answer?

An answer that stands in them word for word is supported; for any other the judge is asked.
"""

from dataclasses import replace

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.judge.rules.sentences import sentences
from testset.checks.draft import Draft, passed, rejected
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check

__all__ = ["by_judge", "by_model"]


async def by_judge(draft: Draft, judge: Judge) -> Check:
    """Reject an answer that the quotes of the gold spans do not support."""
    if not draft.gold:
        return passed("no fact to ground")
    if _plain(draft.reference) in _plain(draft.gold_text):
        return passed("stands word for word in the evidence", score=1.0)
    facts = draft.facts or sentences(draft.reference) or (draft.reference,)
    verdicts = await judge.support(facts, sources=[draft.gold_text], question=draft.question)
    for verdict in verdicts:
        if not verdict.supported:
            return rejected(f"{verdict.verdict}: {verdict.reason}", score=verdict.probability)
    return passed(verdicts[0].reason, score=verdicts[0].probability)


async def by_model(draft: Draft, index: CorpusIndex, judge: Judge) -> Check:
    """Reject an answer that the quotes do not support under their headings.

    The facts of a question that must be asked back are its possible meanings. Each stands in one
    span of the only group, so that all spans of the group are shown.
    """
    groups = draft.gold
    if draft.behaviour == "clarify":
        if not draft.facts:
            return passed("not asked")
        groups = tuple((span,) for group in draft.gold for span in group)
    under_headings = tuple(
        tuple(span.model_copy(update={"quote": index.with_heading(span)}) for span in group)
        for group in groups
    )
    return await by_judge(replace(draft, gold=under_headings), judge)


def _plain(text: str) -> str:
    return " ".join(text.split()).casefold()
