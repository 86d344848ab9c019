"""Vectors of passages: made of words and parts of words, or by an embedding model."""

from collections.abc import Iterable, Iterator
from functools import lru_cache
from hashlib import sha256
from itertools import islice

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import ArrayLike, NDArray

from llamaindex_rag_eval.judge.rules.embedding import lexical_vectors
from testset.corpus.digest import Digest
from testset.corpus.index_store import IndexStore
from testset.corpus.passages import Passage

KEPT_QUESTIONS = 16
"""Questions whose nearness to all passages stays in memory; checks ask after one several times."""
EMBEDDED_AT_ONCE = 256
"""Passages whose vectors are asked for, and kept, at a time; a kill loses no more."""


class LexicalVectors:
    """Vectors made of words and parts of words.

    They are never written down: the nearness of a passage is the sum of the nearness of its terms.

    Args:
        digest: The passages.

    Attributes:
        nearness: The cosine of a question with each passage.
    """

    embed_model = None

    def __init__(self, digest: Digest) -> None:
        self._digest = digest
        self.nearness = lru_cache(maxsize=KEPT_QUESTIONS)(self._nearness)

    def _nearness(self, question: str) -> NDArray[np.float32]:
        weights = self._digest.features @ lexical_vectors([question])[0]
        cosines: NDArray[np.float32] = (self._digest.roots @ weights) * self._digest.scales
        return cosines


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
        self, embed_model: BaseEmbedding, passages: Iterable[Passage], index: IndexStore | None
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
    passages: Iterable[Passage], model: BaseEmbedding, index: IndexStore | None
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
