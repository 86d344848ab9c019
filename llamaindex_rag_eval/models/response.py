"""What a response of a model says: the text of the reply, its tokens, how it ended."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from llama_index.core.base.llms.types import (
    ChatResponse,
    CompletionResponse,
    ThinkingBlock,
    ToolCallBlock,
)

from llamaindex_rag_eval.data.plain_text import without_surrogates
from llamaindex_rag_eval.models.failures import FILTERED, error_in_reply, failed

CUT = frozenset({"length", "max_output_tokens", "max_tokens", "model_length"})
"""What providers call the end of a reply that reached its limit, in small letters."""

REASONS = ("finish_reason", "stop_reason", "stopReason", "done_reason")
"""Where they say so."""

SAYS = ("content", "reasoning_content", "reasoning", "tool_calls")
"""Fields of a message of OpenAI's protocol, of which one says something, be it nothing."""

THOUGHT = re.compile(r"\s*<think(?:ing)?>")

COUNTED_BEFORE = -1
"""The tokens of a reply in a batch file that an earlier reading has counted as a call."""


@dataclass(frozen=True, slots=True)
class Completion:
    """The reply of a model to one call.

    Attributes:
        text: The reply, which should be JSON.
        prompt_tokens: As the provider counted them; 0 if it does not say, and `COUNTED_BEFORE` of
            a reply that was read before.
        completion_tokens: Likewise.
        cut: It ended because it reached its limit, and is not one whole JSON object.
        thought: It shows that the model thinks before it replies.
        logprobs: An entry for each token, as OpenAI's API has them; empty if there are none.
    """

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cut: bool = False
    thought: bool = False
    logprobs: tuple[object, ...] = ()


