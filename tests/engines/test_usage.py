import threading
from collections.abc import Sequence

import pytest
from llama_index.core import Document, SummaryIndex
from llama_index.core.agent.workflow import FunctionAgent
from llama_index.core.base.llms.types import ChatMessage, ChatResponse, CompletionResponse
from llama_index.core.instrumentation.events.llm import (
    LLMChatEndEvent,
    LLMChatStartEvent,
    LLMCompletionEndEvent,
)
from llama_index.core.llms.mock import MockFunctionCallingLLM, MockLLM
from llama_index_instrumentation import get_dispatcher

from llamaindex_rag_eval._sync import in_thread
from llamaindex_rag_eval.engines.runner import run
from llamaindex_rag_eval.engines.usage import answer_usage
from llamaindex_rag_eval.models.usage import price_of, tokens_of
from tests.engines.pipelines import AsyncEngine, questions, rows

pytestmark = pytest.mark.filterwarnings(
    "ignore::pydantic.warnings.PydanticDeprecatedSince20",
    "ignore::pydantic.warnings.PydanticDeprecatedSince211",
)

dispatcher = get_dispatcher("tests.engines.test_usage")


def tell(model: str = "gpt-4o-mini", usage: object = None, span: str = "s") -> None:
    """Tell of one call, as LlamaIndex does."""
    messages = [ChatMessage(role="user", content="What holds 5 l?")]
    reply = ChatMessage(role="assistant", content="The pump.")
    response = ChatResponse(message=reply, raw=None if usage is None else {"usage": usage})
    start = LLMChatStartEvent(model_dict={"model": model}, messages=messages, additional_kwargs={})
    end = LLMChatEndEvent(messages=messages, response=response)
    for event in (start, end):
        event.span_id = span
        dispatcher.event(event)


def test_calls_are_counted_as_the_provider_counts_them_and_priced() -> None:
    with answer_usage() as usage:
        tell(usage={"prompt_tokens": 1000, "completion_tokens": 100})
        tell(usage={"input_tokens": 500, "output_tokens": 50})

    price = price_of("gpt-4o-mini")
    assert price is not None
    assert usage.as_json() == {
        "calls": 2,
        "prompt_tokens": 1500,
        "completion_tokens": 150,
        "cost": round(price.cost(1500, 150), 8),
    }


def test_tokens_are_counted_here_where_a_provider_does_not_say() -> None:
    with answer_usage() as usage:
        tell()

    assert usage.prompt_tokens == tokens_of("What holds 5 l?")
    assert usage.completion_tokens == tokens_of("The pump.")


def test_a_model_without_a_known_price_leaves_the_cost_open() -> None:
    with answer_usage() as usage:
        tell()
        tell(model="our-own")

    assert "cost" not in usage.as_json()
    assert usage.calls == 2


def test_a_completion_counts_too() -> None:
    with answer_usage() as usage:
        response = CompletionResponse(text="The pump.")
        dispatcher.event(LLMCompletionEndEvent(prompt="What holds 5 l?", response=response))

    assert (usage.calls, usage.prompt_tokens) == (1, tokens_of("What holds 5 l?"))


async def test_calls_in_a_thread_count_for_the_answer_that_started_it() -> None:
    with answer_usage() as usage:
        await in_thread(tell)

    assert usage.calls == 1


def test_calls_outside_count_for_nobody_and_handlers_are_as_before() -> None:
    before = list(get_dispatcher().event_handlers)

    with answer_usage() as usage, answer_usage():
        other = threading.Thread(target=tell)  # has a context of its own
        other.start()
        other.join()
    tell()

    assert usage.as_json() == {}
    assert get_dispatcher().event_handlers == before


def test_answers_of_an_engine_hold_what_its_model_was_asked() -> None:
    index = SummaryIndex.from_documents([Document(text="The pump holds 5 l.")])

    found = rows(run(index.as_query_engine(llm=MockLLM(max_tokens=3)), questions("a", "b")))

    for row in found:
        assert row.metadata["usage"]["calls"] == 1
        assert row.metadata["usage"]["completion_tokens"] == tokens_of("text text text")


def test_a_streamed_answer_of_an_agent_says_when_it_began() -> None:
    def reply(messages: Sequence[ChatMessage], **_: object) -> ChatMessage:
        return ChatMessage(role="assistant", content="The pump.")

    llm = MockFunctionCallingLLM(response_generator=reply)
    (row,) = rows(run(FunctionAgent(llm=llm, tools=[]), questions("What holds 5 l?")))

    assert row.latency is not None
    assert 0 < row.metadata["usage"]["first_token"] < row.latency


def test_an_answer_without_a_model_has_no_usage() -> None:
    (row,) = rows(run(AsyncEngine(), questions("a")))

    assert "usage" not in row.metadata
