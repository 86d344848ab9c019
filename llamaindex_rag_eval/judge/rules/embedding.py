"""Lexical embeddings: texts as hashed words and character n-grams, for LlamaIndex too."""

import re
import zlib
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.tokens import Term, terms
from llamaindex_rag_eval.judge.rules.weights import weight_of

_GRAM = 4
"""Characters of the n-grams by which inflections and spellings match."""
_KATAKANA_GRAM = 2
_KATAKANA = re.compile(r"[\u30a1-\u30fa\u30fc]")
"""Katakana words are compounds without spaces, whose parts share as little as two characters."""


class LexicalEmbedding(BaseEmbedding):
    """Embed texts by their words: deterministic, offline, without a model.

    Attributes:
        dimensions: Entries of a vector; fewer let more words collide.
    """

    model_name: str = "lexical"
    dimensions: int = 1024

    @classmethod
    def class_name(cls) -> str:
        """Return the name that LlamaIndex stores."""
        return "LexicalEmbedding"

    def _get_text_embeddings(self, texts: list[str]) -> list[list[float]]:
        rows: list[list[float]] = lexical_vectors(texts, dim=self.dimensions).tolist()
        return rows

    def _get_text_embedding(self, text: str) -> list[float]:
        return self._get_text_embeddings([text])[0]

    def _get_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)

    async def _aget_query_embedding(self, query: str) -> list[float]:
        return self._get_text_embedding(query)


def lexical_vectors(texts: Sequence[str], *, dim: int = 1024) -> NDArray[np.float32]:
    """Return one vector per text, so that cosine similarity compares their words.

    Words count with the square root of their frequency and with their weight; all character
    n-grams of a word together as much again, so that inflections and spellings match. The hash
    is CRC-32, the same everywhere.

    Args:
        texts: Any texts.
        dim: Entries of a vector; fewer let more words collide.

    Returns:
        An array of shape `(len(texts), dim)`. Rows have length 1; a text without words is zeros.

    Example:
        >>> lock, locks, tea = lexical_vectors(["red lock", "two red locks", "green tea"])
        >>> bool(lock @ locks > 0.5 > lock @ tea)
        True
    """
    rows = np.zeros((len(texts), dim), dtype=np.float32)
    for row, text in zip(rows, texts, strict=True):
        counts = Counter(terms(text))
        if counts:
            places, weights = zip(*map(_features, counts), strict=True)
            times = np.repeat(np.sqrt(list(counts.values())), list(map(len, places)))
            np.add.at(row, np.concatenate(places) % dim, np.concatenate(weights) * times)
        length = float(np.linalg.norm(row))
        if length:
            row /= length
    return rows


def lexical_features(found: Sequence[Term], *, dim: int = 1024) -> Any:
    """Return what each term adds to the vector of a text that has it once.

    The vector of a text is the sum of the rows of its terms, each times the square root of how
    often it occurs, at length 1.

    Args:
        found: Terms.
        dim: Entries of a vector.

    Returns:
        A sparse matrix, by rows, of shape `(len(found), dim)`.
    """
    from scipy.sparse import csr_array  # slow to import

    features = [_features.__wrapped__(term) for term in found]  # each comes once
    ends = np.cumsum([0, *(len(places) for places, _ in features)], dtype=np.int32)
    places = np.concatenate([np.empty(0, np.int64), *(places for places, _ in features)])
    weights = np.concatenate([np.empty(0), *(weights for _, weights in features)])
    data = (weights.astype(np.float32), (places % dim).astype(np.int32), ends)
    matrix = csr_array(data, shape=(len(found), dim))
    matrix.sum_duplicates()
    return matrix


@lru_cache(maxsize=65_536)
def _features(term: Term) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return where a term and its parts are added to a vector, and with which weights."""
    weight = weight_of(term)
    hashes, weights = [zlib.crc32(term.key.encode())], [weight]
    size = _KATAKANA_GRAM if _KATAKANA.match(term.key) else _GRAM
    if term.kind == "word" and len(term.key) >= size:
        padded = term.key if size == _KATAKANA_GRAM else f"<{term.key}>"
        grams = sorted({padded[at : at + size] for at in range(len(padded) - size + 1)})
        hashes += [zlib.crc32(f"#{gram}".encode()) for gram in grams]
        weights += [weight / len(grams) ** 0.5] * len(grams)
    numbers = np.array(hashes, dtype=np.int64)
    return numbers >> 1, np.where(numbers & 1, weights, np.negative(weights))
