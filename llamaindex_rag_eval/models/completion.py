"""One call of a model: messages and a schema in, the text of a reply and its cost out.

A model is held to the form of its reply in one of five ways: by a JSON schema in OpenAI's form
(`schema`), or in that of llama.cpp, an object with a schema (`object`); by a tool that it must call
(`tool`); by JSON of any form (`json`); or by the instruction alone (`text`).
"""

import json
from collections.abc import Sequence
from json import JSONDecodeError
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, ChatResponse, ImageBlock
from llama_index.core.llms import LLM
from llama_index.core.llms.function_calling import FunctionCallingLLM
from llama_index.core.tools import FunctionTool, ToolMetadata
from pydantic import ValidationError

from llamaindex_rag_eval.data.keys import without_keys
from llamaindex_rag_eval.data.plain_text import plain_text
from llamaindex_rag_eval.data.sample import Image
from llamaindex_rag_eval.errors import CallError, OracleError
from llamaindex_rag_eval.models.failures import (
    failed,
    failure_in,
    failures,
    said_in,
    seen_from_here,
    status_of,
)
from llamaindex_rag_eval.models.logprobs import ALTERNATIVES
from llamaindex_rag_eval.models.parameters import Way, is_ollama, parameters_of
from llamaindex_rag_eval.models.prompt import Prompt
from llamaindex_rag_eval.models.response import Completion, completion_of
from llamaindex_rag_eval.models.retry import retry_after
from llamaindex_rag_eval.models.transport import Transport

VOTE_TEMPERATURE = 0.7
"""Temperature of independent votes: at 0 all of them would be the same."""

SHOWS_SCHEMA: frozenset[Way] = frozenset({"object", "json", "text"})
"""Ways in which the prompt shows the schema: not all servers that take it show it to the model."""

UNREADABLE = (
    AttributeError,
    TypeError,
    LookupError,
    UnicodeDecodeError,
    ValidationError,
    JSONDecodeError,
)
"""What the client of a model raises by accident, over a reply that lacks what it expects."""


async def complete(
    transport: Transport,
    messages: Sequence[ChatMessage],
    prompt: Prompt[Any, Any],
    way: Way,
    limit: int | None = None,
    seed: int | None = None,
    logprobs: bool = False,
) -> Completion:
    """Call a model once.

    Args:
        transport: Gives out the model.
        messages: What it is sent.
        prompt: Whose form the reply is to have.
        way: How it is held to that form.
        limit: Most tokens of the reply.
        seed: Of an independent reply; `None` for the model's own settings.
        logprobs: Ask for the log-probabilities of the tokens.

    Raises:
        CallError: It could not be reached, or would not take the call; keys are not shown.
        ReplyError: It refused, or did not use the tool.
    """
    try:
        llm, options = parameters_of(
            transport.called, limit=limit, seed=seed, temperature=VOTE_TEMPERATURE
        )
        if logprobs:
            options |= {"logprobs": True, "top_logprobs": ALTERNATIVES}
        post = None if way == "tool" else transport.post
        if post is None:
            return completion_of(await _response(llm, messages, prompt, way, options))
        form = {} if way == "text" else {"response_format": _form(way, prompt)}
        return await post.chat(messages, **form, **options)
    except Exception as error:  # noqa: BLE001 - every provider has errors of its own
        key = api_key_of(transport.llm)
        ours = error if isinstance(error, OracleError) else error.__cause__
        if isinstance(ours, OracleError):  # our transports raise below the provider's client
            raise call_error(ours, key) if isinstance(ours, CallError) else ours from None
        if type(error) is RuntimeError and "MAX_TOKENS" in str(error):  # LlamaIndex's, for Gemini
            return Completion("", cut=True)
        # the provider's error may hold the key
        raise await seen_from_here(error, call_error(error, key)) from None


async def _response(
    llm: LLM,
    messages: Sequence[ChatMessage],
    prompt: Prompt[Any, Any],
    way: Way,
    options: dict[str, Any],
) -> ChatResponse:
    if way == "tool" and isinstance(llm, FunctionCallingLLM):
        about = ToolMetadata(name=prompt.name, description="Reply", fn_schema=prompt.output)
        tool = FunctionTool(fn=json.dumps, metadata=about)  # it is never called
        return await llm.achat_with_tools(
            [tool], chat_history=list(messages), tool_required=True, **options
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


def api_key_of(llm: object) -> str:
    """Return the API key of a model, so that it can be kept out of messages; empty if none."""
    key = getattr(llm, "api_key", None)
    return key if isinstance(key, str) else ""


def image_block(image: Image, *, remote: bool = False) -> ImageBlock:
    """Return an image as a model is sent it.

    Raises:
        CallError: The image is a path only, or a URL and `remote` is off.
    """
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
    """Return a provider's error as ours: by the table of failures, and without keys."""
    if isinstance(error, CallError):
        error.args = (without_keys(str(error), key),)
        return error
    unknown = "client" if isinstance(error, UNREADABLE) else "unknown"
    row = failure_in(error) or failures()[unknown]
    return failed(
        row,
        plain_text(without_keys(said_in(error, row), key)),
        error=error,
        status=status_of(error),
        retry_after=retry_after(error),
    )
