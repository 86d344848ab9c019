"""Ask an engine one question, and turn its reply into fields of a sample."""

import inspect
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeGuard, cast

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.response.schema import (
    AsyncStreamingResponse,
    PydanticResponse,
    Response,
    StreamingResponse,
)
from llama_index.core.chat_engine.types import AgentChatResponse
from llama_index.core.query_engine import CustomQueryEngine, RetrieverQueryEngine
from llama_index.core.schema import NodeWithScore

from llamaindex_rag_eval._sync import in_thread
from llamaindex_rag_eval.data.images import without_paths
from llamaindex_rag_eval.data.llamaindex import context_fields, sample_fields
from llamaindex_rag_eval.data.sample import Message, MultiTurnSample, Sample, SingleTurnSample
from llamaindex_rag_eval.engines.answers import ANSWER_FIELDS
from llamaindex_rag_eval.errors import EngineError, InputError


class EngineAdapter(ABC):
    """Asks an engine of one kind the question of a sample."""

    one_at_a_time = False
    """Whether the engine has a memory, so that questions must be asked one after another."""

    async def ask(self, sample: Sample) -> Mapping[str, object]:
        """Return the fields of the answer; what the engine raises is passed on.

        Raises:
            InputError: It has no question.
        """
        if isinstance(sample, MultiTurnSample):
            if not any(message.role == "user" for message in sample.messages):
                raise InputError("expected a message of the user, this conversation has none")
            return await self.replay(sample)
        if not sample.query:
            raise InputError("expected a question in 'query', this sample has none")
        return await self.answer(sample)

    @abstractmethod
    async def answer(self, question: SingleTurnSample) -> Mapping[str, object]:
        """Return the fields of the answer to one question."""

    async def replay(self, sample: MultiTurnSample) -> Mapping[str, object]:
        """Send the user's messages again; the replies replace the old ones."""
        messages: list[Message] = []
        turns = []
        for message in sample.messages:
            if message.role == "system":
                messages.append(message)
            elif message.role == "user":
                turns.append(await self.turn(sample, messages, message.content))
        return {"messages": tuple(messages), "retrieved": turns}

    async def turn(
        self, sample: MultiTurnSample, messages: list[Message], text: str
    ) -> dict[str, object]:
        """Say something after a conversation, which goes on with that and with the answer.

        Returns:
            What the answer came with beside its text and its contexts.
        """
        started = time.perf_counter()
        fields = dict(await self.ask(_question(sample, messages, text)))
        messages += [Message(role="user", content=text), *_answer(fields)]
        seconds = round(time.perf_counter() - started, 6)
        kept = {k: v for k, v in fields.items() if k not in ("response", "contexts")}
        return {**kept, "latency": seconds}


def _question(sample: MultiTurnSample, messages: Sequence[Message], text: str) -> SingleTurnSample:
    """Return what the engine is asked: the text after the conversation, without calls of tools."""
    known = tuple(m for m in messages if m.content and m.role != "tool")
    row: dict[str, object] = {"id": sample.id, "query": text, "earlier_messages": known}
    return SingleTurnSample.model_validate(row if known else {"id": sample.id, "query": text})


def _answer(fields: dict[str, object]) -> list[Message]:
    """Return an answer as messages: an agent's calls of tools, then what it said."""
    steps = fields.pop("trajectory", None)
    if isinstance(steps, list):
        return [Message.model_validate(step) for step in steps]
    row = {"role": "assistant", "content": fields.get("response", "")}
    if "contexts" in fields:
        row["contexts"] = fields["contexts"]
    return [Message.model_validate(row)]


@dataclass(eq=False)
class Call:
    """One method of an engine, awaited if the engine is async, else run in a thread.

    Args:
        blocking: The method that blocks.
        native: The async method; `None` if the engine has none that works.
    """

    blocking: Callable[..., object]
    native: Callable[..., Awaitable[object]] | None

    async def __call__(self, *args: object, **options: object) -> object:
        """Return the reply; a stream is read to its end."""
        if self.native is not None:
            try:
                return await complete(await self.native(*args, **options))
            except NotImplementedError:
                self.native = None  # declared, but not implemented
        return await complete(await in_thread(lambda: self.blocking(*args, **options)))


