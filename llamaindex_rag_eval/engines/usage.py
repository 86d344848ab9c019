"""What an answer costs: the calls of models that LlamaIndex's events tell of.

An engine may call several models in several steps and threads; LlamaIndex tells its event handlers
of each call, whatever the engine. Calls that do not go through LlamaIndex are not seen.
"""

import threading
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from llama_index.core.base.llms.types import ChatResponse, CompletionResponse
from llama_index.core.instrumentation.events.llm import (
    LLMChatEndEvent,
    LLMChatInProgressEvent,
    LLMChatStartEvent,
    LLMCompletionEndEvent,
    LLMCompletionInProgressEvent,
    LLMCompletionStartEvent,
)
from llama_index_instrumentation import get_dispatcher
from llama_index_instrumentation.base import BaseEvent
from llama_index_instrumentation.dispatcher import active_instrument_tags, instrument_tags
from llama_index_instrumentation.event_handlers import BaseEventHandler
from pydantic import JsonValue

from llamaindex_rag_eval.models.response import tokens_of_response
from llamaindex_rag_eval.models.usage import Count, price_of, tokens_of

TAG = "rag_eval_usage"
"""Marks the events of one answer; LlamaIndex hands it on to tasks and threads."""

_counting = threading.RLock()
"""Held while counts change: an engine that is not async runs in threads."""


class AnswerUsage(Count):
    """The calls of models that one answer took.

    Tokens are as the providers counted them, or counted here where they do not say; dollars are at
    listed prices.

    Attributes:
        first_token: Seconds until the first piece of the last streamed reply, which is that of the
            answer; `None` if none was streamed.
    """

    def __init__(self) -> None:
        super().__init__()
        self.first_token: float | None = None
        self._started = time.perf_counter()
        self._models: dict[str, str] = {}
        self._streams: set[str] = set()

    def as_json(self) -> dict[str, JsonValue]:
        """Return what is known as plain data; empty if no model was called."""
        if not self.calls:
            return {}
        cost = None if self.cost is None else round(self.cost, 8)
        begun = None if self.first_token is None else round(self.first_token, 6)
        known = {**super().as_json(), "cost": cost, "first_token": begun}
        return {name: value for name, value in known.items() if value is not None}

    def take(self, event: BaseEvent) -> None:
        """Count what an event tells."""
        span = event.span_id or ""
        match event:
            case LLMChatStartEvent() | LLMCompletionStartEvent():
                self._models[span] = str(event.model_dict.get("model") or "")
            case LLMChatInProgressEvent() | LLMCompletionInProgressEvent():
                if span not in self._streams:
                    self._streams.add(span)
                    self.first_token = time.perf_counter() - self._started
            case LLMChatEndEvent() if event.response is not None:
                prompt = "\n".join(message.content or "" for message in event.messages)
                self._add(span, prompt, event.response)
            case LLMCompletionEndEvent():
                self._add(span, event.prompt, event.response)

    def _add(self, span: str, prompt: str, response: ChatResponse | CompletionResponse) -> None:
        if isinstance(response, ChatResponse):
            written = response.message.content or ""
        else:
            written = response.text
        sent, received = tokens_of_response(response)
        counts = (sent or tokens_of(prompt), received or tokens_of(written))
        price = price_of(self._models.get(span, ""))
        self.add(*counts, None if price is None else price.cost(*counts))


class _Meter(BaseEventHandler):
    """Hands events to the usage whose mark they bear."""

    @classmethod
    def class_name(cls) -> str:
        return "RagEvalMeter"

    def handle(self, event: BaseEvent, **_: Any) -> None:
        with _counting:
            usage = _measuring.get(str(event.tags.get(TAG)))
            if usage is not None:
                usage.take(event)


_meter = _Meter()
_measuring: dict[str, AnswerUsage] = {}
"""Mark -> the usage that takes the events with it."""


@contextmanager
def answer_usage() -> Iterator[AnswerUsage]:
    """Count the calls of models that are made within, in its tasks and in threads with its context.

    LlamaIndex's handlers are as they were when the last of several has ended.
    """
    usage, mark = AnswerUsage(), uuid.uuid4().hex
    handlers = get_dispatcher().event_handlers
    with _counting:
        if not _measuring:
            handlers.append(_meter)
        _measuring[mark] = usage
    try:
        with instrument_tags({**active_instrument_tags.get(), TAG: mark}):
            yield usage
    finally:
        with _counting:
            del _measuring[mark]
            if not _measuring:
                handlers.remove(_meter)


@contextmanager
def uncounted() -> Iterator[None]:
    """Leave out the calls of models that are made within: they are not the application's."""
    tags = {name: tag for name, tag in active_instrument_tags.get().items() if name != TAG}
    with instrument_tags(tags):
        yield
