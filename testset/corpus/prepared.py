"""A prepared corpus: the documents cut into passages, indexed, and sorted into topics."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray

from testset.corpus.counts import Names, TermCounts
from testset.corpus.digest import Digest, digest_of
from testset.corpus.documents import Corpus, shuffle_key
from testset.corpus.duplicates import Boilerplate
from testset.corpus.index import CorpusIndex
from testset.corpus.index_store import Arrays, code_fingerprint, packed, unpacked
from testset.corpus.passages import Passage
from testset.corpus.topics import topics_of
from testset.corpus.vectors import LexicalVectors
from testset.corpus.word_search import WordSearch

UNIT = "passages"
PLAIN = ("passages", "spans", "lengths", "rows", "headings", "distinct", "boilerplate")
"""What is kept of a digest beside its counts."""
SPARSE = ("data", "indices", "indptr")
"""The arrays of a sparse matrix."""


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
            tell: Called with stage, done and total: after reading, and while cutting.
            embed_model: The index's second retriever; without one it compares words.
        """
        count = len(corpus.documents)
        tell("read", count, count)
        store = corpus.index
        findings = None if store is None else store.read(UNIT, _key(corpus), _loaded)
        if findings is None or len(findings.topics) != count:
            findings = _found_in(corpus, lambda done: tell("plan", done, count))
            if store is not None:
                store.write(UNIT, _key(corpus), _arrays(findings))
        if store is not None and corpus.read_as is not None:
            corpus.read_as.keep(store)
        index = CorpusIndex.of(
            corpus.documents,
            embed_model,
            digest=findings.digest,
            vectors=findings.vectors,
            store=store,
        )
        labels = (findings.labels[number] for number in findings.topics.tolist())
        topics = dict(zip((document.doc_id for document in corpus.documents), labels, strict=True))
        tell("plan", count, count)
        return cls(corpus, index, topics, Boilerplate(findings.digest.boilerplate.tolist()))

    @property
    def digest(self) -> Digest:
        """What is known of the passages without cutting them."""
        return self.index.digest

    @property
    def kept_numbers(self) -> NDArray[np.int64]:
        """The passages worth asking about: near-duplicates are left out."""
        return self.digest.distinct

    def shuffled(self, seed: int) -> Sequence[Passage]:
        """Return the kept passages in an order that looks random."""
        numbers = self.kept_numbers.tolist()
        starts = self.digest.spans[self.kept_numbers, 0].tolist()
        names = [self.doc_ids[owner] for owner in self.owners[self.kept_numbers].tolist()]
        keys = [shuffle_key(seed, name, start) for name, start in zip(names, starts, strict=True)]
        order = sorted(range(len(numbers)), key=keys.__getitem__)
        return self.index.passages.chosen(self.kept_numbers[order])

    @cached_property
    def word_search(self) -> WordSearch:
        """Says whether words stand together in any passage."""
        return WordSearch(self.digest.counts, self.index.passages)

    @property
    def passages_per_topic(self) -> dict[str, int]:
        """How many of the kept passages each topic has, 0 too, in the order of the topics."""
        counts = dict.fromkeys(sorted(set(self.topics.values())), 0)
        for doc_id, count in zip(self.doc_ids, self.kept_counts.tolist(), strict=True):
            counts[self.topics[doc_id]] += count
        return counts

    @property
    def kept_counts(self) -> NDArray[np.int64]:
        """How many of the kept passages each document has."""
        return np.bincount(self.owners[self.kept_numbers], minlength=len(self.doc_ids))

    @cached_property
    def kept_by_document(self) -> dict[str, list[int]]:
        """Document id -> the numbers of its passages worth asking about, where it has any."""
        numbers: dict[str, list[int]] = {}
        for number in self.kept_numbers.tolist():
            numbers.setdefault(self.doc_ids[self.owners[number]], []).append(number)
        return numbers

    @cached_property
    def owners(self) -> NDArray[np.int64]:
        """The number of the document of each passage."""
        return self.digest.owners

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


@dataclass(frozen=True)
class _Findings:
    """What was found out about the passages of a corpus.

    Attributes:
        digest: The passages.
        topics: The number of the topic of each document.
        labels: The topics.
        vectors: The lexical vectors of the passages, with features and scales.
    """

    digest: Digest
    topics: NDArray[np.int32]
    labels: list[str]
    vectors: LexicalVectors


def _found_in(corpus: Corpus, tell: Callable[[int], None]) -> _Findings:
    """Find out about the passages of a corpus."""
    digest = digest_of(corpus.documents, tell)
    labels, topics = topics_of(corpus.documents, digest)
    return _Findings(digest, topics, labels, LexicalVectors(digest.counts))


def _arrays(findings: _Findings) -> Arrays:
    """Return the arrays of a unit of the index."""
    digest, vectors = findings.digest, findings.vectors
    times, features = digest.counts.times, vectors.features
    return {
        **{name: getattr(digest, name) for name in PLAIN},
        **{f"times_{part}": getattr(times, part) for part in SPARSE},
        **{f"features_{part}": getattr(features, part) for part in SPARSE},
        "features_width": np.array(features.shape[1]),
        "names": np.frombuffer(digest.counts.names.text, dtype=np.uint8),
        "topics": findings.topics,
        "labels": packed(findings.labels),
        "scales": vectors.scales,
    }


def _loaded(arrays: Arrays) -> _Findings:
    """Return the findings of such arrays."""
    from scipy.sparse import csc_array, csr_array

    names = Names(arrays["names"].tobytes())
    times = csc_array(
        tuple(arrays[f"times_{part}"] for part in SPARSE), shape=(len(arrays["spans"]), len(names))
    )
    features = csr_array(
        tuple(arrays[f"features_{part}"] for part in SPARSE),
        shape=(len(names), int(arrays["features_width"])),
    )
    for matrix in (times, features):
        matrix.check_format(full_check=True)
    digest = Digest(**{name: arrays[name] for name in PLAIN}, counts=TermCounts(names, times))
    vectors = LexicalVectors(digest.counts)
    vectors.features, vectors.scales = features, arrays["scales"]
    return _Findings(digest, arrays["topics"], unpacked(arrays["labels"]), vectors)
