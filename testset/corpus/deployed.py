"""The deployed retriever: what the user's own pipeline finds, placed in the documents."""

import json
from dataclasses import dataclass
from itertools import islice

from llamaindex_rag_eval.engines.retrieval import NamedRetriever
from llamaindex_rag_eval.errors import EngineError
from llamaindex_rag_eval.models.store import ReplyStore, reply_key
from testset.corpus.index import CorpusIndex
from testset.corpus.placing import NodePlaces, NodeSpan

PROBES = 3
"""Passages that a retriever is asked for before anything is written."""
RETRIEVED = "Retrieved"
"""The kind of what is stored."""
PROBE_LENGTH = 200
"""Characters of such a passage that it is asked for."""


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What a retriever found for one question.

    Attributes:
        by: The name of the retriever.
        spans: The span of each node, best first; `None` for one that stands in no document.
        passages: The numbers of the passages that the nodes show, best first, each once.
    """

    by: str
    spans: tuple[NodeSpan | None, ...]
    passages: tuple[int, ...]

    @property
    def lost(self) -> int:
        """How many nodes stand in no document."""
        return self.spans.count(None)


class DeployedSearch:
    """Ask a retriever each question once, and find its nodes in the documents.

    What it found is kept in `store`: a run that is resumed does not ask again, and decides as
    it did, whatever the retriever would find by now.

    Args:
        retriever: The retriever.
        index: The documents.
        store: Where its results are kept beyond this run, if anywhere.
        documents: The fingerprint of the documents, which the results are places in.
    """

    def __init__(
        self,
        retriever: NamedRetriever,
        index: CorpusIndex,
        store: ReplyStore | None = None,
        documents: str = "",
    ) -> None:
        self.retriever, self.tried = retriever, False
        self._index, self._store = index, store
        self._fingerprint = f"{retriever.name}/{documents}"
        self._nodes = NodePlaces(index)
        self._results: dict[str, Retrieved] = {}

    async def find(self, question: str) -> Retrieved:
        """Return what the retriever finds for a question; before the first, it is tried out.

        Raises:
            EngineError: It failed, or searches other documents.
        """
        known = self._results.get(question)
        if known is not None:
            return known
        key = reply_key(self._fingerprint, RETRIEVED, question)
        kept = None if self._store is None else self._store.get(key)
        if kept is None:
            if not self.tried:
                await self.probe()
            spans = await self._search(question)
            if question in self._results:  # asked twice at the same time
                return self._results[question]
            if self._store is not None:
                self._store.put(key, RETRIEVED, self._fingerprint, json.dumps(spans))
        else:
            spans = tuple(None if span is None else tuple(span) for span in json.loads(kept))
        numbers = (n for span in spans if span for n in self._nodes.passages(span))
        result = Retrieved(self.retriever.name, spans, tuple(dict.fromkeys(numbers)))
        self._results[question] = result
        return result

    async def probe(self) -> None:
        """Ask for the first passages, to fail before anything is paid for; no result is kept.

        Raises:
            EngineError: The retriever fails, or none of its nodes stands in the documents.
        """
        questions = [p.text[:PROBE_LENGTH] for p in islice(self._index.passages, PROBES)]
        self.tried = True
        spans = [span for question in questions for span in await self._search(question)]
        if spans and not any(spans):
            raise EngineError(
                f"none of the {len(spans)} nodes that {self.retriever.name!r} found for "
                f"{len(questions)} passages stands in the documents; expected a retriever over them"
            )

    async def _search(self, question: str) -> tuple[NodeSpan | None, ...]:
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
