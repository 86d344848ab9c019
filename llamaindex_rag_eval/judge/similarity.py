"""Similarity and vectors: judgements answered by embeddings, or by hashed words.

No model is asked in words: these requests have no prompt.
"""

import numpy as np
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.embedding import lexical_vectors, unit_rows
from llamaindex_rag_eval.judge.wire import check_count
from llamaindex_rag_eval.models.request import Embed, Reply, Request


class Similarities(Reply):
    """How similar each text is to the first, as cosine similarity in [-1, 1]."""

    values: tuple[float, ...]


class SimilaritiesOf(Request[Similarities]):
    """How similar in meaning is each of `others` to `text`?"""

    text: str
    others: tuple[str, ...]

    def check(self, reply: Similarities) -> None:
        """Check that there is one value per text."""
        check_count("similarities", len(reply.values), "texts", len(self.others))

    def by_rule(self, embed: Embed | None = None) -> Similarities:
        """Compare hashed words and character n-grams, or embeddings where there are some."""
        return self.from_vectors((embed or lexical_vectors)(self.to_embed))

    @property
    def to_embed(self) -> tuple[str, ...]:
        """The text, then the others."""
        return (self.text, *self.others)

    def from_vectors(self, vectors: NDArray[np.float32]) -> Similarities:
        """Return the cosine of the first row with each of the others; 0 for a zero row."""
        unit = unit_rows(vectors)
        cosines = np.clip(unit[1:] @ unit[0], -1.0, 1.0)
        return Similarities(values=tuple(float(value) for value in cosines))


class Vectors(Reply):
    """One row of numbers per text, as the embedding model gives them."""

    rows: tuple[tuple[float, ...], ...]


class VectorsOf(Request[Vectors]):
    """What are the embeddings of these texts?"""

    texts: tuple[str, ...]

    def check(self, reply: Vectors) -> None:
        """Check that there is one row per text."""
        check_count("rows", len(reply.rows), "texts", len(self.texts))

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
