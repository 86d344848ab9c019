"""Critics agree: does a second examiner find an item fit?"""

from testset.checks.draft import Draft, passed, rejected
from testset.checks.examined import Examiner
from testset.golden.item import Check


async def by_model(draft: Draft, examiner: Examiner) -> Check:
    """Reject an item that a second examiner does not find fit."""
    opinion = await examiner.opinion(draft)
    return passed(opinion.reason) if opinion.fit else rejected(opinion.reason)
