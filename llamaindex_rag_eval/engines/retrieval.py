"""Retrieval: what a retriever, or the retriever behind a query engine, finds for a question."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle

from llamaindex_rag_eval.engines.engine import Engine, engine_at, engine_from
from llamaindex_rag_eval.engines.query import Call, are_nodes, is_blocking, retrieval_blocks
from llamaindex_rag_eval.errors import EngineError
from llamaindex_rag_eval.models.retry import RetryPolicy

__all__ = ["NamedRetriever", "RetrieverLike", "named_retriever", "retriever_at"]

IN_FLIGHT = 8
"""Questions asked at a time; an HTTP service usually takes as many without rate limits."""
RETRY = RetryPolicy(retries=2, first_wait=0.5, longest_wait=30.0, spread=(1.0, 1.5))
"""Two further attempts after a lost connection, a time-out, a rate limit or a server error."""


class NamedRetriever:
    """A retriever or query engine, asked for nodes, and the name that errors and cards give it.

    Of a query engine only the retrieval is asked, with its postprocessors; one that cannot retrieve
    by itself is asked whole, and its source nodes count. Blocking ones run in threads.

    Args:
        engine: The retriever or query engine.
        name: Its name.

    Raises:
        EngineError: It is neither.
    """

    def __init__(self, engine: object, name: str) -> None:
        self.name = name
        self._calls = _calls_of(engine, name)
        self._gate = asyncio.Semaphore(IN_FLIGHT)

    def __repr__(self) -> str:
        return f"NamedRetriever({self.name!r})"

    async def nodes(self, question: str) -> tuple[NodeWithScore, ...]:
        """Return the nodes that it finds for a question, best first.

        Raises:
            EngineError: It failed, with transient errors more than twice, or returned no nodes.
        """
        async with self._gate:
            try:
                found = await RETRY.acall(lambda: self._ask(question))
            except Exception as error:
                reason = f"{type(error).__name__}: {error}"
                raise EngineError(
                    f"the retriever {self.name!r} failed on {question!r}: {reason}"
                ) from error
        if not are_nodes(found):
            kind = type(found).__name__
            raise EngineError(f"the retriever {self.name!r} returned a {kind}, expected nodes")
        return tuple(found)

    async def _ask(self, question: str) -> object:
        """Ask in the first way that is implemented."""
        for call in self._calls[:-1]:
            try:
                return _nodes_in(await call(QueryBundle(question)))
            except NotImplementedError:
                continue
        return _nodes_in(await self._calls[-1](QueryBundle(question)))


RetrieverLike = NamedRetriever | BaseRetriever | BaseQueryEngine | Callable[[], Engine]
"""A retriever, a query engine, or a function without arguments, async or not, that makes one."""


def named_retriever(retriever: RetrieverLike) -> NamedRetriever:
    """Return a retriever under the name of its type, or of the function that makes it.

    Raises:
        EngineError: It is no retriever or query engine and makes none, or making it failed.
    """
    if isinstance(retriever, NamedRetriever):
        return retriever
    if isinstance(retriever, BaseRetriever | BaseQueryEngine) or not callable(retriever):
        return NamedRetriever(retriever, type(retriever).__name__)
    name = getattr(retriever, "__qualname__", type(retriever).__name__)
    return NamedRetriever(engine_from(retriever, name, {}), name)


def retriever_at(place: str) -> NamedRetriever:
    """Return the retriever or query engine at `module:attribute`, or that a function there makes.

    Raises:
        EngineError: There is no such module or attribute, it raised an error, or it is neither.
    """
    return NamedRetriever(engine_at(place), place)


def _calls_of(engine: object, name: str) -> tuple[Callable[[QueryBundle], Awaitable[object]], ...]:
    """Return the ways to ask an engine for nodes, the cheapest first."""
    if isinstance(engine, BaseRetriever):
        native = None if retrieval_blocks(engine) else engine.aretrieve
        return (Call(engine.retrieve, native),)
    if isinstance(engine, BaseQueryEngine):
        blocks = is_blocking(engine)
        native = None if blocks else getattr(engine, "aretrieve", None)
        whole = Call(engine.query, None if blocks else engine.aquery)
        return (Call(engine.retrieve, native), whole)
    kind = type(engine).__name__
    raise EngineError(f"{name!r} is a {kind}; expected a retriever or a query engine")


def _nodes_in(reply: object) -> object:
    """Return the source nodes of an answer; anything else as it is."""
    sources: Sequence[NodeWithScore] | None = getattr(reply, "source_nodes", None)
    return reply if sources is None else sources
