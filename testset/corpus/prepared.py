"""A prepared corpus: the documents cut into passages, indexed, and sorted into topics."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray

from testset.corpus.digest import Digest, by_columns, digest_of
from testset.corpus.documents import Corpus, shuffle_key
from testset.corpus.duplicates import Boilerplate, repeats_among
from testset.corpus.index import ChosenPassages, CorpusIndex
from testset.corpus.index_store import code_fingerprint
from testset.corpus.passages import Passage
from testset.corpus.stored_passages import Findings, read_findings, write_findings
from testset.corpus.together import Together
from testset.corpus.topics import topics_of
from testset.corpus.vectors import LexicalVectors


def _ignore(stage: str, done: int, total: int) -> None:
    del stage, done, total


@dataclass(frozen=True)
class PreparedCorpus:
    """What questions are written about.

    Attributes:
        corpus: The documents.
        index: All their passages, and the retrievers over them.
        kept_numbers: The passages worth asking about: near-duplicates are left out.
        topics: Document id -> its topic.
        boilerplate: The sentences that stand in several documents.
        digest: What is known of the passages without cutting them.
    """

    corpus: Corpus
    index: CorpusIndex
    kept_numbers: NDArray[np.int64]
    topics: Mapping[str, str]
    boilerplate: Boilerplate
    digest: Digest

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
        found = _known(corpus)
        if found is None:
            found = _found_in(corpus, lambda done: tell("plan", done, count))
            if corpus.index is not None:
                write_findings(corpus.index, _key(corpus), found)
        if corpus.index is not None and corpus.read_as is not None:
            corpus.read_as.keep(corpus.index)
        digest = found.digest
        index = CorpusIndex.of(
            corpus.documents,
            embed_model,
            digest=digest,
            vectors=LexicalVectors.known(
                digest.counts.names, digest.counts.times, found.features, found.scales
            ),
            database=None if corpus.index is None else corpus.index.database("vectors.sqlite"),
        )
        labels = [found.labels[number] for number in found.topics.tolist()]
        ids = (document.doc_id for document in corpus.documents)
        topics = dict(zip(ids, labels, strict=True))
        tell("plan", count, count)
        boilerplate = Boilerplate(found.boilerplate.tolist())
        return cls(corpus, index, np.asarray(found.kept), topics, boilerplate, digest)

    @property
    def kept(self) -> Sequence[Passage]:
        """The passages worth asking about, cut when one is looked at."""
        return ChosenPassages(self.index.passages, self.kept_numbers)

    def shuffled(self, seed: int) -> Sequence[Passage]:
        """Return the kept passages in an order that looks random."""
        numbers = self.kept_numbers.tolist()
        starts = self.digest.spans[self.kept_numbers, 0].tolist()
        names = [self.doc_ids[owner] for owner in self.owners[self.kept_numbers].tolist()]
        keys = [shuffle_key(seed, name, start) for name, start in zip(names, starts, strict=True)]
        order = sorted(range(len(numbers)), key=keys.__getitem__)
        return ChosenPassages(self.index.passages, self.kept_numbers[order])

    @cached_property
    def together(self) -> Together:
        """Says whether words stand together in any passage."""
        return Together(self.digest.counts, self.index.passages)

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

    @property
    def kept_by_document(self) -> dict[str, list[int]]:
        """Document id -> the numbers of its passages worth asking about, where it has any."""
        found: dict[str, list[int]] = {}
        for number in self.kept_numbers.tolist():
            found.setdefault(self.doc_ids[self.owners[number]], []).append(number)
        return found

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


def _known(corpus: Corpus) -> Findings | None:
    """Return what the index says of a corpus; `None` if it does not."""
    found = None if corpus.index is None else read_findings(corpus.index, _key(corpus))
    if found is None or len(found.digest.passages) != len(corpus.documents):
        return None
    return found


def _found_in(corpus: Corpus, tell: Callable[[int], None]) -> Findings:
    """Find out about the passages of a corpus."""
    digest = digest_of(corpus.documents, tell)
    kept = np.delete(np.arange(len(digest.spans)), list(repeats_among(digest.marks)))
    labels, topics = topics_of(corpus.documents, digest)
    vectors = LexicalVectors(digest.counts.names, digest.counts.times)
    boilerplate = np.array(sorted(_boilerplate(digest, kept).keys), dtype=np.uint64)
    features, scales = vectors.features, vectors.scales
    return Findings(by_columns(digest), kept, topics, labels, boilerplate, features, scales)


def _boilerplate(digest: Digest, kept: NDArray[np.int64]) -> Boilerplate:
    """Return the sentences of the kept passages that stand in several documents."""
    chosen = np.zeros(len(digest.spans), dtype=np.bool_)
    chosen[kept] = True
    stands = np.repeat(chosen, digest.sentence_counts)
    owners = np.repeat(digest.owners, digest.sentence_counts)
    return Boilerplate.of(owners[stands], digest.sentences[stands])
