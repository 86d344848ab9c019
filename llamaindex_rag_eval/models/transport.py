"""The connection to an LLM: a copy of it over aiohttp, or whatever stands in for the network.

An LLM that was given a client of its own keeps it; see `models.wire` for what the others gain.

This takes private attributes of other libraries. No other module uses any, but for two of
LlamaIndex's `Settings` in `judge.judge`. Each function that needs one says why the public interface
is not enough, and which names it uses. All were tried with CPython 3.11, openai 2.54,
llama-index-core 0.14 and llama-index-llms-openai 0.8; tests/models/test_transport.py fails when one
of the names is gone. A run goes on without: over LlamaIndex's own client, and a line says so.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import httpx
from llama_index.core.llms import LLM

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.models.instrument import has_handlers
from llamaindex_rag_eval.models.parameters import is_openai
from llamaindex_rag_eval.models.settings_only import SettingsOnly
from llamaindex_rag_eval.models.wire import ChatPost, OverAiohttp, is_reachable

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from llama_index.llms.openai import OpenAI
    from openai import AsyncOpenAI

logger = logging.getLogger(__name__)

RAISED_BY = ("llama_index.core.llms.callbacks", "llama_index.llms.openai.base")
"""Modules that raise the events and spans of a chat."""


@dataclass(eq=False, repr=False)
class Transport(SettingsOnly):
    """Give out the LLM to call: the user's own, or a faster copy of it.

    Args:
        llm: The user's LLM. It is never changed.

    Attributes:
        at_once: Whether a reply comes as soon as the model has it, so that its forms can be tried.
        share: Of the listed price that a call costs.
    """

    at_once: ClassVar[bool] = True
    share: ClassVar[float] = 1.0

    llm: LLM

    @cached_property
    def _made(self) -> tuple[LLM, ChatPost | None]:
        return _over_aiohttp(self.llm)

    @property
    def called(self) -> LLM:
        """The LLM to call, in any event loop."""
        return self._made[0]

    @property
    def post(self) -> ChatPost | None:
        """Posts chats without the layers of the LLM; `None` if somebody would notice."""
        llm, post = self._made
        watched = llm.callback_manager.handlers or getattr(llm, "rate_limiter", None) is not None
        return None if watched or any(map(has_handlers, RAISED_BY)) else post


Connect = Callable[[LLM], Transport]
"""Makes the connection to an LLM."""


def _over_aiohttp(llm: LLM) -> tuple[LLM, ChatPost | None]:
    """Return a copy of an OpenAI LLM over aiohttp, and what posts its chats; others as they are.

    No copy retries by itself: `Limit` does, for all callers of the endpoint together. An LLM with a
    client of its own keeps that.

    Private: `_get_aclient` and `_get_model_kwargs` of LlamaIndex's LLM, whose client signs the
    calls; `_make_status_error_from_response` of OpenAI's client. Where a name is gone, LlamaIndex's
    own client serves.
    """
    if not is_openai(llm):
        return llm, None
    try:
        if has_own_client(llm):
            return copy_with_client(llm), None
        network = OverAiohttp(chats=True)
        changed = copy_with_client(llm, httpx.AsyncClient(transport=network))
        client = changed._get_aclient()
        if not is_reachable(client.base_url):
            return copy_with_client(llm), None
        error_of = client._make_status_error_from_response
        post = ChatPost(changed, client, network, changed._get_model_kwargs, error_of)
        return changed, post if _only_posts(changed) else None
    except AttributeError as error:
        logger.warning("%s is called over its own client, which is slower: %s", llm.model, error)  # type: ignore[attr-defined]  # an OpenAI
        return llm, None


def _only_posts(llm: LLM) -> bool:
    """Return whether an OpenAI LLM only posts what it is given, and reads the reply as text.

    Reason: a subclass may chat in a way of its own, or the LLM may retry.

    Private: `_achat` of LlamaIndex's LLM.
    """
    from llama_index.llms.openai import OpenAI

    chats = [kind for kind in type(llm).__mro__ if {"achat", "_achat"} & vars(kind).keys()]
    plain = chats[0] is OpenAI and not llm.max_retries and not llm.modalities  # type: ignore[attr-defined]  # an OpenAI
    return bool(plain and llm.metadata.is_chat_model)


def over_client(llm: LLM, client: "httpx.AsyncClient") -> LLM:
    """Return a copy of an LLM of OpenAI or Anthropic that calls over an HTTP client, without retry.

    Private: `_aclient` of LlamaIndex's Anthropic LLM.

    Raises:
        InputError: The LLM calls another API than Anthropic's own.
    """
    if is_openai(llm):
        return copy_with_client(llm, client)
    changed: Any = llm.model_copy()
    changed._aclient = anthropic_client(llm).with_options(http_client=client, max_retries=0)
    return changed  # type: ignore[no-any-return]  # a copy of an LLM


def anthropic_client(llm: LLM) -> "AsyncAnthropic":
    """Return the client of the API that an Anthropic LLM calls, with its key and address.

    Reason: the client knows how to sign in, and only the LLM makes it.

    Private: `_aclient` of LlamaIndex's LLM.

    Raises:
        InputError: The LLM calls another API, such as Bedrock's or Vertex's.
    """
    from anthropic import AsyncAnthropic

    client = getattr(llm, "_aclient", None)
    if not isinstance(client, AsyncAnthropic):
        raise InputError(
            f"batch files need Anthropic's own API; {type(llm).__name__!r} calls it through "
            f"{type(client).__name__!r}"
        )
    return client


def has_own_client(llm: Any) -> bool:
    """Return whether the user gave an OpenAI LLM an HTTP client, or an OpenAI client with one.

    Private: `_async_http_client`, `_aclient` of LlamaIndex's LLM; `_client` of OpenAI's client, and
    the name of the class that it makes by itself.
    """
    if llm._async_http_client is not None:
        return True
    client = getattr(llm._aclient, "_client", None)
    return client is not None and type(client).__name__ != "AsyncHttpxClientWrapper"


def copy_with_client(llm: Any, client: Any = None) -> "OpenAI":
    """Return a copy of an OpenAI LLM that calls over an HTTP client, without retries of its own.

    Reason: the client is an argument of the LLM's constructor only; constructing a second LLM from
    the fields of the first would lose what a subclass or the user added.

    Private: `_async_http_client` and `_aclient` of LlamaIndex's LLM.

    Args:
        llm: The user's LLM; it is not changed.
        client: For the copy; `None` to leave the client as it is.
    """
    changed: OpenAI = llm.model_copy()
    changed.max_retries = 0
    options: dict[str, Any] = {"max_retries": 0}
    if client is not None:
        changed.reuse_client = True
        changed._async_http_client = client
        options["http_client"] = client
    if changed._aclient is not None:  # it may hold the user's credentials: change nothing else
        changed._aclient = changed._aclient.with_options(**options)
    return changed


def openai_client(llm: LLM) -> "AsyncOpenAI":
    """Return a client of the API that an OpenAI LLM calls, with its key, organisation and address.

    Reason: the client knows how to sign in, and only the LLM makes it.

    Private: `_get_aclient` of LlamaIndex's LLM.

    """
    openai_llm: Any = llm.model_copy(update={"reuse_client": False})
    client: AsyncOpenAI = openai_llm._get_aclient()
    return client
