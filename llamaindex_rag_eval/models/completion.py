"""One call of a model: messages and a schema in, the text of a reply and its cost out.

A model is held to the form of its reply in one of three ways, the strictest that it has: a JSON
schema that it must keep to (`schema`), a tool that it must call (`tool`), or an instruction to
reply with JSON (`text`).
"""

import base64
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from llama_index.core.base.llms.types import ChatMessage, ChatResponse, ImageBlock, ToolCallBlock
from llama_index.core.llms import LLM
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.tools import FunctionTool, ToolMetadata

from llamaindex_rag_eval.data.sample import Image
from llamaindex_rag_eval.errors import CallError, OracleError, PendingError
from llamaindex_rag_eval.models.instrument import has_handlers
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.retry import is_transient_status, retry_after

__all__ = [
    "Completion",
    "Way",
    "api_key_of",
    "call_error",
    "complete",
    "drawn_with",
    "image_blocks",
    "is_anthropic",
    "way_of",
    "without_keys",
]


Way = Literal["schema", "tool", "text"]

SHORTEST_KEY = 8
"""Characters. Local servers need no key and are sent a word such as "none": it may be shown."""


@dataclass(frozen=True, slots=True)
class Completion:
    """The reply of a model to one call.

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


def is_anthropic(llm: LLM) -> bool:
    """Return whether an LLM is of LlamaIndex's package for Anthropic, without importing it."""
    return any(c.__module__.startswith("llama_index.llms.anthropic") for c in type(llm).__mro__)


def drawn_with(llm: LLM, seed: int, temperature: float) -> dict[str, Any]:
    """Return the parameters of an independent reply.

    Anthropic's API takes no seed. It goes into the name of the user there, so that the requests of
    several votes stay different ones.
    """
    if is_anthropic(llm):
        return {"temperature": temperature, "metadata": {"user_id": f"vote-{seed}"}}
    return {"temperature": temperature, "seed": seed}


def _least_work(
    llm: LLM, messages: Sequence[ChatMessage], form: dict[str, Any]
) -> tuple[Sequence[ChatMessage], dict[str, Any]]:
    """Return messages and parameters in the form that costs OpenAI's client the least CPU.

    The client searches every parameter, each message and each leaf of a schema for names that it
    must change: half of the CPU of a call. What is in `extra_body` is sent unsearched, to the same
    effect. Where handlers of LlamaIndex's events are attached, messages stay where those see them.
    """
    if "extra_body" in getattr(llm, "additional_kwargs", {}):
        return messages, {"response_format": form}  # the user's `extra_body` would replace ours
    body: dict[str, Any] = {"response_format": form}
    if has_handlers() or getattr(llm.callback_manager, "handlers", None):
        return messages, {"extra_body": body}
    from llama_index.llms.openai.utils import to_openai_message_dicts

    body["messages"] = to_openai_message_dicts(messages, model=llm.metadata.model_name)
    return [], {"extra_body": body}


async def complete(
    llm: LLM,
    messages: Sequence[ChatMessage],
    prompt: Prompt[Any, Any],
    way: Way,
    **options: Any,
) -> Completion:
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
        if isinstance(error.__cause__, PendingError):
            raise error.__cause__ from None
        raise call_error(error, api_key_of(llm)) from None  # the provider's error may hold the key
    return _completion(response, way)


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
        seen, parameters = _least_work(llm, messages, form)
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


def api_key_of(llm: object) -> str:
    """Return the API key of a model, so that it can be kept out of messages; empty if none."""
    key = getattr(llm, "api_key", None)
    return key if isinstance(key, str) else ""


def _completion(response: ChatResponse, way: Way) -> Completion:
    tokens = _tokens(response)
    text = response.message.content or ""
    if way == "tool":
        calls = [b for b in response.message.blocks if isinstance(b, ToolCallBlock)]
        if calls:
            return Completion(_arguments(calls[0].tool_kwargs), *tokens)
    refusal = getattr(_choice(response), "refusal", None)
    if refusal and not text:
        return Completion(f"(refused: {refusal})", *tokens)
    return Completion(text, *tokens)


