"""Closed book: does a model know the answer by heart? Then the item tests no retrieval."""

from testset.checks.agreement import says_the_same
from testset.checks.draft import Draft, passed, tagged
from testset.golden.item import Check
from testset.requests.writer import Writer

__all__ = ["QUOTA", "closed_book"]

QUOTA = 0.05
"""Share of a set that may be answered by heart."""


async def closed_book(draft: Draft, writer: Writer) -> Check:
    """Tag an item that is answered rightly twice without any document.

    The second answer is asked for only where the first one is right.
    """
    if draft.behaviour != "answer" or not draft.gold:
        return passed("not asked")
    for vote in (0, 1):
        answer = await writer.closed_book(draft.question, vote=vote, history=draft.turns)
        if answer.abstains or not (await says_the_same(draft, answer.answer, writer))[0]:
            return passed("not known by heart", score=1 - 0.5 * vote)
    return tagged("answered twice without any document", score=0.0)
