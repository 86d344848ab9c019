"""Critics agree: a second examiner looks at what the cascade has passed.

The cascade is the first verifier. Where the second disagrees, the item is kept and goes to the
review queue: a person decides.
"""

from testset.checks.draft import Draft, passed, tagged
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check
from testset.requests.critic import CriticOf
from testset.requests.writer import Writer

__all__ = ["critics_agree"]


async def critics_agree(draft: Draft, index: CorpusIndex, writer: Writer) -> Check:
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
