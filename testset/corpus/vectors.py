"""Vectors of passages: made of words and parts of words, or by an embedding model."""

from collections.abc import Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any, Protocol

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.embedding import lexical_features, lexical_vectors
from testset.corpus.cores import on_every_core
from testset.corpus.counts import Names, term_of

KEPT_QUESTIONS = 16
"""Questions whose nearness to all passages stays in memory; checks ask after one several times."""
NAMES_AT_ONCE = 20_000
"""Terms whose features are found out at a time."""
ROWS_AT_ONCE = 1_024
"""Passages whose vectors are made at a time, to measure their lengths."""


class Vectors(Protocol):
    """The vectors of passages."""

    @property
    def embed_model(self) -> BaseEmbedding | None:
        """What makes them; `None` for words and parts of words."""
        ...

    def nearness(self, question: str) -> NDArray[np.float32]:
        """Return the cosine of a question with each passage."""
        ...


class LexicalVectors:
    """Vectors made of words and parts of words.

    They are never written down: the nearness of a passage is the sum of the nearness of its terms.

    Args:
        names: The terms, as `term_name` writes them.
        counts: Passage × term -> how often; a sparse matrix.
    """

    def __init__(self, names: Names, counts: Any) -> None:
        self.embed_model = None
        self._names, self._counts = names, counts

    @classmethod
    def known(
        cls, names: Names, counts: Any, features: Any, scales: NDArray[np.float32]
    ) -> "LexicalVectors":
        """Return the vectors whose features and scales are known."""
        found = cls(names, counts)
        found.features, found.scales = features, scales
        return found

    def nearness(self, question: str) -> NDArray[np.float32]:
        """Return the cosine of a question with each passage."""
        weights = self.features @ lexical_vectors([question])[0]
        found: NDArray[np.float32] = self._roots @ weights
        return found * self.scales

    @cached_property
    def features(self) -> Any:
        """What each term adds to a vector; made when first needed."""
        from scipy.sparse import vstack

        rest = iter(self._names)
        parts = iter(lambda: list(islice(rest, NAMES_AT_ONCE)), [])
        return vstack([*on_every_core(_features, parts)] or [_features([])], format="csr")

    @cached_property
    def _roots(self) -> Any:
        """How often each passage has each term, as the square root."""
        roots = self._counts.astype(np.float32)
        np.sqrt(roots.data, out=roots.data)
        return roots

    @cached_property
    def scales(self) -> NDArray[np.float32]:
        """What brings the vector of each passage to length 1."""
        rows, found = self._roots.tocsr(), [np.zeros(0, dtype=np.float32)]
        for start in range(0, rows.shape[0], ROWS_AT_ONCE):
            vectors = (rows[start : start + ROWS_AT_ONCE] @ self.features).toarray()
            found.append(np.linalg.norm(vectors, axis=1))
        norms = np.concatenate(found)
        return (1 / np.where(norms == 0, 1, norms)).astype(np.float32)


def _features(names: Sequence[str]) -> Any:
    return lexical_features([term_of(name) for name in names])


class EmbeddedVectors:
    """Vectors made by an embedding model.

    Args:
        embed_model: The model.
        rows: One vector for each passage.
    """

    def __init__(self, embed_model: BaseEmbedding, rows: NDArray[np.float32]) -> None:
        self.embed_model = embed_model
        self._rows = unit_rows(rows)

    def nearness(self, question: str) -> NDArray[np.float32]:
        """Return the cosine of a question with each passage."""
        found: NDArray[np.float32] = self._rows @ unit_rows(
            [self.embed_model.get_query_embedding(question)]
        ).reshape(-1)
        return found


class RememberedVectors:
    """Vectors that remember the nearness of the last questions."""

    def __init__(self, inner: Vectors) -> None:
        self.embed_model = inner.embed_model
        self.nearness = lru_cache(maxsize=KEPT_QUESTIONS)(inner.nearness)


def unit_rows(rows: Sequence[Sequence[float]] | NDArray[np.float32]) -> NDArray[np.float32]:
    """Return the rows at length 1; a row of zeros stays."""
    found = np.asarray(rows, dtype=np.float32)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    return (found / np.where(lengths == 0, 1, lengths)).astype(np.float32)
