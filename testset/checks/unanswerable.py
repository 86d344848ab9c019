"""Unanswerable: does really no passage answer the question, and do some come near?

A question that is far from all documents is refused by any pipeline, and tests nothing. The
passages that come near are kept as hard negatives.
"""

from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.embedding import lexical_vectors
from testset.checks.cross_lingual import search_text
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
KEPT_VECTORS = 4096
"""Texts whose vectors, of 4 kB, stay in memory: many questions are held against one passage."""


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


async def by_model(
    draft: Draft,
    index: CorpusIndex,
    examiner: Examiner,
    *,
    typical_nearness: float = 0.0,
) -> tuple[Check, Draft]:
    """Reject a question that some passage answers, or that is farther off than others.

    An examiner reads what searches for the question, and for what it was to ask, find first.

    Args:
        draft: Not of type "unanswerable", it passes unasked.
        index: The passages.
        examiner: Who reads.
        typical_nearness: The median `nearness` of answerable questions, in [0, 1].
    """
    if draft.type != "unanswerable":
        return passed("not asked"), draft
    near = nearness(search_text(draft, index), index)
    if near < typical_nearness:
        reason = f"no passage comes as near as usual ({near:.2f} < {typical_nearness:.2f})"
        return rejected(reason, score=near), draft
    read = await examiner.findings(draft)
    for number, entry in read.items():
        if entry is not None:
            doc_id = index.passages[number].document.doc_id
            reason = f"{doc_id!r} answers it: {entry.quote[:160]!r}"
            return rejected(reason, score=near), draft
    kept = replace(draft, hard_negatives=hard_negatives(draft, tuple(read), index))
    return passed(f"none of {len(read)} passages answers it", score=near), kept


def nearness(question: str, index: CorpusIndex) -> float:
    """Return the cosine of a question and the passage nearest to it, in [0, 1]; 0 for none."""
    numbers = [number for number, _ in index.bm25.search(question, k=DEPTH)]
    if not numbers:
        return 0.0
    first, *rows = map(_vector_of, [question, *(index.passages[n].shown for n in numbers)])
    return round(max(0.0, *(float(first @ row) for row in rows)), 4)


@lru_cache(maxsize=KEPT_VECTORS)
def _vector_of(text: str) -> NDArray[np.float32]:
    vector: NDArray[np.float32] = lexical_vectors([text])[0]
    return vector
