"""Topics: documents grouped by the words they share.

The leader algorithm: documents are taken in an order that depends on each alone; one that is near
an earlier leader joins it, any other leads a topic of its own. A new document therefore changes
the topics of its own neighbourhood only.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from testset.corpus.digest import Digest
from testset.corpus.documents import SourceDocument, shuffle_key

NEAR = 0.2
"""Cosine from which a document joins a topic; texts of different subjects stay below .1."""
MOST_LEADERS = 256
"""Bounds the time; once there are as many, a document joins the nearest topic."""
WIDTH = 1024
"""Dimensions of the hashed word vectors; collisions of words are rare enough to do no harm."""
AT_ONCE = 1024
"""Documents that are compared with the leaders at a time."""
LABEL_WORDS = 3
READ_LENGTH = 4_000
"""Characters of a document: passages that start within them, from its start, give its topic."""
SHORTEST_WORD = 4
"""Letters of a content word; names and nouns are long, function words are short or frequent."""
_KANA = re.compile(r"[\u3040-\u309f]")


def topics_of(
    documents: Sequence[SourceDocument], digest: Digest
) -> tuple[list[str], NDArray[np.int32]]:
    """Return the labels of topics, and for each document the number of its topic.

    A label is a title or the three most typical words; in languages that part no words, whose pairs
    of characters say nothing to a reader, the first heading of a document, or its id.
    """
    names, counts = _words(digest)
    seen = np.bincount(counts.indices, minlength=len(names))
    rarity = np.log(len(documents) / np.maximum(seen, 1)) + 1
    hashed = _hashed(names)

    def vectors(numbers: Sequence[int]) -> NDArray[np.float64]:
        rows = counts[numbers].astype(np.float64)
        rows.data = (1 + np.log(rows.data)) * rarity[rows.indices] ** 2
        dense: NDArray[np.float64] = (rows @ hashed).toarray()
        return dense

    keys = [shuffle_key(0, document.doc_id) for document in documents]
    leaders, joined = _leaders(vectors, sorted(range(len(keys)), key=keys.__getitem__))
    labels = [
        documents[number].title
        or _label(counts, number, names, rarity)
        or _heading(documents[number])
        or documents[number].doc_id
        for number in leaders
    ]
    return labels, joined


def _words(digest: Digest) -> tuple[list[str], Any]:
    """Return the content words of documents, and document × word -> how often its beginning has it.

    The title and headings above a passage count with it.
    """
    from scipy.sparse import csr_array

    indexes: defaultdict[str, int] = defaultdict(count().__next__)
    said = [
        (n, indexes[word]) for n, name in enumerate(digest.counts.names) if (word := _word(name))
    ]
    numbers, columns = np.array(said, dtype=np.int64).reshape(-1, 2).T
    shape = len(digest.counts.names), len(indexes)
    words = csr_array((np.ones(len(said), dtype=np.float32), (numbers, columns)), shape=shape)
    early = np.flatnonzero(digest.spans[:, 0] < READ_LENGTH)
    shape = len(digest.passages), len(digest.spans)
    ones = np.ones(len(early), dtype=np.float32)
    beginnings = csr_array((ones, (digest.owners[early], early)), shape=shape)
    return list(indexes), beginnings @ (digest.counts.times @ words)


def _word(name: str) -> str:
    """Return the word of a term if it says what a text is about; else an empty text."""
    _, surface, kind = name.split("\t")
    if kind == "w":
        return surface.casefold() if len(surface) >= SHORTEST_WORD else ""
    return surface if kind == "c" and len(surface) > 1 and not _KANA.search(surface) else ""


def _hashed(words: Sequence[str]) -> Any:
    """Return the matrix that brings words to `WIDTH` dimensions."""
    from scipy.sparse import csr_array

    indexes = [int(shuffle_key(0, word)[:8], 16) % WIDTH for word in words]
    ends = np.arange(len(words) + 1)
    return csr_array((np.ones(len(words)), indexes, ends), shape=(len(words), WIDTH))


def _leaders(
    vectors: Callable[[Sequence[int]], NDArray[np.float64]], order: Sequence[int]
) -> tuple[list[int], NDArray[np.int32]]:
    """Return the documents that lead a topic, and for each document the number of its leader."""
    leaders: list[int] = []
    rows = np.zeros((min(len(order), MOST_LEADERS), WIDTH))
    joined = np.zeros(len(order), dtype=np.int32)
    for start in range(0, len(order), AT_ONCE):
        numbers = order[start : start + AT_ONCE]
        block = vectors(numbers)
        lengths = np.linalg.norm(block, axis=1, keepdims=True)
        block /= np.where(lengths == 0, 1, lengths)
        cosines = block @ rows.T
        for row, number in enumerate(numbers):
            count = len(leaders)
            nearest = int(cosines[row, :count].argmax()) if count else -1
            if count < len(rows) and (nearest < 0 or cosines[row, nearest] < NEAR):
                rows[count] = block[row]
                cosines[:, count] = block @ block[row]
                leaders.append(number)
                nearest = count
            joined[number] = nearest
    return leaders, joined


def _label(counts: Any, number: int, words: Sequence[str], rarity: NDArray[np.float64]) -> str:
    start, end = counts.indptr[number], counts.indptr[number + 1]
    own = [
        (-int(count) * rarity[column], words[column])
        for column, count in zip(counts.indices[start:end], counts.data[start:end], strict=True)
        if len(words[column]) >= SHORTEST_WORD  # no pair of characters
    ]
    return " · ".join(word for _, word in sorted(own)[:LABEL_WORDS])


def _heading(document: SourceDocument) -> str:
    headings = (block for block in document.blocks if block.kind in ("title", "heading"))
    return next((document.view.block_text(block) for block in headings), "")
