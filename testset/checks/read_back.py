"""Read back: a model answers from the gold spans alone; does it say what the reference says?"""

from testset.checks.agreement import says_the_same
from testset.checks.draft import Draft, passed, rejected
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check
from testset.requests.writer import Writer

__all__ = ["read_back"]


async def read_back(draft: Draft, index: CorpusIndex, writer: Writer) -> Check:
    """Reject an item whose evidence does not answer it, or answers otherwise.

    Not asked of questions without evidence, nor of those that must be asked back.
    """
    if not draft.gold or draft.behaviour == "clarify":
        return passed("not asked")
    shown = [index.with_heading(group[0]) for group in draft.gold]
    answer = await writer.answer(draft.question, passages=shown, history=draft.turns)
    if answer.abstains:
        return rejected(f"the evidence does not answer it: {answer.reason}", score=0.0)
    same, why = await says_the_same(draft, answer.answer, writer)
    return passed(why, score=1.0) if same else rejected(why, score=0.0)
