"""Retrieval: what a retriever, or the retriever behind a query engine, finds for a question."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.schema import NodeWithScore, QueryBundle, TextNode

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.engines.asking import retrying
from llamaindex_rag_eval.engines.engine import Engine, engine_at, engine_from
from llamaindex_rag_eval.engines.http import HttpEngine
from llamaindex_rag_eval.engines.query import (
    Call,
    are_nodes,
    is_blocking,
    query_call,
    retrieval_call,
)
from llamaindex_rag_eval.errors import EngineError

CONTEXTS = ("contexts", "context_ids")
"""Fields of a service's reply that say what it found."""
IN_FLIGHT = 8
"""Questions asked at a time; an HTTP service usually takes as many without rate limits."""
RETRY = retrying(2)
"""Two further attempts after a lost connection, a time-out, a rate limit or a server error."""


class NamedRetriever:
    """A retriever, query engine or service, asked for nodes, and its name in errors and cards.

    Of a query engine only the retrieval is asked, with its postprocessors; one that cannot retrieve
    by itself is asked whole, and its source nodes count. Of the reply of a service behind HTTP the
    contexts are the nodes. Blocking ones run in threads.

    Args:
        engine: The retriever, query engine or `HttpEngine`.
        name: Its name.

    Raises:
        EngineError: It is none of these.
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
                reply = await RETRY.acall(lambda: self._ask(question))
            except Exception as error:
                reason = f"{type(error).__name__}: {error}"
                raise EngineError(
                    f"the retriever {self.name!r} failed on {question!r}: {reason}"
                ) from error
        if not are_nodes(reply):
            kind = type(reply).__name__
            raise EngineError(f"the retriever {self.name!r} returned a {kind}, expected nodes")
        return tuple(reply)

    async def _ask(self, question: str) -> object:
        """Ask in the first way that is implemented."""
        for call in self._calls[:-1]:
            try:
                return _nodes_in(await call(QueryBundle(question)))
            except NotImplementedError:
                continue
        return _nodes_in(await self._calls[-1](QueryBundle(question)))


RetrieverLike = NamedRetriever | BaseRetriever | BaseQueryEngine | HttpEngine | Callable[[], Engine]
"""A retriever, a query engine, a service, or a function without arguments that makes one."""


def named_retriever(retriever: RetrieverLike) -> NamedRetriever:
    """Return a retriever under the name of its type, or of the function that makes it.

    Raises:
        EngineError: It is no retriever or query engine and makes none, or making it failed.
    """
    if isinstance(retriever, NamedRetriever):
        return retriever
    if isinstance(retriever, HttpEngine):
        return NamedRetriever(retriever, retriever.shown)
    if isinstance(retriever, BaseRetriever | BaseQueryEngine) or not callable(retriever):
        return NamedRetriever(retriever, type(retriever).__name__)
    name = getattr(retriever, "__qualname__", type(retriever).__name__)
    return NamedRetriever(engine_from(retriever, name, {}), name)


def retriever_at(address: str) -> NamedRetriever:
    """Return the retriever or query engine at `module:attribute`, or that a function there makes.

    A URL is that of a service, whose reply has `contexts`.

    Raises:
        EngineError: There is no such module or attribute, it raised an error, or it is neither.
        InputError: It is a URL that cannot be asked.
    """
    if "://" in address:
        return named_retriever(HttpEngine(address))
    return NamedRetriever(engine_at(address), address)


def _calls_of(engine: object, name: str) -> tuple[Callable[[QueryBundle], Awaitable[object]], ...]:
    """Return the ways to ask an engine for nodes, the cheapest first."""
    if isinstance(engine, BaseRetriever):
        return (retrieval_call(engine),)
    if isinstance(engine, BaseQueryEngine):
        native = None if is_blocking(engine) else getattr(engine, "aretrieve", None)
        return (Call(engine.retrieve, native), query_call(engine))
    if isinstance(engine, HttpEngine):
        return (partial(_contexts_of, engine),)
    kind = type(engine).__name__
    raise EngineError(f"{name!r} is a {kind}; expected a retriever or a query engine")


async def _contexts_of(engine: HttpEngine, question: QueryBundle) -> list[NodeWithScore]:
    """Return the contexts of a service's reply as nodes."""
    reply = await engine.ask(question.query_str)
    if "contexts" not in reply:
        raise EngineError(f"{engine.shown}: the reply has no contexts; expected a list of texts")
    read = SingleTurnSample.model_validate({k: reply[k] for k in CONTEXTS if k in reply})
    ids = read.context_ids or ("",) * len(read.texts)
    pairs = zip(read.texts, ids, strict=False)
    return [NodeWithScore(node=TextNode(text=text, id_=known)) for text, known in pairs]


def _nodes_in(reply: object) -> object:
    """Return the source nodes of an answer; anything else as it is."""
    sources: Sequence[NodeWithScore] | None = getattr(reply, "source_nodes", None)
    return reply if sources is None else sources
