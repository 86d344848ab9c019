"""Unanswerable: does really no passage answer the question, and do some come near?

A question that is far from all documents is refused by any pipeline, and tests nothing. The
passages that come near are kept as hard negatives.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.embedding import lexical_vectors
from llamaindex_rag_eval.models.ask_ahead import AskAhead
from testset.checks.cross_lingual import search_text
from testset.checks.draft import Draft, passed, rejected
from testset.checks.examined import NEAREST
from testset.checks.hard_negatives import hard_negatives
from testset.checks.reading import AT_ONCE, PassageReader
from testset.checks.round_trip import share_of, word_share
from testset.corpus.index import CorpusIndex, keys_of
from testset.golden.item import Check

DEPTH = 20
"""Passages of each search that are looked at."""
ANSWERING_SHARE = 0.85
"""A sentence with this share of the question's words may answer it."""
LEAST_SHARE = 0.4
"""The best sentence must hold this share of the words, for the question to be a near miss."""
KEPT_VECTORS = 4096
"""Texts whose vectors, of 4 kB, stay in memory: many questions are held against one passage."""
CLOSE = 0.9
"""A passage that holds this share of what the best one holds of the question comes as near."""


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
    reader: PassageReader,
    *,
    typical_nearness: float = 0.0,
) -> tuple[Check, Draft]:
    """Reject a question that some passage answers, or that is farther off than others.

    A model reads what searches for the question, and for what it was to ask, find first; an
    examiner has read the very first of it. Of more it reads what comes as near.

    Args:
        draft: Not of type "unanswerable", it passes unasked.
        index: The passages.
        reader: Who reads.
        typical_nearness: The median `nearness` of answerable questions, in [0, 1].
    """
    if draft.type != "unanswerable":
        return passed("not asked"), draft
    near = nearness(search_text(draft, index), index)
    if near < typical_nearness:
        reason = f"no passage comes as near as usual ({near:.2f} < {typical_nearness:.2f})"
        return rejected(reason, score=near), draft
    shown, numbers = _to_read(draft, index)
    unknown, ahead = replace(draft, reference=""), AskAhead()
    for start in range(0, len(numbers), AT_ONCE):
        with ahead:
            some = numbers[start : start + AT_ONCE]
            for number, verdict in (await reader.read(unknown, some)).items():
                if verdict.verdict != "no":
                    doc_id = index.passages[number].document.doc_id
                    reason = f"{doc_id!r} answers it: {verdict.quote[:160]!r}"
                    return rejected(reason, score=near), replace(draft, adding=(number,))
    ahead.settle()
    read = [*shown, *numbers]
    kept = replace(draft, hard_negatives=hard_negatives(draft, read, index))
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


def _to_read(draft: Draft, index: CorpusIndex) -> tuple[Sequence[int], list[int]]:
    """Return what an examiner is shown whole, and what else is read.

    It is all that the deployed retriever finds, the next `AT_ONCE` of other searches, and of the
    rest what holds nearly as many words of the question as the best.
    """
    text = search_text(draft, index)
    keys, ranked = keys_of(text), index.search(text, k=DEPTH)
    shown, rest = ranked[:NEAREST], ranked[NEAREST:]
    shares = {n: share_of(keys, index.passages[n].shown, index) for n in ranked}
    least = CLOSE * max(shares.values(), default=0.0)
    close = [number for number in rest[AT_ONCE:] if shares[number] >= least]
    read = dict.fromkeys([*draft.retrieved, *rest[:AT_ONCE], *close[:AT_ONCE]])
    return shown, [number for number in read if number not in shown]
