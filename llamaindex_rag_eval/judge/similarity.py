"""Similarity: how near in meaning are texts?"""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.contract import same_count
from llamaindex_rag_eval.judge.rules.vectors import lexical_vectors
from llamaindex_rag_eval.models.request import Embed, Reply, Request

__all__ = ["Similarities", "SimilaritiesOf"]


class Similarities(Reply):
    """How similar each text is to the first, as cosine similarity in [-1, 1]."""

    values: tuple[float, ...]


class SimilaritiesOf(Request[Similarities]):
    """How similar in meaning is each of `others` to `text`?"""

    reply: ClassVar[type[Reply]] = Similarities
    ruled: ClassVar[bool] = True

    text: str
    others: tuple[str, ...]

    def check(self, reply: Similarities) -> None:
        """Hold the reply to one value per text."""
        same_count("similarities", len(reply.values), "texts", len(self.others))

    def by_rule(self, embed: Embed | None = None) -> Similarities:
        """Compare hashed words and character n-grams, or embeddings where there are some."""
        return self.from_vectors((embed or lexical_vectors)(self.to_embed))

    @property
    def to_embed(self) -> tuple[str, ...]:
        """The text, then the others."""
        return (self.text, *self.others)

    def from_vectors(self, vectors: NDArray[np.float32]) -> Similarities:
        """Return the cosine of the first row with each of the others; 0 for a zero row."""
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        unit = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
        cosines = np.clip(unit[1:] @ unit[0], -1.0, 1.0)
        return Similarities(values=tuple(float(value) for value in cosines))
