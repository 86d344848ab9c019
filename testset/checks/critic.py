"""Critic: does a second examiner find an item fit?

The verdict is stored under the name "critics_agree".
"""

from testset.checks.draft import Draft, passed, rejected
from testset.checks.reading import AT_ONCE
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check
from testset.requests.critic import CriticOf
from testset.requests.writer import Writer

__all__ = ["by_model"]


async def by_model(draft: Draft, index: CorpusIndex, writer: Writer) -> Check:
    """Reject an item that a second examiner does not find fit.

    Of a question that no document answers the examiner sees the passages that come nearest.
    """
    opinion = await writer.critic(
        CriticOf(
            question=draft.question,
            reference=draft.reference,
            evidence=_evidence(draft, index),
            history=draft.turns,
            behaviour=draft.behaviour,
        )
    )
    return passed(opinion.reason) if opinion.fit else rejected(opinion.reason)


def _evidence(draft: Draft, index: CorpusIndex) -> tuple[str, ...]:
    if not draft.gold:
        near = index.search(draft.full_question, k=AT_ONCE)[:AT_ONCE]
        return tuple(index.passages[number].shown for number in near)
    groups = (group if draft.behaviour == "clarify" else group[:1] for group in draft.gold)
    return tuple(index.in_setting(entry) for group in groups for entry in group)
