"""The deployed retriever: what the user's own pipeline finds, placed in the documents."""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from pydantic import JsonValue, TypeAdapter

from llamaindex_rag_eval.engines.retrieval import NamedRetriever
from llamaindex_rag_eval.errors import EngineError
from testset.corpus.index import CorpusIndex
from testset.corpus.passages import Passage
from testset.corpus.placing import NodePlaces, Place

PROBES = 3
"""Passages that a retriever is asked for before anything is written."""
PROBE_LENGTH = 200
"""Characters of such a passage that it is asked for."""


_PLACES = TypeAdapter(tuple[Place | None, ...])


class Memory(Protocol):
    """Where replies are kept by their keys, as in a checkpoint."""

    def get(self, key: str) -> Mapping[str, JsonValue] | None:
        """Return what is kept under a key, if anything is."""

    def put(self, key: str, record: Mapping[str, JsonValue]) -> None:
        """Keep something under a key."""


@dataclass(frozen=True, slots=True)
class Found:
    """What a retriever found for one question.

    Attributes:
        by: The name of the retriever.
        spans: The span of each node, best first; `None` for one that stands in no document.
        passages: The numbers of the passages that the nodes show, best first, each once.
    """

    by: str
    spans: tuple[Place | None, ...]
    passages: tuple[int, ...]

    @property
    def lost(self) -> int:
        """How many nodes stand in no document."""
        return self.spans.count(None)


class DeployedSearch:
    """Ask a retriever each question once, and find its nodes in the documents.

    What it found is kept in `memory`: a run that is resumed does not ask again, and decides as
    it did, whatever the retriever would find by now.

    Args:
        retriever: The retriever.
        index: The documents.
        memory: Where its results are kept beyond this run, if anywhere.
    """

    def __init__(
        self, retriever: NamedRetriever, index: CorpusIndex, memory: Memory | None = None
    ) -> None:
        self.retriever, self.tried = retriever, False
        self._index, self._memory = index, memory
        self._nodes = NodePlaces(index)
        self._results: dict[str, Found] = {}

    async def find(self, question: str) -> Found:
        """Return what the retriever finds for a question.

        Raises:
            EngineError: It failed.
        """
        known = self._results.get(question)
        if known is not None:
            return known
        key = f"retrieved/{hashlib.sha256(question.encode()).hexdigest()[:32]}"
        kept = None if self._memory is None else self._memory.get(key)
        if kept is None:
            spans = await self._search(question)
            if question in self._results:  # asked twice at the same time
                return self._results[question]
            if self._memory is not None:
                listed = _PLACES.dump_python(spans, mode="json")
                self._memory.put(key, {"question": question, "places": listed})
        else:
            spans = _PLACES.validate_python(kept["places"])
        numbers = (n for span in spans if span for n in self._nodes.passages(span))
        result = Found(self.retriever.name, spans, tuple(dict.fromkeys(numbers)))
        self._results[question] = result
        return result

    async def probe(self, passages: Sequence[Passage]) -> None:
        """Ask for a few passages, to fail before anything is paid for; what is found is not kept.

        Raises:
            EngineError: The retriever fails, or none of its nodes stands in the documents.
        """
        questions = [passage.text[:PROBE_LENGTH] for passage in passages[:PROBES]]
        self.tried = True
        spans = [span for question in questions for span in await self._search(question)]
        if spans and not any(spans):
            raise EngineError(
                f"none of the {len(spans)} nodes that {self.retriever.name!r} found for "
                f"{len(questions)} passages stands in the documents; expected a retriever over them"
            )

    async def _search(self, question: str) -> tuple[Place | None, ...]:
        nodes = await self.retriever.nodes(question)
        return tuple(self._nodes.locate(entry.node) for entry in nodes)

    @property
    def summary(self) -> dict[str, str]:
        """The retriever and how much it found, as a data card lists them."""
        nodes = sum(len(entry.spans) for entry in self._results.values())
        lost = sum(entry.lost for entry in self._results.values())
        return {
            "retriever": self.retriever.name,
            "questions to the retriever": f"{len(self._results):,}",
            "retrieved nodes": f"{nodes:,}",
            "nodes in no document": f"{lost:,}",
        }
