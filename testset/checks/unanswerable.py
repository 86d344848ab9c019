"""Unanswerable: does really no passage answer the question, and do some come near?

A question that is far from all documents is refused by any pipeline, and tests nothing; a model
writes one about a passage, which it comes near. The passages that come near are kept as hard
negatives.
"""

from dataclasses import replace

from testset.checks.draft import Draft, passed, rejected
from testset.checks.examined import Examiner
from testset.checks.hard_negatives import hard_negatives
from testset.checks.round_trip import word_share
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check

DEPTH = 20
"""Passages of each search that are looked at."""
ANSWERING_SHARE = 0.85
"""A sentence with this share of the question's words may answer it."""
LEAST_SHARE = 0.4
"""The best sentence must hold this share of the words, for the question to be a near miss."""


def by_rule(draft: Draft, index: CorpusIndex) -> tuple[Check, Draft]:
    """Reject a question that some passage may answer, or that no passage comes near.

    Args:
        draft: Not of type "unanswerable", it passes unasked.
        index: The passages; those that the deployed retriever finds are looked at, too.
    """
    if draft.type != "unanswerable":
        return passed("not asked"), draft
    best = 0.0
    searched = (number for number, _ in index.bm25.search(draft.question, k=DEPTH))
    numbers = tuple(dict.fromkeys([*draft.retrieved, *searched]))
    for number in numbers:
        passage = index.passages[number]
        above = " / ".join(passage.path)
        sentences = (f"{above}\n{sentence.text}" for sentence in passage.sentences)
        share = max((word_share(draft.question, text, index) for text in sentences), default=0.0)
        if share >= ANSWERING_SHARE:
            return rejected(f"{passage.document.doc_id!r} may answer it", score=1 - share), draft
        best = max(best, share)
    if best < LEAST_SHARE:
        return rejected("no passage comes near it", score=1 - best), draft
    near = replace(draft, hard_negatives=hard_negatives(draft, numbers, index))
    return passed("no passage answers it", score=1 - best), near


async def by_model(draft: Draft, index: CorpusIndex, examiner: Examiner) -> tuple[Check, Draft]:
    """Reject a question that some passage answers, as an examiner reads them.

    Args:
        draft: Not of type "unanswerable", it passes unasked.
        index: The passages.
        examiner: Who reads.
    """
    if draft.type != "unanswerable":
        return passed("not asked"), draft
    read = await examiner.findings(draft)
    for number, entry in read.items():
        if entry is not None:
            doc_id = index.passages[number].document.doc_id
            reason = f"{doc_id!r} answers it: {entry.quote[:160]!r}"
            return rejected(reason), draft
    kept = replace(draft, hard_negatives=hard_negatives(draft, tuple(read), index))
    return passed(f"none of {len(read)} passages answers it"), kept
