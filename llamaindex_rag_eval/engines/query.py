"""How each kind of engine is asked one question, and what its answer says about a sample."""

import asyncio
import contextvars
import inspect
import threading
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from typing import TypeGuard, TypeVar, cast

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.response.schema import (
    AsyncStreamingResponse,
    PydanticResponse,
    Response,
    StreamingResponse,
)
from llama_index.core.chat_engine.types import AgentChatResponse, BaseChatEngine
from llama_index.core.llms import LLM
from llama_index.core.query_engine import CustomQueryEngine, RetrieverQueryEngine
from llama_index.core.schema import NodeWithScore

from llamaindex_rag_eval.data.llamaindex import context_fields, sample_fields
from llamaindex_rag_eval.data.sample import Sample, SingleTurnSample
from llamaindex_rag_eval.engines.answers import OUTCOME
from llamaindex_rag_eval.engines.engine import Engine
from llamaindex_rag_eval.errors import EngineError, InputError
from llamaindex_rag_eval.models.private_api import engine_llm, engine_with_llm
from llamaindex_rag_eval.models.transport import Transport

__all__ = [
    "Asker",
    "Call",
    "answer_fields",
    "in_thread",
    "query_over_aiohttp",
    "single_asker",
    "single_turn",
]


class Asker(ABC):
    """Asks an engine the question of a sample."""

    one_at_a_time = False
    """Whether the engine remembers, so that questions must wait for each other."""

    @abstractmethod
    async def ask(self, sample: Sample) -> Mapping[str, object]:
        """Return the fields that the answer gives; raise what the engine raises."""


class Call:
    """One method of an engine: awaited where the engine is async, else run in a thread."""

    def __init__(
        self,
        blocking: Callable[..., object],
        native: Callable[..., Awaitable[object]] | None,
    ) -> None:
        self._blocking = blocking
        self._native = native

    async def __call__(self, *args: object, **named: object) -> object:
        """Return the reply, with a stream read to its end."""
        if self._native is not None:
            try:
                return await _whole(await self._native(*args, **named))
            except NotImplementedError:
                self._native = None  # it only looked async
        return await _whole(await in_thread(lambda: self._blocking(*args, **named)))


class _Questions(Asker):
    """Asks a query engine, a retriever, or a function: anything that takes one question."""

    def __init__(self, call: Call) -> None:
        self._call = call

    async def ask(self, sample: Sample) -> Mapping[str, object]:
        return answer_fields(await self._call(single_turn(sample).asked))


def single_asker(engine: Engine) -> Asker | None:
    """Return how to ask an engine that takes one question at a time; `None` for other kinds."""
    if isinstance(engine, RetrieverQueryEngine) and not _blocks(engine):
        return _Questions(Call(engine.query, query_over_aiohttp(engine)))
    if isinstance(engine, BaseQueryEngine):
        return _Questions(Call(engine.query, None if _blocks(engine) else engine.aquery))
    if isinstance(engine, BaseRetriever):
        native = None if _retrieval_blocks(engine) else engine.aretrieve
        return _Questions(Call(engine.retrieve, native))
    if isinstance(engine, BaseChatEngine) or not callable(engine):
        return None
    return _Questions(Call(engine, _native(engine)))


def single_turn(sample: Sample) -> SingleTurnSample:
    """Return a sample that asks one question.

    An engine that takes one text gets `asked`, in which a follow-up stands after the conversation
    before it: there it finds what "it" and "there" stand for.

    Raises:
        EngineError: It is a conversation, which only a chat engine can hold.
        InputError: There is no question.
    """
    if not isinstance(sample, SingleTurnSample):
        raise EngineError("a conversation (a sample with 'messages') needs a chat engine")
    if not sample.query:
        raise InputError("expected a question in 'query', this sample has none")
    return sample


def answer_fields(reply: object) -> Mapping[str, object]:
    """Return what an engine or a function returned as fields of a sample.

    Raises:
        EngineError: It is nothing that can be read as an answer.
    """
    if isinstance(reply, str):
        return {"response": reply}
    if isinstance(reply, Response | PydanticResponse | StreamingResponse | AgentChatResponse):
        return sample_fields(reply)
    if _are_nodes(reply):
        return context_fields(reply)
    if isinstance(reply, Mapping):
        return _named_fields(reply)
    raise EngineError(
        "expected a text, a Response, retrieved nodes, or a dict with 'response' and 'contexts', "
        f"got {type(reply).__name__!r}"
    )


