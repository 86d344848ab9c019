"""How a chat engine is asked: a fresh conversation for every sample."""

import threading
import time
from collections.abc import Mapping

from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.chat_engine.types import BaseChatEngine

from llamaindex_rag_eval.data.sample import Message, MultiTurnSample, Sample, SingleTurnSample
from llamaindex_rag_eval.engines.engine import Engine
from llamaindex_rag_eval.engines.query import (
    Asker,
    Call,
    answer_fields,
    in_thread,
    single_asker,
    single_turn,
)
from llamaindex_rag_eval.errors import EngineError, InputError

__all__ = ["asker_of"]


def asker_of(engine: Engine) -> Asker:
    """Return how to ask an engine of any kind.

    Raises:
        EngineError: It is nothing that can be asked.
    """
    if isinstance(engine, BaseChatEngine):
        return _Conversations(engine)
    asker = single_asker(engine)
    if asker is None:
        raise EngineError(
            "expected a query engine, a retriever, a chat engine, or a function, "
            f"got {type(engine).__name__!r}"
        )
    return asker


class _Conversations(Asker):
    """Asks a chat engine, whose memory is one: conversations wait for each other."""

    one_at_a_time = True

    def __init__(self, engine: BaseChatEngine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._number = 0
        self._say = Call(self._chat, engine.achat)

    async def ask(self, sample: Sample) -> Mapping[str, object]:
        if isinstance(sample, MultiTurnSample):
            return await self._replay(sample)
        question = single_turn(sample)
        await self._reset()
        return answer_fields(await self._say(question.query, chat_history=_before(question)))

    async def _replay(self, sample: MultiTurnSample) -> Mapping[str, object]:
        """Say what the user said, and put the engine's replies in the place of the old ones."""
        if not any(message.role == "user" for message in sample.messages):
            raise InputError("expected a message of the user, this conversation has none")
        await self._reset()
        history: list[ChatMessage] | None = [
            ChatMessage(role="system", content=message.content)
            for message in sample.messages
            if message.role == "system"
        ]
        talk: list[Message] = []
        turns: list[dict[str, object]] = []
        for message in sample.messages:
            if message.role in ("user", "system"):
                talk.append(message)
            if message.role == "user":
                started = time.perf_counter()
                fields = dict(answer_fields(await self._say(message.content, chat_history=history)))
                history = None  # from here on the engine remembers
                seconds = round(time.perf_counter() - started, 6)
                talk.append(_reply(fields))
                turns.append({**fields, "latency": seconds})
        return {"messages": tuple(talk), "retrieved": turns}

    async def _reset(self) -> None:
        """Empty the engine's memory, once a question that ran out of time has let go of it."""
        self._number += 1
        number = self._number

        def reset() -> None:
            with self._lock:
                if number == self._number:
                    self._engine.reset()

        await in_thread(reset)

    def _chat(self, text: str, chat_history: list[ChatMessage] | None) -> object:
        with self._lock:
            return self._engine.chat(text, chat_history)


def _before(sample: SingleTurnSample) -> list[ChatMessage]:
    """Return the conversation before a follow-up, as a chat engine takes it."""
    return [ChatMessage(role=said.role, content=said.content) for said in sample.earlier_messages]


def _reply(fields: dict[str, object]) -> Message:
    """Return the engine's message; what a message has no field for stays in `fields`."""
    content, contexts = fields.pop("response", ""), fields.pop("contexts", ())
    return Message.model_validate({"role": "assistant", "content": content, "contexts": contexts})
