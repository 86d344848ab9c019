"""How a reply ended is read from what each of LlamaIndex's classes passes on."""

from enum import Enum
from types import SimpleNamespace
from typing import Any

import pytest
from llama_index.core.base.llms.types import (
    ChatMessage,
    ChatResponse,
    MessageRole,
    TextBlock,
    ThinkingBlock,
    ToolCallBlock,
)

from llamaindex_rag_eval.judge import ClaimsOf
from llamaindex_rag_eval.models.response import completion_of
from tests.models.asking import oracle_at
from tests.server import LoopbackServer


class Finish(Enum):
    """As Google's client has it."""

    STOP = 1
    MAX_TOKENS = 2


def openai_raw(reason: str, **message: Any) -> SimpleNamespace:
    choice = SimpleNamespace(finish_reason=reason, message=SimpleNamespace(**message))
    return SimpleNamespace(choices=[choice], usage=None)


def response(raw: Any, *blocks: Any) -> ChatResponse:
    message = ChatMessage(role=MessageRole.ASSISTANT, blocks=[*blocks] or [TextBlock(text='{"a')])
    return ChatResponse(message=message, raw=raw)


@pytest.mark.parametrize(
    ("raw", "cut"),
    [
        (openai_raw("length"), True),
        (openai_raw("stop"), False),
        ({"stop_reason": "max_tokens"}, True),  # Anthropic
        ({"stop_reason": "end_turn"}, False),
        ({"stopReason": "max_tokens"}, True),  # Bedrock
        ({"done_reason": "length"}, True),  # Ollama
        ({"candidates": [{"finish_reason": Finish.MAX_TOKENS}]}, True),  # Gemini
        ({"candidates": [{"finish_reason": Finish.STOP}]}, False),
        (None, False),
    ],
)
def test_a_cut_reply_is_known_by_how_its_provider_says_so(raw: Any, cut: bool) -> None:
    assert completion_of(response(raw)).cut is cut


def test_white_space_after_a_whole_object_is_no_loss() -> None:
    text = TextBlock(text='{"a": 1}\n\n   ')
    assert not completion_of(response(openai_raw("length"), text)).cut
    assert completion_of(response(openai_raw("length"), TextBlock(text='{"a": 1} {'))).cut


def test_the_arguments_of_a_cut_tool_call_are_not_whole_though_they_parse() -> None:
    # Anthropic's client parses them: what was cut off is missing from the mapping.
    call = ToolCallBlock(tool_name="support", tool_kwargs={"verdicts": []})
    assert completion_of(response({"stop_reason": "max_tokens"}, call)).cut
    assert not completion_of(response({"stop_reason": "tool_use"}, call)).cut


@pytest.mark.parametrize(
    ("raw", "blocks", "thought"),
    [
        (openai_raw("length"), (TextBlock(text=""),), True),
        (openai_raw("length"), (TextBlock(text="<think>Let me see"),), True),
        (openai_raw("length", reasoning_content="Let me"), (TextBlock(text="{"),), True),
        ({"done_reason": "length"}, (ThinkingBlock(content="Hm"), TextBlock(text="{")), True),
        (openai_raw("length"), (TextBlock(text="Once upon a time"),), False),
        (openai_raw("stop", content=""), (TextBlock(text=""),), False),
    ],
)
def test_thoughts_that_left_no_room_for_the_reply_are_seen(
    raw: Any, blocks: tuple[Any, ...], thought: bool
) -> None:
    assert completion_of(response(raw, *blocks)).thought is thought


async def test_halves_of_surrogate_pairs_in_a_reply_are_replaced() -> None:
    with LoopbackServer(responders="tests.models.responders:HALVED") as server:
        reply = await oracle_at(server).ask(ClaimsOf(text="Ada is tall. Ben is old."))
    assert reply.claims == ("Ada \ufffd is tall.", "Ben \ufffd is old. \U0001f600")
    assert reply.model_dump_json()  # raises for half of a pair