def _named_fields(reply: Mapping[str, object]) -> Mapping[str, object]:
    """Return the fields of a dict that are a pipeline's to fill, under their own names."""
    nodes = {key: value for key, value in reply.items() if value and _are_nodes(value)}
    read = SingleTurnSample.model_validate({k: v for k, v in reply.items() if k not in nodes})
    fields = {name: getattr(read, name) for name in read.model_fields_set & OUTCOME}
    for found in nodes.values():
        fields.update(context_fields(found))
    if not fields:
        names = ", ".join(map(repr, reply))
        raise EngineError(f"expected a dict with 'response' or 'contexts', got one with {names}")
    return fields


def _are_nodes(reply: object) -> TypeGuard[Sequence[NodeWithScore]]:
    return isinstance(reply, list | tuple) and all(isinstance(n, NodeWithScore) for n in reply)


async def _whole(reply: object) -> object:
    """Return a reply that is complete: awaited, and read to its end if it is a stream."""
    if inspect.isawaitable(reply):
        reply = await reply
    if isinstance(reply, AsyncStreamingResponse):
        return await reply.get_response()
    if isinstance(reply, StreamingResponse):
        return await in_thread(reply.get_response)
    return reply


def _blocks(engine: BaseQueryEngine) -> bool:
    """Return whether awaiting the engine would hold up the event loop."""
    if isinstance(engine, CustomQueryEngine):
        return not _overrides(engine, CustomQueryEngine, "aquery", "acustom_query")
    if isinstance(engine, RetrieverQueryEngine):
        return _retrieval_blocks(engine.retriever)
    return not _overrides(engine, BaseQueryEngine, "aquery", "_aquery")


def _retrieval_blocks(retriever: BaseRetriever) -> bool:
    return not _overrides(retriever, BaseRetriever, "aretrieve", "_aretrieve")


def _overrides(engine: object, base: type, *names: str) -> bool:
    """Return whether the engine's class has any of these methods of its own.

    LlamaIndex wraps methods for its instrumentation, anew in every class: what counts is what
    is inside.
    """
    kind = type(engine)
    return any(
        inspect.unwrap(getattr(kind, name)) is not inspect.unwrap(getattr(base, name))
        for name in names
    )


def _native(function: Callable[[str], object]) -> Callable[..., Awaitable[object]] | None:
    """Return the function itself if it is async, or an object with an async `__call__`."""
    call = getattr(function, "__call__", None)  # noqa: B004 - not whether it can be called
    is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)
    return cast("Callable[..., Awaitable[object]]", function) if is_async else None


T = TypeVar("T")


async def in_thread(work: Callable[[], T]) -> T:
    """Run blocking work in a thread of its own and return what it returns.

    Unlike those of `asyncio.to_thread`, the thread keeps nobody waiting: an engine that hangs
    forever must not hold back other questions, nor the end of the process. Who stops waiting
    leaves the work running, since a thread cannot be stopped.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()
    context = contextvars.copy_context()

    def settle(outcome: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(lambda: None if future.done() else outcome())

    def body() -> None:
        try:
            result = context.run(work)
        except BaseException as error:  # noqa: BLE001 - whatever it is, it belongs to who waits
            cause = _bearable(error)
            settle(lambda: future.set_exception(cause))
        else:
            settle(lambda: future.set_result(result))

    threading.Thread(target=body, name="rag-eval-engine", daemon=True).start()
    return await future


def _bearable(error: BaseException) -> BaseException:
    """Return an error that a future can hold; it would lose a `StopIteration` and never end."""
    return RuntimeError(f"StopIteration: {error}") if isinstance(error, StopIteration) else error


def query_over_aiohttp(engine: RetrieverQueryEngine) -> Callable[[str], Awaitable[object]]:
    """Return how to ask an engine with its OpenAI LLM over aiohttp; see `models.transport`.

    The user's engine is never changed: each event loop gets a shallow copy of it with a copy of the
    LLM. Engines with another LLM, or with an HTTP client of the user's, are asked as they are.
    """
    llm = engine_llm(engine)
    if llm is None:
        return engine.aquery
    transport = Transport(llm, own_retries=True)
    copies: dict[int, tuple[LLM, RetrieverQueryEngine]] = {}

    async def ask(question: str) -> object:
        here = await transport.here()
        if here is llm:
            return await engine.aquery(question)
        known = copies.get(id(here))
        if known is None:
            copies.clear()
            known = copies[id(here)] = (here, engine_with_llm(engine, here))
        return await known[1].aquery(question)

    return ask
