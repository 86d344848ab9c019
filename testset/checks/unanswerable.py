"""Unanswerable: does really no passage answer the question, and do some come near?

A question that is far from all documents is refused by any pipeline, and tests nothing. The
passages that come near are kept as hard negatives.
"""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace

from llamaindex_rag_eval.judge.rules.embedding import lexical_vectors
from testset.checks.draft import Draft, passed, rejected
from testset.checks.hard_negatives import hard_negatives
from testset.checks.reading import read_passages
from testset.checks.round_trip import word_share
from testset.corpus.deployed import Found
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


Find = Callable[[str], Awaitable[Found | None]]
"""Asks the deployed retriever a question, if there is one."""


async def no_retriever(question: str) -> None:
    """Find nothing: no retriever is deployed."""
    del question


def by_rule(draft: Draft, index: CorpusIndex, *, found: Found | None = None) -> tuple[Check, Draft]:
    """Reject a question that some passage may answer, or that no passage comes near.

    Args:
        draft: Not of type "unanswerable", it passes unasked.
        index: The passages.
        found: What the deployed retriever finds for it; its passages are looked at, too.
    """
    if draft.type != "unanswerable":
        return passed("not asked"), draft
    best, deployed = 0.0, () if found is None else found.passages
    searched = (number for number, _ in index.bm25.search(draft.question, k=DEPTH))
    numbers = tuple(dict.fromkeys([*deployed, *searched]))
    for number in numbers:
        passage = index.passages[number]
        above = " / ".join(passage.path)
        told = (f"{above}\n{sentence.text}" for sentence in passage.sentences)
        share = max((word_share(draft.question, text, index) for text in told), default=0.0)
        if share >= ANSWERING_SHARE:
            return rejected(f"{passage.document.doc_id!r} may answer it", score=1 - share), draft
        best = max(best, share)
    if best < LEAST_SHARE:
        return rejected("no passage comes near it", score=1 - best), draft
    near = replace(draft, hard_negatives=hard_negatives(numbers, index, found))
    return passed("no passage answers it", score=1 - best), near


async def by_model(
    draft: Draft,
    index: CorpusIndex,
    writer: Writer,
    *,
    typical_nearness: float = 0.0,
    find: Find = no_retriever,
) -> tuple[Check, Draft]:
    """Reject a question that some passage answers, or that is farther off than others.

    A model reads all that both retrievers find for the question and its paraphrases, and all that
    the deployed one finds. Of a question in another language than the documents they are searched
    for what it asks in theirs.

    Args:
        draft: Not of type "unanswerable", it passes unasked.
        index: The passages.
        writer: Who paraphrases and reads.
        typical_nearness: The median `nearness` of answerable questions, in [0, 1].
        find: Asks the deployed retriever.
    """
    if draft.type != "unanswerable":
        return passed("not asked"), draft
    asks = draft.asks or draft.question
    near = nearness(asks, index)
    if near < typical_nearness:
        reason = f"no passage comes as near as usual ({near:.2f} < {typical_nearness:.2f})"
        return rejected(reason, score=near), draft
    asked = [asks, *await writer.paraphrases(asks, n=PARAPHRASES)]
    deployed = [await find(question) for question in dict.fromkeys([draft.question, *asked])]
    numbers = _search_all(asked, index, deployed)
    until = frozenset({"same", "other"})
    unknown = replace(draft, reference="")
    for passage, verdict in await read_passages(unknown, numbers, index, writer, until=until):
        if verdict.verdict != "no":
            doc_id = passage.document.doc_id
            return rejected(f"{doc_id!r} answers it: {verdict.quote[:160]!r}", score=near), draft
    own = _search_all(asked[:1], index, deployed[:1])
    kept = replace(draft, hard_negatives=hard_negatives(own, index, deployed[0]))
    return passed(f"none of {len(numbers)} passages answers it", score=near), kept


def nearness(question: str, index: CorpusIndex) -> float:
    """Return the cosine of a question and the passage nearest to it, in [0, 1]; 0 for none."""
    numbers = [number for number, _ in index.bm25.search(question, k=DEPTH)]
    if not numbers:
        return 0.0
    first, *rows = lexical_vectors([question, *(index.passages[n].shown for n in numbers)])
    return round(max(0.0, *(float(first @ row) for row in rows)), 4)


def _search_all(
    questions: Sequence[str], index: CorpusIndex, deployed: Sequence[Found | None]
) -> tuple[int, ...]:
    """Return what any retriever finds for any of the questions, each passage once."""
    first = (number for entry in deployed if entry is not None for number in entry.passages)
    found = (number for question in questions for number in index.search(question, k=DEPTH))
    return tuple(dict.fromkeys([*first, *found]))