def _tokens(response: ChatResponse) -> tuple[int, int]:
    """Return the tokens sent and received; Anthropic's are only in the raw response."""
    counts = response.additional_kwargs or {}
    usage = response.raw.get("usage") if isinstance(response.raw, dict) else None
    sent = counts.get("prompt_tokens") or getattr(usage, "input_tokens", 0)
    received = counts.get("completion_tokens") or getattr(usage, "output_tokens", 0)
    return int(sent or 0), int(received or 0)


def _arguments(arguments: object) -> str:
    """Return a tool call's arguments as the model wrote them.

    LlamaIndex's `get_tool_calls_from_response` completes truncated JSON: claims would be lost
    silently.
    """
    return arguments if isinstance(arguments, str) else json.dumps(arguments)


def _choice(response: ChatResponse) -> object:
    choices = getattr(response.raw, "choices", None)
    return getattr(choices[0], "message", None) if choices else None


def image_blocks(images: Sequence[Image], *, remote: bool = False) -> tuple[ImageBlock, ...]:
    """Return a block for each image, in order.

    Raises:
        CallError: An image is only a URL and `remote` is off, or its file cannot be read.
    """
    return tuple(_image_block(image, remote=remote) for image in images)


def _image_block(image: Image, *, remote: bool) -> ImageBlock:
    if image.data:
        return ImageBlock(image=image.data.encode(), image_mimetype=image.mimetype)
    if image.path:
        try:
            data = base64.b64encode(Path(image.path).read_bytes())
        except OSError as error:
            raise CallError(f"image {image.path!r} cannot be read: {error.strerror}") from error
        return ImageBlock(image=data, image_mimetype=image.mimetype)
    if not remote:
        raise CallError(
            f"image {image.url!r} would have to be fetched; allow it with `remote_images=True`"
        )
    return ImageBlock(url=image.url, image_mimetype=image.mimetype)


def call_error(error: Exception, key: str) -> CallError:
    """Return a provider's error as ours: its message without keys, and whether it is transient."""
    status = getattr(error, "status_code", None)
    if not isinstance(status, int):
        status = None
    transient = _is_connection_error(error) if status is None else is_transient_status(status)
    message = without_keys(str(error), key) or "no message"
    return CallError(
        f"{type(error).__name__}: {message}",
        status=status,
        retry_after=retry_after(error),
        transient=transient,
    )


def _is_connection_error(error: Exception) -> bool:
    """Return whether the connection failed, or brought a body that is no reply of the API.

    A proxy may answer with a page of HTML: OpenAI's client then fails with one of `malformed`.
    """
    import aiohttp
    import httpx
    import openai

    wire = (openai.APIConnectionError, httpx.TransportError, aiohttp.ClientError, OSError)
    malformed = (openai.APIResponseValidationError, json.JSONDecodeError, AttributeError)
    return isinstance(error, (*wire, TimeoutError, *malformed))


def without_keys(text: str, key: str = "") -> str:
    """Return a text in which everything that looks like an API key is replaced by `[key]`.

    Args:
        text: May hold keys.
        key: A known key, replaced whatever it looks like.

    Example:
        >>> without_keys("Incorrect API key: sk-abc***xyz. Authorization: Bearer abcdefgh1")
        'Incorrect API key: [key]. Authorization: Bearer [key]'
    """
    if len(key) >= SHORTEST_KEY:
        text = text.replace(key, "[key]")
    text = re.sub(r"\bsk-[\w*.-]*[\w*]", "[key]", text)
    text = re.sub(r"(?i)(bearer\s+)[\w.~+/*-]{8,}=*", r"\1[key]", text)
    return re.sub(r"(?i)(api[-_]?key['\"]?\s*[:=]\s*['\"]?)[\w*.-]{8,}", r"\1[key]", text)
