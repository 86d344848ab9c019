"""A prepared corpus: the documents cut into passages, indexed, and sorted into topics."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from llama_index.core.base.embeddings.base import BaseEmbedding

from testset.corpus.documents import Corpus
from testset.corpus.duplicates import near_duplicates
from testset.corpus.index import CorpusIndex
from testset.corpus.passages import Passage, passages_of
from testset.corpus.topics import topics_of

__all__ = ["PreparedCorpus", "distinct_passages"]


@dataclass(frozen=True)
class PreparedCorpus:
    """What questions are written about.

    Attributes:
        corpus: The documents.
        index: All their passages, and the retrievers over them.
        kept: The passages worth asking about: near-duplicates are left out.
        topics: Document id -> its topic.
    """

    corpus: Corpus
    index: CorpusIndex
    kept: Sequence[Passage]
    topics: Mapping[str, str]

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        *,
        seed: int,
        tell: Callable[[str, int, int], None],
        embed_model: BaseEmbedding | None = None,
    ) -> "PreparedCorpus":
        """Prepare documents.

        Args:
            corpus: The documents.
            seed: Of the search for near-duplicates.
            tell: Called with stage, done and total: after reading, and after cutting.
            embed_model: The index's second retriever; without one it compares words.
        """
        tell("read", len(corpus.documents), len(corpus.documents))
        everything, kept = distinct_passages(corpus, seed=seed)
        topics = topics_of(corpus.documents)
        index = CorpusIndex.of(corpus.documents, everything, embed_model)
        tell("plan", len(kept), len(everything))
        return cls(corpus, index, kept, topics)

    @property
    def passages_per_topic(self) -> dict[str, int]:
        """How many of the kept passages each topic has, 0 too, in the order of the topics."""
        counts = dict.fromkeys(sorted(set(self.topics.values())), 0)
        for passage in self.kept:
            counts[self.topics[passage.document.doc_id]] += 1
        return counts

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
            "near-duplicate passages": str(len(self.index.passages) - len(self.kept)),
        }


def distinct_passages(corpus: Corpus, *, seed: int) -> tuple[list[Passage], list[Passage]]:
    """Return all passages, and those that are no near-duplicate of an earlier one."""
    everything = [p for document in corpus.documents for p in passages_of(document)]
    repeats = near_duplicates([passage.text for passage in everything], seed=seed)
    return everything, [p for number, p in enumerate(everything) if number not in repeats]
