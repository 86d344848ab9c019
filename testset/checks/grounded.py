"""Grounded: do the gold spans support all that the answer says?

An answer that stands in them word for word is supported. Any other is split into claims by rule;
the judge holds these, and the facts that its writer listed, against the gold spans in one call.
"""

from dataclasses import replace

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.judge.rules.claims import claims_of
from testset.checks.answers import holds
from testset.checks.draft import Draft, passed, rejected
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check

__all__ = ["by_judge", "by_model"]


async def by_judge(draft: Draft, judge: Judge) -> Check:
    """Reject an answer that the quotes of the gold spans do not support."""
    if not draft.gold:
        return passed("no fact to ground")
    if holds(draft.gold_text, draft.reference):
        return passed("stands word for word in the evidence", score=1.0)
    verdicts = await judge.support(
        _claims(draft),
        sources=[draft.gold_text],
        question=draft.question,
        history="\n".join(f"{turn.question}\n{turn.answer}" for turn in draft.turns),
    )
    for verdict in verdicts:
        if not verdict.supported:
            reason = f"{verdict.verdict}: {verdict.claim!r}: {verdict.reason}"
            return rejected(reason, score=verdict.probability)
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
        tuple(span.model_copy(update={"quote": index.in_setting(span)}) for span in group)
        for group in groups
    )
    return await by_judge(replace(draft, gold=under_headings), judge)


def _claims(draft: Draft) -> tuple[str, ...]:
    """Return what the answer says; of a question that must be asked back, its possible meanings."""
    if draft.behaviour == "clarify" and draft.facts:
        return draft.facts
    said = claims_of(draft.reference) or (draft.reference,)
    return tuple(dict.fromkeys([*draft.facts, *said]))
