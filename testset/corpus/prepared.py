"""Material: the documents of a golden set, cut into passages and sorted into topics."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from llama_index.core.base.embeddings.base import BaseEmbedding

from testset.checks import Ground
from testset.corpus.documents import Corpus
from testset.corpus.passages import Passage
from testset.corpus.topics import topics_of
from testset.generation.config import Progress
from testset.generation.rule_writer import kept_passages

__all__ = ["Material"]


@dataclass(frozen=True)
class Material:
    """What questions are made of.

    Attributes:
        corpus: The documents.
        ground: All their passages, and an index over them.
        kept: The passages worth asking about: near-duplicates are left out.
        topics: Document id -> its topic.
    """

    corpus: Corpus
    ground: Ground
    kept: Sequence[Passage]
    topics: Mapping[str, str]

    @classmethod
    def of(
        cls,
        corpus: Corpus,
        *,
        seed: int,
        tell: Progress,
        embed_model: BaseEmbedding | None = None,
    ) -> "Material":
        """Return the material that documents make."""
        tell("read", len(corpus.documents), len(corpus.documents))
        everything, kept = kept_passages(corpus, seed=seed)
        topics = topics_of(corpus.documents)
        ground = Ground.of(corpus.documents, everything, embed_model)
        tell("plan", len(kept), len(everything))
        return cls(corpus, ground, kept, topics)

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
    def facts(self) -> dict[str, str]:
        """What a data card tells of the documents."""
        return {
            "documents": str(len(self.corpus.documents)),
            "corpus": self.corpus.fingerprint,
            "passages": str(len(self.ground.passages)),
            "near-duplicate passages": str(len(self.ground.passages) - len(self.kept)),
        }
