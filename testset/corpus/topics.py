"""Topics: documents grouped by the words they share.

Leader clustering: documents are taken in an order that depends on each alone; one that is near
an earlier leader joins it, any other leads a topic of its own. A new document therefore changes
the topics of its own neighbourhood only.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from testset.corpus.digest import Digest
from testset.corpus.documents import SourceDocument, shuffle_key

__all__ = ["topics_of"]

NEAR = 0.2
"""Cosine from which a document joins a topic; texts of different subjects stay below .1."""
MOST_LEADERS = 256
"""Bounds the time; once there are as many, a document joins the nearest topic."""
WIDTH = 1024
"""Dimensions of the hashed word vectors; collisions of words are rare enough to do no harm."""
AT_ONCE = 1024
"""Documents that are compared with the leaders at a time."""
LABEL_WORDS = 3


def topics_of(
    documents: Sequence[SourceDocument], digest: Digest
) -> tuple[list[str], NDArray[np.int32]]:
    """Return the labels of topics, and for each document the number of its topic.

    A label is a title, or the three most typical words.
    """
    names, counts = digest.words, digest.word_counts
    seen = np.bincount(counts.indices, minlength=len(names))
    rarity = np.log(len(documents) / np.maximum(seen, 1)) + 1
    weights = counts.astype(np.float64)
    weights.data = (1 + np.log(weights.data)) * rarity[weights.indices] ** 2
    leaders, joined = _leaders(weights @ _hashed(names), _order(documents))
    labels = [
        documents[number].title or _label(counts, number, names, rarity) or documents[number].doc_id
        for number in leaders
    ]
    return labels, joined


def _order(documents: Sequence[SourceDocument]) -> list[int]:
    keys = [shuffle_key(0, document.doc_id) for document in documents]
    return sorted(range(len(keys)), key=keys.__getitem__)


def _hashed(words: Sequence[str]) -> Any:
    """Return the matrix that brings words to `WIDTH` dimensions."""
    from scipy.sparse import csr_array

    places = [int(shuffle_key(0, word)[:8], 16) % WIDTH for word in words]
    ends = np.arange(len(words) + 1)
    return csr_array((np.ones(len(words)), places, ends), shape=(len(words), WIDTH))


def _leaders(vectors: Any, order: Sequence[int]) -> tuple[list[int], NDArray[np.int32]]:
    """Return the documents that lead a topic, and for each document the number of its leader."""
    leaders: list[int] = []
    rows = np.zeros((min(len(order), MOST_LEADERS), WIDTH))
    joined = np.zeros(len(order), dtype=np.int32)
    for start in range(0, len(order), AT_ONCE):
        numbers = order[start : start + AT_ONCE]
        block = vectors[numbers].toarray()
        lengths = np.linalg.norm(block, axis=1, keepdims=True)
        block /= np.where(lengths == 0, 1, lengths)
        cosines = block @ rows.T
        for place, number in enumerate(numbers):
            count = len(leaders)
            nearest = int(cosines[place, :count].argmax()) if count else -1
            if count < len(rows) and (nearest < 0 or cosines[place, nearest] < NEAR):
                rows[count] = block[place]
                cosines[:, count] = block @ block[place]
                leaders.append(number)
                nearest = count
            joined[number] = nearest
    return leaders, joined


def _label(counts: Any, number: int, words: Sequence[str], rarity: NDArray[np.float64]) -> str:
    start, end = counts.indptr[number], counts.indptr[number + 1]
    own = [
        (-int(count) * rarity[place], words[place])
        for place, count in zip(counts.indices[start:end], counts.data[start:end], strict=True)
    ]
    return " · ".join(word for _, word in sorted(own)[:LABEL_WORDS])
