"""Vectors of passages: made of words and parts of words, or by an embedding model."""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from hashlib import sha256
from itertools import islice
from typing import Any

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import ArrayLike, NDArray

from llamaindex_rag_eval.judge.rules.embedding import lexical_features, lexical_vectors
from testset.corpus.cores import on_every_core
from testset.corpus.counts import TermCounts, term_of
from testset.corpus.index_store import IndexStore
from testset.corpus.passages import Passage

KEPT_QUESTIONS = 16
"""Questions whose nearness to all passages stays in memory; checks ask after one several times."""
NAMES_AT_ONCE = 20_000
"""Terms whose features are found out at a time."""
ROWS_AT_ONCE = 1_024
"""Passages whose vectors are made at a time, to measure their lengths."""
EMBEDDED_AT_ONCE = 256
"""Passages whose vectors are asked for, and kept, at a time; a kill loses no more."""


class LexicalVectors:
    """Vectors made of words and parts of words.

    They are never written down: the nearness of a passage is the sum of the nearness of its terms.

    Args:
        counts: The terms of the passages.

    Attributes:
        nearness: The cosine of a question with each passage.
    """

    embed_model = None

    def __init__(self, counts: TermCounts) -> None:
        self._counts = counts
        self.nearness = lru_cache(maxsize=KEPT_QUESTIONS)(self._nearness)

    def _nearness(self, question: str) -> NDArray[np.float32]:
        weights = self.features @ lexical_vectors([question])[0]
        cosines: NDArray[np.float32] = (self._roots @ weights) * self.scales
        return cosines

    @cached_property
    def features(self) -> Any:
        """What each term adds to a vector; made when first needed."""
        from scipy.sparse import vstack

        rest = iter(self._counts.names)
        parts = iter(lambda: list(islice(rest, NAMES_AT_ONCE)), [])
        return vstack([*on_every_core(_features, parts)] or [_features([])], format="csr")

    @cached_property
    def _roots(self) -> Any:
        """How often each passage has each term, as the square root."""
        roots = self._counts.times.astype(np.float32)
        np.sqrt(roots.data, out=roots.data)
        return roots

    @cached_property
    def scales(self) -> NDArray[np.float32]:
        """What brings the vector of each passage to length 1."""
        rows, lengths = self._roots.tocsr(), [np.zeros(0, dtype=np.float32)]
        for start in range(0, rows.shape[0], ROWS_AT_ONCE):
            vectors = (rows[start : start + ROWS_AT_ONCE] @ self.features).toarray()
            lengths.append(np.linalg.norm(vectors, axis=1))
        norms = np.concatenate(lengths)
        return (1 / np.where(norms == 0, 1, norms)).astype(np.float32)


def _features(names: Sequence[str]) -> Any:
    return lexical_features([term_of(name) for name in names])


class EmbeddedVectors:
    """Vectors made by an embedding model.

    Args:
        embed_model: The model.
        passages: The passages.
        index: Where its vectors are kept; `None` for nowhere.

    Attributes:
        nearness: The cosine of a question with each passage.
    """

    def __init__(
        self, embed_model: BaseEmbedding, passages: Sequence[Passage], index: IndexStore | None
    ) -> None:
        self.embed_model = embed_model
        vectors = [*_embedded(passages, embed_model, index)]
        self._rows = _unit_rows(np.reshape(vectors, (len(vectors), -1)))
        self.nearness = lru_cache(maxsize=KEPT_QUESTIONS)(self._nearness)

    def _nearness(self, question: str) -> NDArray[np.float32]:
        vector = _unit_rows([self.embed_model.get_query_embedding(question)])[0]
        cosines: NDArray[np.float32] = self._rows @ vector
        return cosines


def _embedded(
    passages: Sequence[Passage], model: BaseEmbedding, index: IndexStore | None
) -> Iterator[NDArray[np.float32]]:
    """Yield the vectors of passages: those known from the index, the others from the model."""
    name = f"{model.class_name()}/{model.model_name}"
    rest = iter(passages)
    while texts := [passage.shown for passage in islice(rest, EMBEDDED_AT_ONCE)]:
        keys = [sha256(f"{name}\0{text}".encode()).digest() for text in texts]
        known = {} if index is None else index.vectors(keys)
        new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if new:
            rows = np.asarray(model.get_text_embedding_batch([*new.values()]), np.float32)
            made = dict(zip(new, rows, strict=True))
            if index is not None:
                index.write_vectors(made)
            known |= made
        yield from (known[key] for key in keys)


def _unit_rows(vectors: ArrayLike) -> NDArray[np.float32]:
    """Return the rows at length 1; a row of zeros stays."""
    rows = np.asarray(vectors, dtype=np.float32)
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return (rows / np.where(lengths == 0, 1, lengths)).astype(np.float32)
