"""Lexical embeddings: texts as hashed words and character n-grams, for LlamaIndex too."""

import math
import re
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.tokens import Term, terms
from llamaindex_rag_eval.judge.rules.weights import weight_of

__all__ = ["LexicalEmbedding", "lexical_features", "lexical_vectors"]

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
        counts: dict[Term, int] = {}
        for term in terms(text):
            counts[term] = counts.get(term, 0) + 1
        places: list[int] = []
        added: list[float] = []
        for term, count in counts.items():
            times = math.sqrt(count)
            for feature, weight in _features(term):
                places.append((feature >> 1) % dim)
                added.append((weight if feature & 1 else -weight) * times)
        if places:
            np.add.at(row, places, added)
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
    ends = np.cumsum([0, *map(len, features)])
    numbers = np.array([number for row in features for number, _ in row], dtype=np.int64)
    weights = np.array([weight for row in features for _, weight in row], dtype=np.float32)
    signed = np.where(numbers & 1, weights, -weights)
    places = ((numbers >> 1) % dim).astype(np.int32)
    matrix = csr_array((signed, places, ends.astype(np.int32)), shape=(len(found), dim))
    matrix.sum_duplicates()
    return matrix


@lru_cache(maxsize=65_536)
def _features(term: Term) -> tuple[tuple[int, float], ...]:
    """Return the hashes of a term and of its parts, each with its weight."""
    weight = weight_of(term)
    whole = (zlib.crc32(term.key.encode()), weight)
    size = _KATAKANA_GRAM if _KATAKANA.match(term.key) else _GRAM
    if term.kind != "word" or len(term.key) < size:
        return (whole,)
    padded = term.key if size == _KATAKANA_GRAM else f"<{term.key}>"
    grams = sorted({padded[at : at + size] for at in range(len(padded) - size + 1)})
    share = weight / len(grams) ** 0.5
    return (whole, *((zlib.crc32(f"#{gram}".encode()), share) for gram in grams))
