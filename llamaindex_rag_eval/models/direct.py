"""Chats posted without the layers of LlamaIndex's LLM, where nobody listens to them.

Its spans, events, callbacks and objects cost more than all the rest of a call. They are for those
who trace: without a handler on them, the body that the LLM would have sent is posted, and only the
text, the tokens and the end of the reply are read. Both are the same in either way.
"""

from collections.abc import Sequence
from typing import Any

from llama_index.core.base.llms.types import ChatMessage, ChatResponse, TextBlock
from llama_index.core.llms import LLM

from llamaindex_rag_eval.models.instrument import has_handlers
from llamaindex_rag_eval.models.parameters import thinks
from llamaindex_rag_eval.models.response import Completion, completion_of, completion_of_text
from llamaindex_rag_eval.models.transport import (
    chat_parameters,
    chat_post,
    messages_of,
    over_aiohttp,
)
from llamaindex_rag_eval.models.wire import ChatPost

RAISED_BY = ("llama_index.core.llms.callbacks", "llama_index.llms.openai.base")
"""Modules that raise the events and spans of a chat."""


def direct_post(llm: LLM) -> ChatPost | None:
    """Return what posts an LLM's chats; `None` if somebody would notice that its layers miss."""
    post = chat_post(llm)
    if post is None or any(map(has_handlers, RAISED_BY)):
        return None
    watched = llm.callback_manager.handlers or getattr(llm, "rate_limiter", None) is not None
    return None if watched else post


def posts_unnoticed(llm: LLM) -> bool:
    """Return whether chats of an LLM are posted by this package, and nobody here listens to them.

    Another process may then make them: it computes nothing, and has none of the handlers.
    """
    return direct_post(over_aiohttp(llm)) is not None


async def direct_chat(
    post: ChatPost, llm: LLM, messages: Sequence[ChatMessage], **options: Any
) -> Completion:
    """Return what an LLM would answer.

    Raises:
        openai.OpenAIError: As the LLM would.
        CallError: The reply holds no answer.
    """
    plain = [_plain(message) for message in messages]
    shown = plain if all(plain) and not thinks(llm) else messages_of(llm, messages)
    parameters = chat_parameters(llm, options)
    found = await post.read(_text_completion, messages=shown, stream=False, **parameters)
    return completion_of_text(found) if isinstance(found, dict) else _completion(found)


def _plain(message: ChatMessage) -> dict[str, str] | None:
    """Return a system's or user's message of one text as the API takes it; `None` for others."""
    role, blocks = message.role.value, message.blocks
    block = blocks[0] if len(blocks) == 1 else None
    if not isinstance(block, TextBlock) or role not in ("system", "user"):
        return None
    return None if message.additional_kwargs else {"role": role, "content": block.text}


def _text_completion(reply: dict[str, Any]) -> dict[str, Any]:
    """Return a chat completion whose message is text; raise `ValueError` for all others."""
    try:
        message, usage = reply["choices"][0].get("message") or {}, reply.get("usage") or {}
        text, other = message.get("content"), message.get("tool_calls") or message.get("audio")
        counts = [usage.get(name) or 0 for name in ("prompt_tokens", "completion_tokens")]
    except (AttributeError, IndexError, KeyError, TypeError) as error:
        raise ValueError("no chat completion") from error
    is_text = text is None or isinstance(text, str)
    if other or not is_text or not all(isinstance(count, int) for count in counts):
        raise ValueError("no chat completion of a text")
    return reply


def _completion(found: Any) -> Completion:
    """Return what an object of OpenAI's client says."""
    from llama_index.llms.openai.utils import from_openai_message

    message = from_openai_message(found.choices[0].message, modalities=["text"])
    usage = getattr(found, "usage", None)
    names = ("prompt_tokens", "completion_tokens")
    counts = {name: getattr(usage, name, 0) or 0 for name in names}
    return completion_of(ChatResponse(message=message, raw=found, additional_kwargs=counts))
