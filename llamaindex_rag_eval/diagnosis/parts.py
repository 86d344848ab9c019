"""The parts of a query engine, used one by one: what it retrieves, and what it says of nodes."""

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import dataclass

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.engines.engine import settings_of
from llamaindex_rag_eval.engines.query import Call, EngineAdapter, answer_fields, can_synthesize
from llamaindex_rag_eval.engines.retrieval import NamedRetriever
from llamaindex_rag_eval.errors import EngineError

ALL = 10_000
"""Nodes that a retriever is asked for, to see its whole index; many services give no more."""

Nodes = tuple[NodeWithScore, ...]


@dataclass(frozen=True)
class Retrieved:
    """What an engine retrieves for a question; `None` where that part cannot be asked.

    Attributes:
        passed: The nodes that it answers from.
        ranked: Those that its retriever gives, before postprocessors.
        all: Those that its retriever gives if it is asked for as many as there are.
        complete: Whether `all` is the whole index.
    """

    passed: Nodes = ()
    ranked: Nodes | None = None
    all: Nodes | None = None
    complete: bool = False


class EngineParts:
    """A query engine by its public parts: `retrieve`, `synthesize`, and its `retriever`.

    Args:
        engine: The engine; it is not changed.

    Attributes:
        opened: Whether it can answer from nodes that it is given.
    """

    def __init__(self, engine: object) -> None:
        self.opened = isinstance(engine, BaseQueryEngine) and can_synthesize(engine)
        if not isinstance(engine, BaseQueryEngine) or not self.opened:
            return
        self._engine = NamedRetriever(engine, type(engine).__name__)
        retriever = getattr(engine, "retriever", None)
        self._ranked = self._all = None
        if isinstance(retriever, BaseRetriever):
            name = type(retriever).__name__
            self._ranked = NamedRetriever(retriever, name)
            wide = _widened(retriever)
            self._all = None if wide is None else NamedRetriever(wide, name)

    async def retrieve(self, question: str) -> Retrieved:
        """Return what is retrieved for a question.

        Raises:
            EngineError: The engine cannot retrieve.
        """
        passed = await self._engine.nodes(question)
        ranked = None if self._ranked is None else await self._ranked.nodes(question)
        try:
            everything = None if self._all is None else await self._all.nodes(question)
        except EngineError:  # a service that gives fewer nodes
            everything = None
        complete = everything is not None and len(everything) < ALL
        return Retrieved(passed, ranked, everything, complete)


class FromNodes(EngineAdapter):
    """Asks an engine to answer questions from nodes that it is given.

    Args:
        engine: A query engine that can.
        nodes: Id of a sample -> what its question is answered from.
    """

    def __init__(
        self, engine: BaseQueryEngine, nodes: Mapping[str, Sequence[NodeWithScore]]
    ) -> None:
        self._call = Call(engine.synthesize, engine.asynthesize)
        self.engine_settings = settings_of(engine)
        self._nodes = nodes

    async def answer(self, question: SingleTurnSample) -> Mapping[str, object]:
        """Return the fields of the answer from the nodes of this question."""
        nodes = list(self._nodes[question.id])
        return answer_fields(await self._call(QueryBundle(question.asked), nodes))


def _widened(retriever: BaseRetriever) -> BaseRetriever | None:
    """Return a copy that gives as many nodes as there are; `None` where it has no such setting."""
    if not hasattr(retriever, "similarity_top_k"):
        return None
    wide = copy(retriever)
    size = len(getattr(wide, "corpus", None) or ())  # BM25 takes no more than it has
    wide.similarity_top_k = min(ALL, size) if size else ALL
    fused = getattr(wide, "_retrievers", None)  # what a fusion retriever asks; it has no other name
    if fused:
        vars(wide)["_retrievers"] = [_widened(inner) or inner for inner in fused]
    return wide
