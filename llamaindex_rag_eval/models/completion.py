"""One call of a model: messages and a schema in, the text of a reply and its cost out.

A model is held to the form of its reply in one of five ways: by a JSON schema in OpenAI's form
(`schema`), or in that of llama.cpp, an object with a schema (`object`); by a tool that it must call
(`tool`); by JSON of any form (`json`); or by the instruction alone (`text`).
"""

import json
import re
from collections.abc import Sequence
from typing import Any, Literal

from llama_index.core.base.llms.types import ChatMessage, ChatResponse, ImageBlock
from llama_index.core.llms import LLM
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.tools import FunctionTool, ToolMetadata

from llamaindex_rag_eval.data.keys import without_keys
from llamaindex_rag_eval.data.plain_text import plain_text
from llamaindex_rag_eval.data.sample import Image
from llamaindex_rag_eval.errors import CallError, OracleError, PendingError
from llamaindex_rag_eval.models.classes import is_ollama
from llamaindex_rag_eval.models.connection import connection_fault, scope_of
from llamaindex_rag_eval.models.direct import direct_chat, direct_post
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.response import Completion, completion_of
from llamaindex_rag_eval.models.retry import is_transient_status, retry_after

Way = Literal["schema", "object", "json", "tool", "text"]

SHOWS_SCHEMA: frozenset[Way] = frozenset({"object", "json", "text"})
"""Ways in which the prompt shows the schema: not all servers that take it show it to the model."""

NAMES_FORM = re.compile(r"response_format|json_schema|json_object")
"""In an error, shows that the form of the reply is refused: that will be so the next time, too."""


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
        post = None if way == "tool" else direct_post(llm)
        if post is not None:
            form = {} if way == "text" else {"response_format": _form(way, prompt)}
            return await direct_chat(post, llm, messages, **form, **options)
        response = await _response(llm, messages, prompt, way, options)
    except OracleError:
        raise
    except Exception as error:  # noqa: BLE001 - every provider has errors of its own
        if isinstance(error.__cause__, PendingError):
            raise error.__cause__ from None
        if type(error) is RuntimeError and "MAX_TOKENS" in str(error):  # LlamaIndex's, for Gemini
            return Completion("", cut=True)
        raise call_error(error, api_key_of(llm)) from None  # the provider's error may hold the key
    return completion_of(response)


async def _response(
    llm: LLM,
    messages: Sequence[ChatMessage],
    prompt: Prompt[Any, Any],
    way: Way,
    options: dict[str, Any],
) -> ChatResponse:
    if way == "tool" and isinstance(llm, FunctionCallingLLM):
        return await llm.achat_with_tools(
            [_tool(prompt)], chat_history=list(messages), tool_required=True, **options
        )
    if way == "text":
        return await llm.achat(messages, **options)
    if is_ollama(llm):
        form = prompt.schema_of_output if way == "schema" else "json"
        return await llm.achat(messages, format=form, **options)
    return await llm.achat(messages, response_format=_form(way, prompt), **options)


def _form(way: Way, prompt: Prompt[Any, Any]) -> dict[str, Any]:
    """Return the form of a reply as OpenAI's protocol has it."""
    if way == "json":
        return {"type": "json_object"}
    if way == "object":
        return {"type": "json_object", "schema": prompt.schema_of_output}
    schema = {"name": prompt.name, "schema": prompt.schema_of_output, "strict": True}
    return {"type": "json_schema", "json_schema": schema}


def _tool(prompt: Prompt[Any, Any]) -> FunctionTool:
    def reply(**fields: object) -> str:
        return json.dumps(fields)

    about = ToolMetadata(name=prompt.name, description="Reply", fn_schema=prompt.output)
    return FunctionTool(fn=reply, metadata=about)


def api_key_of(llm: object) -> str:
    """Return the API key of a model, so that it can be kept out of messages; empty if none."""
    key = getattr(llm, "api_key", None)
    return key if isinstance(key, str) else ""


def image_blocks(images: Sequence[Image], *, remote: bool = False) -> tuple[ImageBlock, ...]:
    """Return a block for each image, in order.

    Raises:
        CallError: An image is a path only, or a URL and `remote` is off.
    """
    return tuple(_image_block(image, remote=remote) for image in images)


def _image_block(image: Image, *, remote: bool) -> ImageBlock:
    if image.data:
        return ImageBlock(image=image.data.encode(), image_mimetype=image.mimetype)
    if not image.url:
        raise CallError(
            f"image {image.path!r} is not read: expected its data, or the folder that holds it, as "
            "--images DIR or `images=` of `evaluate`"
        )
    if not (remote and image.url.startswith(("https://", "http://"))):
        raise CallError(
            f"image {image.url!r} would have to be fetched; allow it with `remote_images=True`, "
            "for addresses of http and https"
        )
    return ImageBlock(url=image.url, image_mimetype=image.mimetype)


def call_error(error: Exception, key: str) -> CallError:
    """Return a provider's error as ours: its message without keys, and whether it is transient."""
    status = getattr(error, "status_code", None)
    if not isinstance(status, int):
        status = None
    message = plain_text(without_keys(str(error), key)) or "no message"
    transient = _is_connection_error(error) if status is None else is_transient_status(status)
    # The server of llama-cpp-python says 500 for what it does not have.
    of_parameter = NAMES_FORM.search(message) or "logprobs" in message
    scope = "call" if of_parameter else scope_of(error, status)
    body = getattr(error, "body", None)
    if scope == "refused" and isinstance(body, dict) and isinstance(body.get("message"), str):
        # OpenAI's, for people
        message = f"{plain_text(without_keys(body['message'], key))} (HTTP {status})"
    else:
        message = f"{type(error).__name__}: {message}"
    return CallError(
        connection_fault(error) or message,
        status=status,
        retry_after=retry_after(error),
        transient=transient and not of_parameter,
        scope=scope,
    )


def _is_connection_error(error: Exception) -> bool:
    """Return whether the connection failed, or brought a body that is no reply of the API.

    A proxy may answer with a page of HTML: OpenAI's client then fails with one of `malformed`.
    """
    import aiohttp
    import httpx

    wire = (httpx.TransportError, aiohttp.ClientError, OSError, TimeoutError)
    malformed = (json.JSONDecodeError, AttributeError)
    names = {kind.__name__ for kind in type(error).__mro__ if kind.__module__.startswith("openai")}
    of_openai = names & {"APIConnectionError", "APIResponseValidationError"}
    return bool(of_openai) or isinstance(error, (*wire, *malformed))
