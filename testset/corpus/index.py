"""The index over the passages of a corpus: two retrievers, by words and by vectors."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.vectors import lexical_vectors
from testset.corpus.documents import SourceDocument
from testset.corpus.passages import Passage
from testset.corpus.search import Bm25
from testset.golden.item import GoldSpan

__all__ = ["CorpusIndex"]


@dataclass(frozen=True)
class CorpusIndex:
    """The documents of a corpus, their passages, and the retrievers over the passages.

    Attributes:
        documents: Document id -> document.
        passages: All passages; elsewhere a passage is named by its number in this list.
        bm25: The first retriever, by words.
        by_document: Document id -> the numbers of its passages.
        embed_model: Makes the vectors of the second retriever; without one, vectors are made of
            words and parts of words.
    """

    documents: dict[str, SourceDocument]
    passages: Sequence[Passage]
    bm25: Bm25
    by_document: dict[str, list[int]] = field(default_factory=dict)
    embed_model: BaseEmbedding | None = None

    @classmethod
    def of(
        cls,
        documents: Sequence[SourceDocument],
        passages: Sequence[Passage],
        embed_model: BaseEmbedding | None = None,
    ) -> "CorpusIndex":
        """Return the index of documents and their passages."""
        by_document: dict[str, list[int]] = {}
        for number, passage in enumerate(passages):
            by_document.setdefault(passage.document.doc_id, []).append(number)
        bm25 = Bm25([passage.text for passage in passages])
        ids = {entry.doc_id: entry for entry in documents}
        return cls(ids, passages, bm25, by_document, embed_model)

    @cached_property
    def vectors(self) -> NDArray[np.float32]:
        """One vector of length 1 per passage; made when first needed."""
        texts = [passage.text for passage in self.passages]
        if self.embed_model is None:
            return lexical_vectors(texts)
        return _unit(self.embed_model.get_text_embedding_batch(texts))

    def vector_of(self, question: str) -> NDArray[np.float32]:
        """Return the vector of a question, to compare with those of the passages."""
        if self.embed_model is None:
            rows = lexical_vectors([question])
        else:
            rows = _unit([self.embed_model.get_query_embedding(question)])
        return rows.reshape(-1)

    def search(self, question: str, *, k: int) -> tuple[int, ...]:
        """Return the `k` best passages of both retrievers, by words and by vectors, each once."""
        by_words = [number for number, _ in self.bm25.search(question, k=k)]
        near = self.vectors @ self.vector_of(question)
        by_vector = np.argsort(-near, kind="stable")[:k].tolist()
        return tuple(
            dict.fromkeys(number for pair in _pairwise(by_words, by_vector) for number in pair)
        )

    def with_heading(self, span: GoldSpan) -> str:
        """Return the quote of a span after the headings above it, or the title of its document."""
        holding = self.passages_at(span)
        passage = self.passages[holding[0]] if holding else None
        above = passage.headings if passage is not None else ()
        title = passage.document.title if passage is not None and not above else ""
        heading = " / ".join(above) or title
        return f"{heading}: {span.quote}" if heading else span.quote

    def passages_at(self, span: GoldSpan) -> list[int]:
        """Return the numbers of the passages that overlap a span."""
        return [
            number
            for number in self.by_document.get(span.doc_id, ())
            if self.passages[number].start < span.end and span.start < self.passages[number].end
        ]


def _unit(rows: Sequence[Sequence[float]]) -> NDArray[np.float32]:
    """Return the rows at length 1; a row of zeros stays."""
    found = np.asarray(rows, dtype=np.float32)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    return (found / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def _pairwise(first: Sequence[int], second: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Return the first of both, then the second of both, ...; the rest of the longer one last."""
    for place in range(max(len(first), len(second))):
        yield (*first[place : place + 1], *second[place : place + 1])
