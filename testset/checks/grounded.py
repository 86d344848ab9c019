"""Grounded: do the gold spans support all that the answer says?

An answer of rules that stands in them word for word is supported; any other is split into claims.
"""

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.judge.rules.claims import claims_of
from testset.checks.answers import holds, without_steps
from testset.checks.draft import Draft, passed, rejected
from testset.checks.examined import Examiner
from testset.corpus.index import keys_of
from testset.golden.item import Check


async def by_judge(draft: Draft, judge: Judge) -> Check:
    """Reject an answer that the quotes of the gold spans do not support."""
    if not draft.gold:
        return passed("no fact to ground")
    claims = claims_in(draft)
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
    """Reject an answer that the quotes, under their headings, do not support."""
    if not draft.gold:
        return passed("no fact to ground")
    doubts = (await examiner.opinion(draft)).faults_of("not_supported")
    return rejected(doubts, score=0.0) if doubts else passed("all is supported", score=1.0)


def claims_in(draft: Draft) -> tuple[str, ...]:
    """Return what the answer says; nothing if it stands in the evidence as it is.

    These are its facts, and what it says in words that they do not have.
    """
    if holds(draft.gold_text, draft.reference):
        return ()
    facts = tuple(fact.text for fact in draft.reference_facts)
    words = set(keys_of(" ".join(facts)))
    said = claims_of(without_steps(draft.reference)) or (draft.reference,)
    new = (text for text in said if not facts or not words.issuperset(keys_of(text)))
    return tuple(dict.fromkeys([*facts, *new]))
