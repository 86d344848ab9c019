"""Embeddings: texts as hashed words and character n-grams, and what cosines of a model say.

One model gives unrelated sentences a cosine of 0.1, another 0.8; and of a language that it does not
know it says nothing. So each model is asked once for the sentences of `meaning.json`, eight in each
language, said twice in different words. Their cosines with one another's other wordings show what
unrelated sentences have; where the right one is not the nearest of the eight for most of them, the
model does not know the language.
"""

import json
import re
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any, NamedTuple

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.profile import weight_of
from llamaindex_rag_eval.judge.rules.tokens import Language, Term, language_of, terms
from llamaindex_rag_eval.models.request import Embed

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
            columns, weights = zip(*map(_features, counts), strict=True)
            times = np.repeat(np.sqrt(list(counts.values())), list(map(len, columns)))
            np.add.at(row, np.concatenate(columns) % dim, np.concatenate(weights) * times)
        length = float(np.linalg.norm(row))
        if length:
            row /= length
    return rows


def lexical_features(distinct: Sequence[Term], *, dim: int = 1024) -> Any:
    """Return what each term adds to the vector of a text that has it once.

    The vector of a text is the sum of the rows of its terms, each times the square root of how
    often it occurs, at length 1.

    Args:
        distinct: Terms, each once.
        dim: Entries of a vector.

    Returns:
        A sparse matrix, by rows, of shape `(len(distinct), dim)`.
    """
    from scipy.sparse import csr_array  # slow to import

    features = [_features.__wrapped__(term) for term in distinct]  # each comes once
    ends = np.cumsum([0, *(len(columns) for columns, _ in features)], dtype=np.int32)
    columns = np.concatenate([np.empty(0, np.int64), *(columns for columns, _ in features)])
    weights = np.concatenate([np.empty(0), *(weights for _, weights in features)])
    data = (weights.astype(np.float32), (columns % dim).astype(np.int32), ends)
    matrix = csr_array(data, shape=(len(distinct), dim))
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


KNOWN = 0.75
"""Share of sentences whose other wording a model must find in a language it is trusted in."""


class _Scale(NamedTuple):
    """What unrelated sentences of a language have: the cosine, and how much of meaning is known."""

    unrelated: float
    recognised: float


def nearness(claims: Sequence[str], texts: Sequence[str], embed: Embed) -> NDArray[np.float32]:
    """Return how near in meaning each claim is to each text.

    Args:
        claims: Sentences; the language of each decides the scale.
        texts: Sentences.
        embed: Embeds texts, one row each; the same object each time, so that it is probed once.

    Returns:
        An array of shape `(len(claims), len(texts))`: 1 for the same text, about 0 for unrelated
        ones, about 0.5 for the same in other words; not a number for claims in a language that the
        model does not know.
    """
    rows = unit_rows(embed([*claims, *texts]))
    cosines = rows[: len(claims)] @ rows[len(claims) :].T
    scales = _probed(embed)
    low = [_unrelated(scales, language_of(claim)) for claim in claims]
    floor = np.array(low, dtype=np.float32)[:, None]
    return np.asarray((cosines - floor) / (1 - floor), dtype=np.float32)


def _unrelated(scales: Mapping[Language, _Scale], language: Language) -> float:
    """Return the cosine of unrelated sentences; not a number where the model knows too little.

    A language without sentences of its own is taken for known by a model that knows all others.
    """
    chosen = [scales[language]] if language in scales else list(scales.values())
    if min(scale.recognised for scale in chosen) < KNOWN:
        return float("nan")
    return float(np.mean([scale.unrelated for scale in chosen]))


@lru_cache(maxsize=8)
def _probed(embed: Embed) -> Mapping[Language, _Scale]:
    pairs = _pairs()
    rows = unit_rows(
        embed([text for of_language in pairs.values() for pair in of_language for text in pair])
    )
    scales: dict[Language, _Scale] = {}
    for language, of_language in pairs.items():
        count = len(of_language)
        own, rows = rows[: 2 * count], rows[2 * count :]
        cosines = own[::2] @ own[1::2].T
        numbers = np.arange(count)
        recognised = [np.mean(cosines.argmax(axis=axis) == numbers) for axis in (0, 1)]
        others = cosines[~np.eye(count, dtype=bool)]
        scales[language] = _Scale(float(others.mean()), float(np.mean(recognised)))
    return scales


@cache
def _pairs() -> Mapping[Language, Sequence[tuple[str, str]]]:
    stored: Mapping[Language, Sequence[tuple[str, str]]] = json.loads(
        files(__package__).joinpath("meaning.json").read_text(encoding="utf-8")
    )
    return stored


def unit_rows(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return rows of length 1; one of zeros stays as it is."""
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    unit: NDArray[np.float32] = np.divide(rows, lengths, out=np.zeros_like(rows), where=lengths > 0)
    return unit
