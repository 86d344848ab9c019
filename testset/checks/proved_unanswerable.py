"""Proved unanswerable: what both retrievers find for a question and its paraphrases is no answer.

And it must come as near to the documents as answerable questions do: what is far off, any
pipeline refuses.
"""

from collections.abc import Sequence

from llamaindex_rag_eval.judge.rules.embedding import lexical_vectors
from testset.checks.draft import Draft, passed, rejected
from testset.corpus.index import CorpusIndex
from testset.golden.item import Check
from testset.requests.writer import Writer

__all__ = ["nearness", "proved_unanswerable"]

DEPTH = 20
BATCH = 20
"""Passages in one call."""
PARAPHRASES = 2


async def proved_unanswerable(
    draft: Draft, index: CorpusIndex, writer: Writer, *, usual: float = 0.0
) -> Check:
    """Reject a question that some passage answers, or that comes nowhere near.

    Args:
        draft: Asked of type "unanswerable" alone.
        index: The passages.
        writer: Who paraphrases and reads.
        usual: The median nearness of answerable questions.
    """
    if draft.type != "unanswerable":
        return passed("not asked")
    near = nearness(draft.question, index)
    if near < usual:
        return rejected(f"no passage comes as near as usual ({near:.2f} < {usual:.2f})", score=near)
    asked = [draft.question, *await writer.paraphrases(draft.question, n=PARAPHRASES)]
    numbers = _found(asked, index)
    for start in range(0, len(numbers), BATCH):
        batch = numbers[start : start + BATCH]
        shown = [index.passages[number].text for number in batch]
        verdicts = await writer.alternatives(draft.question, passages=shown)
        for number, verdict in zip(batch, verdicts, strict=True):
            if verdict.verdict != "no":
                doc_id = index.passages[number].document.doc_id
                return rejected(f"{doc_id!r} answers it: {verdict.quote[:160]!r}", score=near)
    return passed(f"none of {len(numbers)} passages answers it", score=near)


def nearness(question: str, index: CorpusIndex) -> float:
    """Return the cosine of a question and the passage nearest to it, in [0, 1]; 0 for none."""
    numbers = [number for number, _ in index.bm25.search(question, k=DEPTH)]
    if not numbers:
        return 0.0
    first, *rows = lexical_vectors([question, *(index.passages[n].text for n in numbers)])
    return round(max(0.0, *(float(first @ row) for row in rows)), 4)


def _found(questions: Sequence[str], index: CorpusIndex) -> tuple[int, ...]:
    """Return what either retriever finds for any of the questions, each passage once."""
    found = (number for question in questions for number in index.search(question, k=DEPTH))
    return tuple(dict.fromkeys(found))
