"""Vectors: the embeddings of texts, for measures that need more than the angle between two."""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.contract import same_count
from llamaindex_rag_eval.judge.rules.vectors import lexical_vectors
from llamaindex_rag_eval.models.request import Embed, Reply, Request

__all__ = ["Vectors", "VectorsOf"]


class Vectors(Reply):
    """One row of numbers per text, as the embedding model gives them."""

    rows: tuple[tuple[float, ...], ...]


class VectorsOf(Request[Vectors]):
    """What are the embeddings of these texts?"""

    reply: ClassVar[type[Reply]] = Vectors
    ruled: ClassVar[bool] = True

    texts: tuple[str, ...]

    def check(self, reply: Vectors) -> None:
        """Hold the reply to one row per text."""
        same_count("rows", len(reply.rows), "texts", len(self.texts))

    def by_rule(self, embed: Embed | None = None) -> Vectors:
        """Hash words and character n-grams, or embed where there is a model."""
        return self.from_vectors((embed or lexical_vectors)(self.to_embed))

    @property
    def to_embed(self) -> tuple[str, ...]:
        """The texts."""
        return self.texts

    def from_vectors(self, vectors: NDArray[np.float32]) -> Vectors:
        """Return the rows as they are."""
        return Vectors(rows=tuple(tuple(float(x) for x in row) for row in vectors))
