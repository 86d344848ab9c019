"""Closed book: does a model know the answer by heart? Then the item does not test retrieval."""

from testset.checks.answers import agrees_with_reference
from testset.checks.draft import Draft, passed, tagged
from testset.golden.item import Check
from testset.requests.writer import Writer

__all__ = ["MAX_SHARE", "by_model"]

MAX_SHARE = 0.05
"""Share of a set that may be answered by heart."""


async def by_model(draft: Draft, writer: Writer) -> Check:
    """Tag an item that is answered rightly twice without any document.

    The second answer is asked for only if the first is right.
    """
    if draft.behaviour != "answer" or not draft.gold:
        return passed("not asked")
    for vote in (0, 1):
        answer = await writer.closed_book(draft.question, vote=vote, history=draft.turns)
        if answer.abstains or not (await agrees_with_reference(draft, answer.answer, writer))[0]:
            return passed("not known by heart", score=1 - 0.5 * vote)
    return tagged("answered twice without any document", score=0.0)