class QueryAdapter(EngineAdapter):
    """Asks an engine that takes one question: a query engine, a retriever, or a function."""

    def __init__(self, call: Call) -> None:
        self._call = call

    async def answer(self, question: SingleTurnSample) -> Mapping[str, object]:
        """Return the fields of the answer."""
        # `asked` is the question after the conversation before it, so that "it" can be resolved.
        return answer_fields(await self._call(question.asked))


def query_call(engine: BaseQueryEngine) -> Call:
    """Return how a query engine is asked."""
    return Call(engine.query, None if is_blocking(engine) else engine.aquery)


def retrieval_call(retriever: BaseRetriever) -> Call:
    """Return how a retriever is asked."""
    blocks = not _overrides(retriever, BaseRetriever, "aretrieve", "_aretrieve")
    return Call(retriever.retrieve, None if blocks else retriever.aretrieve)


def answer_fields(reply: object) -> Mapping[str, object]:
    """Return the reply of an engine or function as fields of a sample.

    Raises:
        EngineError: It is of no kind that holds an answer.
    """
    if isinstance(reply, str):
        return {"response": reply}
    if isinstance(reply, Response | PydanticResponse | StreamingResponse | AgentChatResponse):
        return sample_fields(reply)
    if are_nodes(reply):
        return context_fields(reply)
    if isinstance(reply, Mapping):
        return _named_fields(reply)
    raise EngineError(
        "expected a text, a Response, retrieved nodes, or a dict with 'response' and 'contexts', "
        f"got {type(reply).__name__!r}"
    )


def _named_fields(reply: Mapping[str, object]) -> Mapping[str, object]:
    """Return the fields of a dict that a pipeline fills, with aliases replaced by field names.

    The dict may come from another machine: no path in it is one to read an image from.
    """
    nodes = {key: value for key, value in reply.items() if value and are_nodes(value)}
    named = {key: value for key, value in reply.items() if key not in nodes}
    read = without_paths(SingleTurnSample.model_validate(named))
    fields = {name: getattr(read, name) for name in read.model_fields_set & ANSWER_FIELDS}
    for value in nodes.values():
        fields.update(context_fields(value))
    if not fields:
        names = ", ".join(map(repr, reply))
        raise EngineError(f"expected a dict with 'response' or 'contexts', got one with {names}")
    return fields


def are_nodes(reply: object) -> TypeGuard[Sequence[NodeWithScore]]:
    """Return whether a reply is retrieved nodes, or none."""
    return isinstance(reply, list | tuple) and all(isinstance(n, NodeWithScore) for n in reply)


async def complete(reply: object) -> object:
    """Return the complete reply: awaited, and read to its end if it is a stream."""
    if inspect.isawaitable(reply):
        reply = await reply
    if isinstance(reply, AsyncStreamingResponse):
        return await reply.get_response()
    if isinstance(reply, StreamingResponse):
        return await in_thread(reply.get_response)
    return reply


def is_blocking(engine: BaseQueryEngine) -> bool:
    """Return whether awaiting the engine would block the event loop."""
    if isinstance(engine, CustomQueryEngine):
        return not _overrides(engine, CustomQueryEngine, "aquery", "acustom_query")
    if isinstance(engine, RetrieverQueryEngine):
        return retrieval_call(engine.retriever).native is None
    return not _overrides(engine, BaseQueryEngine, "aquery", "_aquery")


def can_synthesize(engine: BaseQueryEngine) -> bool:
    """Return whether an engine retrieves, and answers from nodes, as two steps."""
    return all(_overrides(engine, BaseQueryEngine, name) for name in ("retrieve", "synthesize"))


def _overrides(engine: object, base: type, *names: str) -> bool:
    """Return whether the engine's class overrides any of these methods of its base class.

    LlamaIndex wraps methods in every class for its instrumentation, so the unwrapped functions
    are compared.
    """
    kind = type(engine)
    return any(
        inspect.unwrap(getattr(kind, name)) is not inspect.unwrap(getattr(base, name))
        for name in names
    )


def native_of(function: Callable[[str], object]) -> Callable[..., Awaitable[object]] | None:
    """Return the function itself if it is async, or an object with an async `__call__`."""
    call = getattr(function, "__call__", None)  # noqa: B004 - not whether it can be called
    is_async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(call)
    return cast("Callable[..., Awaitable[object]]", function) if is_async else None
