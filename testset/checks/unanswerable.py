"""Unanswerable: does really no passage answer the question?"""

from testset.checks.draft import Draft, passed, rejected
from testset.checks.round_trip import coverage
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check

__all__ = ["unanswerable"]

DEPTH = 20
ANSWERED = 0.85
"""A passage that holds this share of the question's words may answer it."""
NEAR = 0.4
"""A near miss shares this much with some passage; below, anyone can tell that it is off."""


def unanswerable(draft: Draft, index: CorpusIndex) -> Check:
    """Reject a question that some passage may answer, or that no passage comes near."""
    if draft.type != "unanswerable":
        return passed("not asked")
    best = 0.0
    for number, _ in index.bm25.search(draft.question, k=DEPTH):
        passage = index.passages[number]
        held = max(
            (coverage(draft.question, sentence.text, index) for sentence in passage.sentences),
            default=0.0,
        )
        if held >= ANSWERED:
            return rejected(f"{passage.document.doc_id!r} may answer it", score=1 - held)
        best = max(best, held)
    if best < NEAR:
        return rejected("no passage comes near it", score=1 - best)
    return passed("no passage answers it", score=1 - best)
