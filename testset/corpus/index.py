"""The index over the passages of a corpus: two retrievers, by words (BM25) and by vectors."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import zip_longest

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray

from testset.corpus.bm25 import Bm25, best, keys_of as keys_of
from testset.corpus.digest import Digest, digest_of
from testset.corpus.documents import SourceDocument
from testset.corpus.duplicates import text_key
from testset.corpus.index_store import IndexStore
from testset.corpus.passages import Passage, passages_of
from testset.corpus.setting import below, lead_in_of, shown_text
from testset.corpus.vectors import EmbeddedVectors, LexicalVectors
from testset.golden.item import GoldSpan

KEPT_CUT = 4_096
"""Documents whose passages stay in memory once they are cut."""


class CutPassages:
    """All passages of documents, by their numbers; they are cut when one is looked at.

    Args:
        documents: The documents.
        firsts: The number of the first passage of each document, and how many there are.
    """

    def __init__(self, documents: Sequence[SourceDocument], firsts: NDArray[np.int64]) -> None:
        self._firsts = firsts
        self._cut = lru_cache(maxsize=KEPT_CUT)(lambda n: passages_of(replace(documents[n])))

    def __len__(self) -> int:
        return int(self._firsts[-1])

    def __getitem__(self, number: int) -> Passage:
        document = int(np.searchsorted(self._firsts, number, side="right")) - 1
        return self._cut(document)[number - int(self._firsts[document])]

    def __iter__(self) -> Iterator[Passage]:
        return map(self.__getitem__, range(len(self)))


@dataclass(frozen=True)
class CorpusIndex:
    """The documents of a corpus, their passages, and the retrievers over the passages.

    Attributes:
        documents: Document id -> document.
        passages: All passages; elsewhere a passage is named by its number in this list.
        bm25: The first retriever, by words.
        vectors: The second retriever, by vectors.
        by_document: Document id -> the numbers of its passages.
        digest: What is known of the passages without cutting them.
    """

    documents: Mapping[str, SourceDocument]
    passages: CutPassages
    bm25: Bm25
    vectors: LexicalVectors | EmbeddedVectors
    by_document: Mapping[str, Sequence[int]]
    digest: Digest

    @classmethod
    def of(
        cls,
        documents: Sequence[SourceDocument],
        embed_model: BaseEmbedding | None = None,
        *,
        digest: Digest | None = None,
        store: IndexStore | None = None,
    ) -> "CorpusIndex":
        """Return the index of documents.

        Args:
            documents: The documents.
            embed_model: Makes the vectors of the second retriever; without one, vectors are made
                of words and parts of words.
            digest: What is known of their passages, if it is.
            store: Where the embedding model's vectors are kept; `None` for nowhere.
        """
        digest = digest or digest_of(documents)
        firsts = np.concatenate([[0], np.cumsum(digest.passages)]).astype(np.int64)
        passages = CutPassages(documents, firsts)
        ranges = map(range, firsts.tolist(), firsts[1:].tolist())
        return cls(
            {document.doc_id: document for document in documents},
            passages,
            Bm25(digest.counts),
            LexicalVectors(digest)
            if embed_model is None
            else EmbeddedVectors(embed_model, passages, store),
            {document.doc_id: own for document, own in zip(documents, ranges, strict=True)},
            digest,
        )

    def under(self, heading: str) -> list[int]:
        """Return the numbers of the passages whose innermost heading, or title, is this."""
        numbers: list[int] = np.flatnonzero(self.digest.headings == text_key(heading)).tolist()
        return numbers

    def rank(self, question: str, wanted: Sequence[int]) -> int | None:
        """Return the rank, from 1, of the best of some passages; `None` if none is found.

        It is found by words, or beside an embedding model by the better of both retrievers.
        """
        by_words = self.bm25.rank(question, wanted)
        if self.embed_model is None or not wanted:
            return by_words
        near = self.vectors.nearness(question)
        by_vector = int(np.count_nonzero(near > near[list(wanted)].max())) + 1
        return by_vector if by_words is None else min(by_words, by_vector)

    @property
    def embed_model(self) -> BaseEmbedding | None:
        """What makes the vectors; `None` where they are made of words and parts of words."""
        return self.vectors.embed_model

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
        by_vector = best(self.vectors.nearness(question), k)
        pairs = zip_longest(by_words, by_vector)
        return tuple(dict.fromkeys(n for pair in pairs for n in pair if n is not None))

    def in_setting(self, span: GoldSpan) -> str:
        """Return a span as a reader sees it, below the title, headings and header it stands under.

        Of a document that is not in the index, the quote below the setting that was kept.
        """
        document = self.documents.get(span.doc_id)
        if document is None:
            return below(span.setting, span.quote)
        return shown_text(document, span.start, span.end)

    def plain_quote(self, span: GoldSpan) -> str:
        """Return a span as a reader sees it, alone; the quote where its document has no such text.

        The document must be in the index.
        """
        view = self.documents[span.doc_id].view
        shown = view.plain_span(span.start, span.end)
        return view.text[slice(*shown)] if shown else span.quote

    def led_in(self, span: GoldSpan) -> str:
        """Return a span below the header of its table or the lead-in of its list, without headings.

        The document must be in the index.
        """
        view, quote = self.documents[span.doc_id].view, self.plain_quote(span)
        shown = view.plain_span(span.start, span.end)
        number = None if shown is None else view.block_at(shown[0])
        around = () if number is None else lead_in_of(view, number)
        return "\n".join([*(line for line in around if line not in quote), quote])

    def passages_at(self, *spans: GoldSpan) -> list[int]:
        """Return the numbers of the passages that overlap spans, in their order, each once."""
        overlapping: dict[int, None] = {}
        for span in spans:
            numbers = np.array(self.by_document.get(span.doc_id, ()), dtype=np.int64)
            starts, ends = self.digest.spans[numbers].T
            inside = (starts < span.end) & (span.start < ends)
            overlapping |= dict.fromkeys(numbers[inside].tolist())
        return list(overlapping)
