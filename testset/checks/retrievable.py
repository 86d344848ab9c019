"""Retrievable: is the evidence among the 50 best of a word search?

Never among the best one only: that would keep nothing but easy questions.
"""

from testset.checks.draft import Draft, passed, rejected
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check

__all__ = ["retrievable"]

DEPTH = 50


def retrievable(draft: Draft, index: CorpusIndex) -> Check:
    """Reject a question whose evidence no search by words could bring up."""
    if not draft.gold:
        return passed("nothing to retrieve")
    worst = 0
    for group in draft.gold:
        holding = [number for entry in group for number in index.passages_at(entry)]
        rank = index.bm25.rank(draft.question, holding)
        if rank is None or rank > DEPTH:
            return rejected(f"not among the best {DEPTH}", score=0.0)
        worst = max(worst, rank)
    return passed(f"rank {worst}", score=1 / worst)
