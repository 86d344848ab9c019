"""Ask a chat engine, in a fresh conversation for every sample; choose the adapter of an engine."""

import threading
from collections.abc import Mapping

from llama_index.core.base.base_query_engine import BaseQueryEngine
from llama_index.core.base.base_retriever import BaseRetriever
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.chat_engine.types import BaseChatEngine
from llama_index.core.workflow import Workflow

from llamaindex_rag_eval._sync import in_thread
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.engines.engine import ENGINE_KINDS, Engine
from llamaindex_rag_eval.engines.http import HttpAdapter, HttpEngine
from llamaindex_rag_eval.engines.query import (
    Call,
    EngineAdapter,
    QueryAdapter,
    answer_fields,
    native_of,
    query_call,
    retrieval_call,
)
from llamaindex_rag_eval.errors import EngineError


def adapter_of(engine: Engine | EngineAdapter) -> EngineAdapter:
    """Return the adapter of an engine of any kind.

    Raises:
        EngineError: It is no engine.
    """
    if isinstance(engine, EngineAdapter):
        return engine
    if isinstance(engine, Workflow):
        from llamaindex_rag_eval.engines.workflow import WorkflowAdapter

        return WorkflowAdapter(engine)
    if isinstance(engine, BaseChatEngine):
        return _ChatAdapter(engine)
    if isinstance(engine, HttpEngine):
        return HttpAdapter(engine)
    if isinstance(engine, BaseQueryEngine):
        return QueryAdapter(query_call(engine))
    if isinstance(engine, BaseRetriever):
        return QueryAdapter(retrieval_call(engine))
    if callable(engine):
        return QueryAdapter(Call(engine, native_of(engine)))
    raise EngineError(f"expected {ENGINE_KINDS}, got {type(engine).__name__!r}")


class _ChatAdapter(EngineAdapter):
    """Asks a chat engine; it has one memory, so conversations are held one after another."""

    one_at_a_time = True

    def __init__(self, engine: BaseChatEngine) -> None:
        self._engine = engine
        self._lock = threading.Lock()
        self._number = 0
        self._send = Call(self._chat, engine.achat)

    async def answer(self, question: SingleTurnSample) -> Mapping[str, object]:
        await self._reset()
        history = [ChatMessage(role=m.role, content=m.content) for m in question.earlier_messages]
        return answer_fields(await self._send(question.query, chat_history=history))

    async def _reset(self) -> None:
        """Empty the engine's memory, after any question that timed out has released it."""
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
