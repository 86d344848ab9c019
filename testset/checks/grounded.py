"""Grounded: do the gold spans support all that the answer says?

An answer that stands in them word for word is supported. Any other is split into claims by rule;
these, and the facts that its writer listed, are held against the gold spans in one call.
"""

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.judge.rules.claims import claims_of
from testset.checks.draft import Draft, passed, rejected
from testset.checks.examined import Examiner, claims_in
from testset.golden.item import Check


async def by_judge(draft: Draft, judge: Judge) -> Check:
    """Reject an answer that the quotes of the gold spans do not support."""
    if not draft.gold:
        return passed("no fact to ground")
    claims = claims_in(draft, draft.gold_text, claims_of)
    if not claims:
        return passed("stands word for word in the evidence", score=1.0)
    turns = (text for turn in draft.turns for text in (turn.question, turn.answer))
    question = "\n".join((*turns, draft.question))
    verdicts = await judge.support(claims, sources=[draft.gold_text], question=question)
    for verdict in verdicts:
        if not verdict.supported:
            reason = f"{verdict.verdict}: {verdict.claim!r}: {verdict.reason}"
            return rejected(reason, score=verdict.probability)
    return passed(verdicts[0].reason, score=verdicts[0].probability)


async def by_model(draft: Draft, examiner: Examiner) -> Check:
    """Reject an answer that the quotes, under their headings, do not support.

    Of a question that must be asked back, its possible meanings are held against them.
    """
    if not draft.gold:
        return passed("no fact to ground")
    if draft.behaviour == "clarify" and not draft.facts:
        return passed("not asked")
    claims = examiner.request(draft).claims
    if not claims:
        return passed("stands word for word in the evidence", score=1.0)
    doubts = (await examiner.opinion(draft)).doubts
    for claim, doubt in zip(claims, doubts, strict=True):
        if doubt:
            return rejected(f"{claim!r}: {doubt}", score=0.0)
    return passed(f"{len(claims)} claims are supported", score=1.0)
