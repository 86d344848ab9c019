"""A prepared corpus: the documents cut into passages, indexed, and sorted into topics."""

from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray

from testset.corpus.digest import Digest, digest_of
from testset.corpus.documents import Corpus
from testset.corpus.duplicates import Boilerplate
from testset.corpus.index import CorpusIndex
from testset.corpus.index_store import code_fingerprint
from testset.corpus.topics import topics_of

UNIT = "passages"


def _ignore(stage: str, done: int, total: int) -> None:
    del stage, done, total


@dataclass(frozen=True)
class PreparedCorpus:
    """What questions are written about.

    Attributes:
        corpus: The documents.
        index: All their passages, and the retrievers over them.
        topics: Document id -> its topic.
        boilerplate: The sentences that stand in several documents.
    """

    corpus: Corpus
    index: CorpusIndex
    topics: Mapping[str, str]
    boilerplate: Boilerplate

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        *,
        tell: Callable[[str, int, int], None] = _ignore,
        embed_model: BaseEmbedding | None = None,
    ) -> "PreparedCorpus":
        """Prepare documents.

        Args:
            corpus: The documents.
            tell: Called with stage, done and total: after reading, before and while cutting.
            embed_model: The index's second retriever; without one it compares words.
        """
        documents, store = corpus.documents, corpus.index
        count = len(documents)
        tell("read", count, count)
        digest = None if store is None else store.read(UNIT, _key(corpus), Digest.of_arrays)
        if digest is None or len(digest.topics) != count:
            tell("plan", 0, count)
            digest = digest_of(documents, lambda done: tell("plan", done, count))
            labels, numbers = topics_of(documents, digest)
            digest = replace(digest, topics=numbers, labels=labels)
            if store is not None:
                store.keep(UNIT, _key(corpus), digest.arrays)
        if store is not None:
            store.flush()
        index = CorpusIndex.of(documents, embed_model, digest=digest, store=store)
        topics = {
            document.doc_id: digest.labels[number]
            for document, number in zip(documents, digest.topics.tolist(), strict=True)
        }
        tell("plan", count, count)
        return cls(corpus, index, topics, Boilerplate(digest.boilerplate.tolist()))

    @property
    def digest(self) -> Digest:
        """What is known of the passages without cutting them."""
        return self.index.digest

    @property
    def kept_numbers(self) -> NDArray[np.int64]:
        """The passages worth asking about: near-duplicates are left out."""
        return self.digest.distinct

    def passages_per_topic(self, without: Container[str] = ()) -> dict[str, int]:
        """Return how many of the kept passages each topic has, 0 too, in the order of the topics.

        Args:
            without: Documents whose passages do not count.
        """
        topics = dict.fromkeys(sorted(set(self.topics.values())), 0)
        owners = self.digest.owners[self.kept_numbers]
        counts = np.bincount(owners, minlength=len(self.doc_ids)).tolist()
        for doc_id, count in zip(self.doc_ids, counts, strict=True):
            topics[self.topics[doc_id]] += 0 if doc_id in without else count
        return topics

    @cached_property
    def kept_by_document(self) -> dict[str, list[int]]:
        """Document id -> the numbers of its passages worth asking about, where it has any."""
        numbers: dict[str, list[int]] = {}
        for number in self.kept_numbers.tolist():
            numbers.setdefault(self.doc_ids[self.digest.owners[number]], []).append(number)
        return numbers

    @cached_property
    def doc_ids(self) -> tuple[str, ...]:
        """The ids of the documents."""
        return tuple(document.doc_id for document in self.corpus.documents)

    @property
    def skipped(self) -> tuple[tuple[str, str], ...]:
        """The files that were left out, with reasons."""
        return tuple((entry.path, entry.reason) for entry in self.corpus.skipped)

    @property
    def summary(self) -> dict[str, str]:
        """Counts and fingerprint of the documents, as a data card lists them."""
        return {
            "documents": str(len(self.corpus.documents)),
            "corpus": self.corpus.fingerprint,
            "passages": str(len(self.index.passages)),
            "near-duplicate passages": str(len(self.index.passages) - len(self.kept_numbers)),
        }


def _key(corpus: Corpus) -> str:
    """Return what findings depend on: documents, their titles, and the code."""
    titles = repr([document.title for document in corpus.documents])
    return f"{corpus.fingerprint}/{sha256(titles.encode()).hexdigest()[:16]}/{code_fingerprint()}"