def chat_reply(content: bytes) -> dict[str, Any]:
    """Return the reply of OpenAI's protocol that a body of status 200 holds.

    Raises:
        CallError: It holds no reply, an error in its place, or a reply without an answer.
    """
    try:
        reply = json.loads(content)
    except (ValueError, RecursionError):
        begin = content.lstrip()[:1]
        name = "empty" if not begin else "page" if begin == b"<" else "garbled"
        raise failed(name, status=200) from None
    choices = entry_of(reply, "choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    error = entry_of(choice, "error") or (choice is None and entry_of(reply, "error"))
    if error:
        raise error_in_reply(error)
    if not isinstance(entry_of(choice, "message"), dict):
        known = isinstance(reply, dict) and "choices" in reply
        name = "content filter" if _filtered(reply) else "no choice" if known else "no reply"
        raise failed(name, status=200)
    return dict(reply)


def completion_of(response: ChatResponse) -> Completion:
    """Return what a response of any of LlamaIndex's classes says.

    The arguments of a tool call are the text, as the model wrote them: LlamaIndex's
    `get_tool_calls_from_response` completes truncated JSON, and claims would be lost silently.

    Raises:
        CallError: The provider withheld the answer, or it has no text.
    """
    blocks, raw = response.message.blocks, response.raw
    calls = [block.tool_kwargs for block in blocks if isinstance(block, ToolCallBlock)]
    written = _called(calls) if calls else response.message.content or ""
    thinks = any(isinstance(block, ThinkingBlock) for block in blocks)
    more = (response.additional_kwargs, response.message.additional_kwargs)
    return _completion(written, raw, *more, tokens=tokens_of_response(response), thinks=thinks)


def completion_of_text(raw: object) -> Completion:
    """Return what a chat completion of OpenAI's protocol says, be it plain data or an object.

    As above, the arguments of a tool call are the text.
    """
    message = _message(raw)
    functions = [entry_of(call, "function") for call in entry_of(message, "tool_calls") or ()]
    calls = [entry_of(function, "arguments") for function in functions]
    written = _called(calls) or entry_of(message, "content") or ""
    return _completion(written, raw, tokens=tokens_of_reply(raw))


def _called(arguments: Sequence[object]) -> object:
    """Return the arguments of the only tool call; of several, all: any may be the reply."""
    return arguments[0] if len(arguments) == 1 else [{"arguments": each} for each in arguments]


def tokens_of_reply(raw: object) -> tuple[int, int]:
    """Return the tokens sent and received that a reply names, of OpenAI's form or Anthropic's.

    Example:
        >>> tokens_of_reply({"usage": {"input_tokens": 5, "output_tokens": 2}})
        (5, 2)
    """
    usage = entry_of(raw, "usage")
    sent, received = (
        entry_of(usage, f"{of_openai}_tokens") or entry_of(usage, f"{of_anthropic}_tokens") or 0
        for of_openai, of_anthropic in (("prompt", "input"), ("completion", "output"))
    )
    return int(sent), int(received)


def _completion(
    written: object, raw: object, *more: object, tokens: tuple[int, int], thinks: bool = False
) -> Completion:
    """Return a completion.

    Args:
        written: The text, or the arguments of a tool call.
        raw: The response as the provider has it.
        more: Other places where it may say how it ended.
        tokens: Sent and received.
        thinks: It shows thoughts.

    Raises:
        CallError: The provider withheld it, or it has no text.
    """
    if _filtered(raw, *more):
        raise failed("content filter", status=200)
    text = without_surrogates(written if isinstance(written, str) else json.dumps(written))
    message = _message(raw)
    refusal = entry_of(message, "refusal")
    if refusal and not text:
        text = f"(refused: {refusal})"
    cut = not CUT.isdisjoint(_ends(raw, *more)) and not (
        isinstance(written, str) and is_whole(written)
    )
    says_nothing = message is not None and all(entry_of(message, name) is None for name in SAYS)
    if says_nothing and not (text or cut or thinks):
        raise failed("no text", status=200)
    thought = cut and (thinks or _thought(raw, text))
    return Completion(text, *tokens, cut=cut, thought=thought, logprobs=_logprobs(raw))


def tokens_of_response(response: ChatResponse | CompletionResponse) -> tuple[int, int]:
    """Return the tokens sent and received, 0 if unknown; Anthropic's are only in `raw`."""
    counts, (sent, received) = response.additional_kwargs or {}, tokens_of_reply(response.raw)
    return (
        int(counts.get("prompt_tokens") or sent),
        int(counts.get("completion_tokens") or received),
    )


def _ends(raw: object, *more: object) -> set[str]:
    """Return how a reply ended, in small letters, wherever its provider says so."""
    sources = [raw, *more]
    sources += [(entry_of(raw, name) or [None])[0] for name in ("choices", "candidates")]
    reasons = [entry_of(source, name) for source in sources if source for name in REASONS]
    return {str(getattr(reason, "name", reason)).lower() for reason in reasons if reason}


def _filtered(raw: object, *more: object) -> bool:
    """Return whether the provider withheld a reply, or a part of it."""
    return any(map(FILTERED.fullmatch, _ends(raw, *more)))


def is_whole(text: str) -> bool:
    """Return whether a text is one JSON object: then only white space after it was cut off."""
    try:
        return isinstance(json.loads(text), dict)
    except (ValueError, RecursionError):
        return False


def _thought(raw: object, text: str) -> bool:
    """Return whether a reply that was cut off shows thoughts, or can only have been thoughts."""
    message = _message(raw)
    usage = entry_of(entry_of(raw, "usage"), "completion_tokens_details")
    return bool(
        not text
        or THOUGHT.match(text)
        or entry_of(message, "reasoning_content")
        or entry_of(message, "reasoning")
        or entry_of(usage, "reasoning_tokens")
    )


def _logprobs(raw: object) -> tuple[object, ...]:
    """Return the raw entries: LlamaIndex's leave out the written token, and all without others."""
    content = entry_of(entry_of(_choice(raw), "logprobs"), "content")
    return tuple(content) if isinstance(content, list) else ()


def _message(raw: object) -> Any:
    return entry_of(_choice(raw), "message")


def _choice(raw: object) -> object:
    return (entry_of(raw, "choices") or [None])[0]


def entry_of(value: object, name: str) -> Any:
    """Return an entry of a mapping or an attribute of an object; `None` if there is none."""
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)
