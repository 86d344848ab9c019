"""Chats of OpenAI's protocol posted straight over aiohttp, where nobody listens to the layers.

The spans, events, callbacks and objects of LlamaIndex's LLM, and OpenAI's client, cost more than
all the rest of a call (see tests/benchmarks/suite_cost.py). The body is the one that the LLM would
have sent. Once a minute a chat goes by OpenAI's client, whose request says where to, signed how and
with which patience the next ones are posted.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import aiohttp
import httpx
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.llms import LLM
from pydantic_core import to_json

from llamaindex_rag_eval._sync import UnderWay
from llamaindex_rag_eval.models.response import Completion, chat_reply, completion_of_text
from llamaindex_rag_eval.models.wire import OverAiohttp, connections, options_of

if TYPE_CHECKING:
    from openai import AsyncOpenAI

HEAD_SECONDS = 60.0
"""Seconds for which a signature is used. Tokens of a cloud are renewed minutes before they end."""

OF_THE_CLIENT = frozenset({"extra_headers", "extra_query", "timeout"})
"""Parameters of OpenAI's client that change more of a request than its body."""

OF_THE_BODY = frozenset({b"content-encoding", b"content-length", b"transfer-encoding"})
"""Headers of a reply that say how its body was sent, and no longer hold when it has been read."""


@dataclass(eq=False, repr=False)
class ChatPost:
    """Posts the chats of an LLM.

    Args:
        llm: The LLM.
        client: Of OpenAI, which calls over `network`.
        network: Knows how its last request was signed.
        parameters: Returns what the LLM sends besides messages.
        error_of: Returns the error that the client makes of a refusal.
    """

    llm: LLM
    client: "AsyncOpenAI"
    network: OverAiohttp
    parameters: Callable[..., dict[str, Any]]
    error_of: Callable[[httpx.Response], Exception]

    def __post_init__(self) -> None:
        self._signed: httpx.Request | None = None
        self._signing = UnderWay()
        self._options: dict[str, Any] = {}
        self._until = 0.0
        self.network.watch = self._sign_as

    async def chat(self, messages: Sequence[ChatMessage], **options: Any) -> Completion:
        """Return what the LLM would answer.

        Raises:
            openai.OpenAIError: As the LLM would.
            CallError: The reply holds no answer.
        """
        from llama_index.llms.openai.utils import to_openai_message_dicts

        shown = to_openai_message_dicts(messages, model=getattr(self.llm, "model", None))
        parameters = {"messages": shown, "stream": False, **self.parameters(**options)}
        body = None if OF_THE_CLIENT & parameters.keys() else _body(parameters)
        while self._signed is None and self._signing:
            await self._signing.wait()
        is_fresh = time.monotonic() < self._until or bool(self._signing)
        if body is not None and self._signed is not None and is_fresh:
            return completion_of_text(chat_reply(await self._post(body)))
        self._signing.begin()
        try:
            return completion_of_text(await self.client.chat.completions.create(**parameters))
        finally:
            self._signing.end()

    async def _post(self, body: bytes) -> bytes:
        import openai

        session, request = await connections(), self._signed
        try:
            async with session.post(data=body, **self._options) as response:
                self.network.hear(response.raw_headers)
                content = await response.read()
        except TimeoutError as error:
            raise openai.APITimeoutError(request) from error  # type: ignore[arg-type]  # it is signed
        except (aiohttp.ClientError, OSError) as error:
            raise openai.APIConnectionError(request=request) from error  # type: ignore[arg-type]
        if response.status != 200:
            kept = [(n, v) for n, v in response.raw_headers if n.lower() not in OF_THE_BODY]
            raise self.error_of(
                httpx.Response(response.status, headers=kept, content=content, request=request)
            )
        return content

    def _sign_as(self, request: httpx.Request) -> None:
        """Send the next requests as this one, but for their bodies."""
        self._signed, self._until = request, time.monotonic() + HEAD_SECONDS
        self._options = options_of(request)
        self._options["headers"].pop("accept-encoding", None)  # aiohttp knows what it can read
        self._signing.end()


def _body(parameters: dict[str, Any]) -> bytes | None:
    """Return the JSON that OpenAI's client would send; `None` if only that can tell."""
    body = {**parameters, **(parameters.get("extra_body") or {})}
    body.pop("extra_body", None)
    try:
        return to_json(body)
    except ValueError:  # it may hold objects of OpenAI's
        return None
