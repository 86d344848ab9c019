"""One call of a model: messages and a schema in, the text of a reply and its cost out.

Three ways, the first that the model has: a JSON schema it must keep to, a tool it must call, or
JSON asked for in words.
"""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from llama_index.core.base.llms.types import ChatMessage, ChatResponse, ToolCallBlock
from llama_index.core.llms import LLM
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.tools import FunctionTool, ToolMetadata

from llamaindex_rag_eval.errors import CallError, OracleError
from llamaindex_rag_eval.models.instrument import listened_to
from llamaindex_rag_eval.models.prompt import Prompt

__all__ = ["Said", "Way", "call_error", "called", "json_in", "key_free", "key_of", "way_of"]


Way = Literal["schema", "tool", "text"]

PASSING = frozenset({408, 409, 429})
"""HTTP statuses below 500 after which the same call may succeed."""


SHORTEST_KEY = 8
"""Characters: what is shorter, as the "none" that local servers are sent, is a word."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a model said to one call.

    Attributes:
        text: The reply, which should be JSON.
        prompt_tokens: As the provider counted them; 0 if it does not say.
        completion_tokens: Likewise.
    """

    text: str
    prompt_tokens: int = 0
    completion_tokens: int = 0


def way_of(llm: LLM) -> Way:
    """Return the strictest way in which a model can be held to a reply's form."""
    from llama_index.llms.openai import OpenAI
    from llama_index.llms.openai.utils import is_json_schema_supported

    if isinstance(llm, OpenAI) and is_json_schema_supported(llm.model):
        return "schema"
    if isinstance(llm, FunctionCallingLLM) and llm.metadata.is_function_calling_model:
        return "tool"
    return "text"


def _lean(
    llm: LLM, messages: Sequence[ChatMessage], form: dict[str, Any]
) -> tuple[Sequence[ChatMessage], dict[str, Any]]:
    """Return messages and parameters in the form that costs OpenAI's client least.

    The client looks through every parameter, each message and each leaf of a schema, for names
    that it must change: half of the CPU of a call. What is in `extra_body` goes out as it is, to
    the same effect. Where somebody listens to LlamaIndex's events, the messages stay in sight.
    """
    if "extra_body" in getattr(llm, "additional_kwargs", {}):
        return messages, {"response_format": form}  # the user's own would take the place of ours
    body: dict[str, Any] = {"response_format": form}
    if listened_to() or getattr(llm.callback_manager, "handlers", None):
        return messages, {"extra_body": body}
    from llama_index.llms.openai.utils import to_openai_message_dicts

    body["messages"] = to_openai_message_dicts(messages, model=llm.metadata.model_name)
    return [], {"extra_body": body}


async def called(
    llm: LLM,
    messages: Sequence[ChatMessage],
    prompt: Prompt[Any, Any],
    way: Way,
    **options: Any,
) -> Said:
    """Call a model once.

    Raises:
        CallError: It could not be reached, or would not take the call; keys are not shown.
        ReplyError: It refused, or did not use the tool.
    """
    try:
        response = await _response(llm, messages, prompt, way, options)
    except OracleError:
        raise
    except Exception as error:  # noqa: BLE001 - every provider has errors of its own
        raise call_error(error, key_of(llm)) from None  # the provider's error may hold the key
    return _said(response, way)


async def _response(
    llm: LLM,
    messages: Sequence[ChatMessage],
    prompt: Prompt[Any, Any],
    way: Way,
    options: dict[str, Any],
) -> ChatResponse:
    if way == "schema":
        schema = {"name": prompt.name, "schema": prompt.schema_of_output, "strict": True}
        form = {"type": "json_schema", "json_schema": schema}
        seen, parameters = _lean(llm, messages, form)
        return await llm.achat(seen, **parameters, **options)
    if way == "tool" and isinstance(llm, FunctionCallingLLM):
        return await llm.achat_with_tools(
            [_tool(prompt)], chat_history=list(messages), tool_required=True, **options
        )
    return await llm.achat(messages, **options)


def _tool(prompt: Prompt[Any, Any]) -> FunctionTool:
    def reply(**fields: object) -> str:
        return json.dumps(fields)

    about = ToolMetadata(name=prompt.name, description="Reply", fn_schema=prompt.output)
    return FunctionTool(fn=reply, metadata=about)


def key_of(llm: object) -> str:
    """Return the API key of a model, so that it can be kept out of messages; empty if none."""
    key = getattr(llm, "api_key", None)
    return key if isinstance(key, str) else ""


def _said(response: ChatResponse, way: Way) -> Said:
    counts = response.additional_kwargs or {}
    tokens = (int(counts.get("prompt_tokens") or 0), int(counts.get("completion_tokens") or 0))
    text = response.message.content or ""
    if way == "tool":
        calls = [b for b in response.message.blocks if isinstance(b, ToolCallBlock)]
        if calls:
            return Said(_as_written(calls[0].tool_kwargs), *tokens)
    refusal = getattr(_choice(response), "refusal", None)
    if refusal and not text:
        return Said(f"(refused: {refusal})", *tokens)
    return Said(text, *tokens)


