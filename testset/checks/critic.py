"""Critic: does a second examiner find an item fit that passed all other checks?

An item that the critic finds unfit is kept and tagged for review, where a person decides. The
verdict is stored under the name "critics_agree".
"""

from testset.checks.draft import Draft, passed, tagged
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check
from testset.requests.critic import CriticOf
from testset.requests.writer import Writer

__all__ = ["by_model"]


async def by_model(draft: Draft, index: CorpusIndex, writer: Writer) -> Check:
    """Tag an item that a second examiner does not find fit."""
    opinion = await writer.critic(
        CriticOf(
            question=draft.question,
            reference=draft.reference,
            evidence=tuple(
                index.with_heading(entry) for group in draft.gold for entry in group[:1]
            ),
            history=draft.turns,
            behaviour=draft.behaviour,
        )
    )
    return passed(opinion.reason) if opinion.fit else tagged(f"for review: {opinion.reason}")
