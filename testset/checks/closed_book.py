"""Closed book: does a model know the answer by heart? Then the item does not test retrieval.

Such an item is tagged. How many of them a set may have is up to whoever asks for the set.
"""

from collections.abc import Mapping

from llamaindex_rag_eval.judge import Judge
from testset.checks.answers import agrees_with_reference
from testset.checks.draft import Draft, passed, tagged
from testset.golden.item import Check
from testset.requests.closed_book import ClosedBookOf


async def by_model(draft: Draft, judge: Judge, *, by_heart: bool = True) -> Check:
    """Tag an item that is answered rightly twice without any document.

    The second answer is asked for only if the first is right; neither, unless what a model
    knows `by_heart` is wanted.
    """
    if not by_heart or draft.expected_behaviour != "answer" or not draft.gold:
        return passed("not asked")
    for vote in (0, 1):
        request = ClosedBookOf(question=draft.question, history=draft.turns, vote=vote)
        answer = await judge.ask(request)
        if not answer.answer or not (await agrees_with_reference(draft, answer.answer, judge))[0]:
            return passed("not known by heart", score=1 - 0.5 * vote)
    return tagged("answered twice without any document", score=0.0)


def is_known(checks: Mapping[str, Check]) -> bool:
    """Return whether the checks of an item say that it is known by heart."""
    return "closed_book" in checks and checks["closed_book"].verdict == "tagged"