def _as_written(arguments: object) -> str:
    """Return a tool call's arguments as the model wrote them.

    LlamaIndex's `get_tool_calls_from_response` completes truncated JSON: claims would be lost
    without a word.
    """
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _choice(response: ChatResponse) -> object:
    choices = getattr(response.raw, "choices", None)
    return getattr(choices[0], "message", None) if choices else None


def call_error(error: Exception, key: str) -> CallError:
    """Return a provider's error as ours: what it says without keys, and whether it may pass."""
    status = getattr(error, "status_code", None)
    passing = (
        status in PASSING or status >= 500 if isinstance(status, int) else _is_connection(error)
    )
    said = key_free(str(error), key) or "no message"
    return CallError(
        f"{type(error).__name__}: {said}",
        status=status if isinstance(status, int) else None,
        retry_after=_retry_after(error),
        passing=passing,
    )


def _is_connection(error: Exception) -> bool:
    """Return whether the error is one of the wire, here or where the provider wraps one."""
    import aiohttp
    import httpx
    import openai

    wire = (openai.APIConnectionError, httpx.TransportError, aiohttp.ClientError, OSError)
    malformed = (openai.APIResponseValidationError, json.JSONDecodeError, AttributeError)
    return isinstance(error, (*wire, TimeoutError, *malformed))


def _retry_after(error: Exception) -> float | None:
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * unit)
        except (KeyError, TypeError, ValueError):
            continue
    return None


def key_free(text: str, key: str = "") -> str:
    """Return a text without what looks like a key.

    Args:
        text: That may hold one.
        key: One that is known, whatever it looks like.

    Example:
        >>> key_free("Incorrect API key provided: sk-abc***xyz. Authorization: Bearer abcdefgh1")
        'Incorrect API key provided: [key]. Authorization: Bearer [key]'
    """
    if len(key) >= SHORTEST_KEY:
        text = text.replace(key, "[key]")
    text = re.sub(r"\bsk-[\w*.-]*[\w*]", "[key]", text)
    text = re.sub(r"(?i)(bearer\s+)[\w.~+/*-]{8,}=*", r"\1[key]", text)
    return re.sub(r"(?i)(api[-_]?key['\"]?\s*[:=]\s*['\"]?)[\w*.-]{8,}", r"\1[key]", text)


TRAILING_COMMA = re.compile(r",(\s*[}\]])")
STRING = re.compile(r'("(?:[^"\\]|\\.)*")', re.DOTALL)
FENCE = re.compile(r"```(?:json)?\s*\n?(.*?)```", re.DOTALL | re.IGNORECASE)
THOUGHTS = re.compile(r"^\s*<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
"""What reasoning models say before they answer; drafts of the reply stand in it."""

JSON_BEGINS = re.compile(r'\{\s*["}]')
BRACE = re.compile(r"[{}]")


def json_in(text: str) -> object:
    """Return the one JSON object that a model's text holds.

    Prose and code fences around it and commas before a closing bracket are forgiven. Nothing is
    completed and nothing is guessed: a truncated object is an error, and so are two different
    objects, unless just one of them stands in a code fence.

    Raises:
        ValueError: There is not exactly one whole JSON object in the text.

    Example:
        >>> json_in('Sure! {"verdict": true,} Anything else?')
        {'verdict': True}
    """
    text = THOUGHTS.sub("", text)
    found = _distinct(text)
    if len(found) > 1:
        found = [entry for block in FENCE.findall(text) for entry in _distinct(block)]
    if len(found) != 1:
        raise ValueError("expected one whole JSON object and nothing else")
    return found[0]


def _distinct(text: str) -> list[object]:
    """Return the first two different objects, or as many as there are."""
    found: list[object] = []
    for value in _objects(text):
        if value not in found:
            found.append(value)
        if len(found) == 2:
            break
    return found


def _objects(text: str) -> Iterator[object]:
    """Yield the outermost objects of the text in order; braces of prose are passed over."""
    at, forgiven = text.find("{"), False
    while at >= 0:
        if JSON_BEGINS.match(text, at) is None:
            at = text.find("{", _after_prose(text, at))
            continue
        try:
            value, end = DECODER.raw_decode(text, at)
        except RecursionError:
            raise ValueError("the JSON is nested too deeply") from None
        except ValueError:
            if forgiven:
                raise
            text, at, forgiven = _without_trailing_commas(text[at:]), 0, True
            continue
        yield value
        at = text.find("{", end)


def _after_prose(text: str, at: int) -> int:
    """Return the place after the brace that closes the one at `at`."""
    depth = 0
    for brace in BRACE.finditer(text, at):
        depth += 1 if brace.group() == "{" else -1
        if depth == 0:
            return brace.end()
    raise ValueError("a brace is never closed; was the reply cut off?")


def _without_trailing_commas(text: str) -> str:
    """Drop commas before a closing bracket, outside of strings."""
    parts = STRING.split(text)
    return "".join(p if i % 2 else TRAILING_COMMA.sub(r"\1", p) for i, p in enumerate(parts))


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")


DECODER = json.JSONDecoder(parse_constant=_no_number)
