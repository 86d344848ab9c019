"""What checks stand on: the item as it would be kept, and the documents it is asked about."""

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
from testset.golden.item import Behaviour, Check, GoldSpan
from testset.requests.question import Turn

__all__ = ["Draft", "Ground", "passed", "rejected", "tagged"]


@dataclass(frozen=True, slots=True)
class Draft:
    """A question on its way to become a golden item; the same fields, not yet settled.

    Attributes:
        facts: The statements of the answer; none if it was cut from the document.
        turns: The conversation before it.
        behaviour: What a good pipeline does with it.
        style: How it is worded.
        verbatim: Whether the answer must stand word for word in the evidence.
    """

    question: str
    reference: str
    kind: str
    type: str
    language: str
    gold: tuple[tuple[GoldSpan, ...], ...]
    facts: tuple[str, ...] = ()
    turns: tuple[Turn, ...] = ()
    behaviour: Behaviour = "answer"
    style: str = "plain"
    verbatim: bool = True

    @property
    def said(self) -> str:
        """The question after the questions before it: what a follow-up is about."""
        return " ".join([*(turn.question for turn in self.turns), self.question])

    @property
    def evidence(self) -> str:
        """The quotes of the first span of each group, one a line."""
        return "\n".join(group[0].quote for group in self.gold)


@dataclass(frozen=True)
class Ground:
    """The documents, their passages, and an index over the passages.

    Attributes:
        embed_model: Makes the vectors of the second retriever; without one, they compare words.
    """

    documents: dict[str, SourceDocument]
    passages: Sequence[Passage]
    index: Bm25
    by_document: dict[str, list[int]] = field(default_factory=dict)
    embed_model: BaseEmbedding | None = None

    @classmethod
    def of(
        cls,
        documents: Sequence[SourceDocument],
        passages: Sequence[Passage],
        embed_model: BaseEmbedding | None = None,
    ) -> "Ground":
        """Return the ground that documents and their passages make."""
        by_document: dict[str, list[int]] = {}
        for number, passage in enumerate(passages):
            by_document.setdefault(passage.document.doc_id, []).append(number)
        index = Bm25([passage.text for passage in passages])
        ids = {entry.doc_id: entry for entry in documents}
        return cls(ids, passages, index, by_document, embed_model)

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

    def found(self, question: str, *, k: int) -> tuple[int, ...]:
        """Return the `k` best passages of both retrievers, by words and by vectors, each once."""
        by_words = [number for number, _ in self.index.search(question, k=k)]
        near = self.vectors @ self.vector_of(question)
        by_vector = np.argsort(-near, kind="stable")[:k].tolist()
        return tuple(
            dict.fromkeys(number for pair in _turns(by_words, by_vector) for number in pair)
        )

    def shown(self, span: GoldSpan) -> str:
        """Return a quote under the headings it stands under, as a reader would see it."""
        holding = self.holding(span)
        passage = self.passages[holding[0]] if holding else None
        above = passage.headings if passage is not None else ()
        title = passage.document.title if passage is not None and not above else ""
        heading = " / ".join(above) or title
        return f"{heading}: {span.quote}" if heading else span.quote

    def holding(self, span: GoldSpan) -> list[int]:
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


def _turns(first: Sequence[int], second: Sequence[int]) -> Iterator[tuple[int, ...]]:
    for place in range(max(len(first), len(second))):
        yield (*first[place : place + 1], *second[place : place + 1])


def passed(evidence: str = "", *, score: float | None = None) -> Check:
    """Return the verdict of a check that found nothing wrong."""
    return Check(verdict="passed", score=_rounded(score), evidence=evidence)


def tagged(evidence: str, *, score: float | None = None) -> Check:
    """Return the verdict of a check that keeps an item, and marks it."""
    return Check(verdict="tagged", score=_rounded(score), evidence=evidence)


def rejected(evidence: str, *, score: float | None = None) -> Check:
    """Return the verdict of a check that turns an item down, and why."""
    return Check(verdict="rejected", score=_rounded(score), evidence=evidence)


def _rounded(score: float | None) -> float | None:
    """Return a score to six places, so that the order of a sum cannot change a file."""
    return None if score is None else round(score, 6)
