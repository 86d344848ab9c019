"""The index over the passages of a corpus: two retrievers, by words (BM25) and by vectors.

Source: Robertson and Zaragoza (2009), "The Probabilistic Relevance Framework: BM25 and Beyond",
section 3, https://doi.org/10.1561/1500000019; with the idf of Lucene, which is never negative.
"""

import logging
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray

from llamaindex_rag_eval.judge.rules.embedding import lexical_vectors
from llamaindex_rag_eval.judge.rules.tokens import terms
from testset.corpus.documents import SourceDocument
from testset.corpus.passages import Passage, passages_of
from testset.corpus.setting import below, shown_text
from testset.golden.item import GoldSpan

__all__ = ["Bm25", "CorpusIndex", "keys_of"]


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
    bm25: "Bm25"
    by_document: dict[str, list[int]] = field(default_factory=dict)
    embed_model: BaseEmbedding | None = None

    @classmethod
    def of(
        cls,
        documents: Sequence[SourceDocument],
        passages: Sequence[Passage] | None = None,
        embed_model: BaseEmbedding | None = None,
    ) -> "CorpusIndex":
        """Return the index of documents and their passages, cut from them if not given."""
        if passages is None:
            passages = [entry for document in documents for entry in passages_of(document)]
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
        return _unit_rows(self.embed_model.get_text_embedding_batch(texts))

    def vector_of(self, question: str) -> NDArray[np.float32]:
        """Return the vector of a question, to compare with those of the passages."""
        if self.embed_model is None:
            rows = lexical_vectors([question])
        else:
            rows = _unit_rows([self.embed_model.get_query_embedding(question)])
        return rows.reshape(-1)

    def rank(self, question: str, wanted: Sequence[int]) -> int | None:
        """Return the rank, from 1, of the best of some passages; `None` if none is found.

        It is found by words, or beside an embedding model by the better of both retrievers.
        """
        by_words = self.bm25.rank(question, wanted)
        if self.embed_model is None or not wanted:
            return by_words
        near = self.vectors @ self.vector_of(question)
        by_vector = int(np.count_nonzero(near > near[list(wanted)].max())) + 1
        return by_vector if by_words is None else min(by_words, by_vector)

    @property
    def ranked_by(self) -> str:
        """What `rank` goes by."""
        return "BM25" if self.embed_model is None else f"BM25, {self.embed_model.model_name}"

    @property
    def searched_by(self) -> str:
        """What `search` goes by."""
        return self.ranked_by if self.embed_model is not None else "BM25, parts of words"

    def search(self, question: str, *, k: int) -> tuple[int, ...]:
        """Return the `k` best passages of both retrievers, by words and by vectors, each once."""
        by_words = [number for number, _ in self.bm25.search(question, k=k)]
        near = self.vectors @ self.vector_of(question)
        by_vector = np.argsort(-near, kind="stable")[:k].tolist()
        return tuple(
            dict.fromkeys(number for pair in _interleaved(by_words, by_vector) for number in pair)
        )

    def in_setting(self, span: GoldSpan) -> str:
        """Return a span as a reader sees it, below the title, headings and header it stands under.

        Of a document that is not in the index, the quote below the setting that was kept.
        """
        document = self.documents.get(span.doc_id)
        if document is None:
            return below(span.setting, span.quote)
        return shown_text(document, span.start, span.end)

    def passages_at(self, span: GoldSpan) -> list[int]:
        """Return the numbers of the passages that overlap a span."""
        return [
            number
            for number in self.by_document.get(span.doc_id, ())
            if self.passages[number].start < span.end and span.start < self.passages[number].end
        ]


def _unit_rows(rows: Sequence[Sequence[float]]) -> NDArray[np.float32]:
    """Return the rows at length 1; a row of zeros stays."""
    found = np.asarray(rows, dtype=np.float32)
    lengths = np.linalg.norm(found, axis=1, keepdims=True)
    return (found / np.where(lengths == 0, 1, lengths)).astype(np.float32)


def _interleaved(first: Sequence[int], second: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Yield the first of both, then the second of both, and so on; the longer one goes on alone."""
    for place in range(max(len(first), len(second))):
        yield (*first[place : place + 1], *second[place : place + 1])


class Bm25:
    """BM25 over texts; equal scores come in the order of the texts.

    Term frequencies are weighted as in ATIRE, `tf (k1 + 1) / (tf + k1 (1 - b + b length / mean))`,
    with k1 = 1.5 and b = 0.75, the defaults of `bm25s`.

    Example:
        >>> [number for number, _ in Bm25(["a red vent", "a blue pump"]).search("pumps", k=2)]
        [1]
    """

    def __init__(self, texts: Sequence[str]) -> None:
        from bm25s import BM25  # slow to import: it brings scipy.sparse

        logging.getLogger("bm25s").setLevel(logging.WARNING)  # it is at DEBUG once imported
        self.size = len(texts)
        self._bm25: Any = BM25(method="atire", idf_method="lucene", dtype="float64")
        keys = [keys_of(text) for text in texts]
        self._empty = not any(keys)  # bm25s takes the mean of nothing
        if not self._empty:
            self._bm25.index(keys, create_empty_token=False, show_progress=False)

    def idf(self, key: str) -> float:
        """Return how rare a term is: 0 or more; the highest value for one that never occurs."""
        seen = 0
        if self.known(key):
            number = self._bm25.vocab_dict[key]
            first, last = self._bm25.scores["indptr"][number : number + 2]
            seen = int(last - first)
        return math.log(1 + (self.size - seen + 0.5) / (seen + 0.5))

    def known(self, key: str) -> bool:
        """Return whether any text holds a term."""
        return not self._empty and key in self._bm25.vocab_dict

    def scores(self, query: str) -> NDArray[np.float64]:
        """Return one score per text, 0 where it shares no term with the query."""
        keys = [key for key in dict.fromkeys(keys_of(query)) if self.known(key)]
        if not keys:
            return np.zeros(self.size)
        found: NDArray[np.float64] = self._bm25.get_scores(keys)
        return found

    def search(self, query: str, *, k: int) -> list[tuple[int, float]]:
        """Return the numbers and scores of the `k` best texts with any shared term."""
        scores = self.scores(query)
        best = np.argsort(-scores, kind="stable")[:k]
        return [(int(number), float(scores[number])) for number in best if scores[number] > 0]

    def rank(self, query: str, wanted: Iterable[int]) -> int | None:
        """Return the rank, from 1, of the best of some texts; `None` if none is found."""
        scores = self.scores(query)
        found = [number for number in wanted if scores[number] > 0]
        if not found:
            return None
        best = min(found, key=lambda number: (-scores[number], number))
        ahead = np.count_nonzero(scores > scores[best])
        return int(ahead + np.count_nonzero(scores[:best] == scores[best])) + 1


def keys_of(text: str) -> list[str]:
    """Return the keys of the terms of a text: stems, numbers, CJK characters and pairs."""
    return [term.key for term in terms(text)]
