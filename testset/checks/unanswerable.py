"""Unanswerable: does really no passage answer the question, and do some come near?

A question that is far from all documents is refused by any pipeline, and tests nothing.
"""

from collections.abc import Sequence
from dataclasses import replace

from llamaindex_rag_eval.judge.rules.embedding import lexical_vectors
from testset.checks.draft import Draft, passed, rejected
from testset.checks.reading import read_passages
from testset.checks.round_trip import word_share
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check
from testset.requests.writer import Writer

__all__ = ["by_model", "by_rule", "nearness"]

DEPTH = 20
"""Passages of each search that are looked at."""
ANSWERING_SHARE = 0.85
"""A sentence with this share of the question's words may answer it."""
LEAST_SHARE = 0.4
"""The best sentence must hold this share of the words, for the question to be a near miss."""
PARAPHRASES = 2
"""Paraphrases of a question that are searched for, too."""


def by_rule(draft: Draft, index: CorpusIndex) -> Check:
    """Reject a question that some passage may answer, or that no passage comes near."""
    if draft.type != "unanswerable":
        return passed("not asked")
    best = 0.0
    for number, _ in index.bm25.search(draft.question, k=DEPTH):
        passage = index.passages[number]
        shares = (word_share(draft.question, s.text, index) for s in passage.sentences)
        share = max(shares, default=0.0)
        if share >= ANSWERING_SHARE:
            return rejected(f"{passage.document.doc_id!r} may answer it", score=1 - share)
        best = max(best, share)
    if best < LEAST_SHARE:
        return rejected("no passage comes near it", score=1 - best)
    return passed("no passage answers it", score=1 - best)


async def by_model(
    draft: Draft, index: CorpusIndex, writer: Writer, *, typical_nearness: float = 0.0
) -> Check:
    """Reject a question that some passage answers, or that is farther off than others.

    A model reads all that both retrievers find for the question and its paraphrases.

    Args:
        draft: Not of type "unanswerable", it passes unasked.
        index: The passages.
        writer: Who paraphrases and reads.
        typical_nearness: The median `nearness` of answerable questions, in [0, 1].
    """
    if draft.type != "unanswerable":
        return passed("not asked")
    near = nearness(draft.question, index)
    if near < typical_nearness:
        reason = f"no passage comes as near as usual ({near:.2f} < {typical_nearness:.2f})"
        return rejected(reason, score=near)
    asked = [draft.question, *await writer.paraphrases(draft.question, n=PARAPHRASES)]
    numbers = _search_all(asked, index)
    until = frozenset({"same", "other"})
    unknown = replace(draft, reference="")
    for passage, verdict in await read_passages(unknown, numbers, index, writer, until=until):
        if verdict.verdict != "no":
            doc_id = passage.document.doc_id
            return rejected(f"{doc_id!r} answers it: {verdict.quote[:160]!r}", score=near)
    return passed(f"none of {len(numbers)} passages answers it", score=near)


def nearness(question: str, index: CorpusIndex) -> float:
    """Return the cosine of a question and the passage nearest to it, in [0, 1]; 0 for none."""
    numbers = [number for number, _ in index.bm25.search(question, k=DEPTH)]
    if not numbers:
        return 0.0
    first, *rows = lexical_vectors([question, *(index.passages[n].text for n in numbers)])
    return round(max(0.0, *(float(first @ row) for row in rows)), 4)


def _search_all(questions: Sequence[str], index: CorpusIndex) -> tuple[int, ...]:
    """Return what either retriever finds for any of the questions, each passage once."""
    found = (number for question in questions for number in index.search(question, k=DEPTH))
    return tuple(dict.fromkeys(found))
