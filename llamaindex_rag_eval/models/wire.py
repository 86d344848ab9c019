"""The wire: requests of httpx and of our own over aiohttp, on connections that a loop shares.

httpx's connection pool searches all its requests at every event: with 64 in flight a call costs
14 ms of CPU. aiohttp's has no such cost.

Where nobody listens to the layers, chats of OpenAI's protocol are posted straight: the spans,
events, callbacks and objects of LlamaIndex's LLM, and OpenAI's client, cost more than all the rest
of a call (see tests/benchmarks/suite_cost.py). The body is the one that the LLM would have sent.
Once a minute a chat goes by OpenAI's client, whose request says where to, signed how and with which
patience the next ones are posted.
"""

import asyncio
import ssl
import time
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.request import getproxies, proxy_bypass

import aiohttp
import httpx
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.llms import LLM
from pydantic_core import to_json

from llamaindex_rag_eval.models.response import Completion, chat_reply, completion_of_text

if TYPE_CHECKING:
    from openai import AsyncOpenAI

KEEP_SECONDS = 4.0
"""Seconds that an idle connection is kept. Uvicorn, under many a server, closes it after 5."""

CONNECT_SECONDS = 10.0
"""Seconds that a connection may take, at most, where the client's own patience is for an answer: an
address behind a firewall that drops packets never refuses."""

OF_THE_CONNECTION = frozenset({"host", "connection", "content-length"})
"""Headers of a request that aiohttp sets, as it knows how it sends and what it can read."""

_Open = tuple[aiohttp.ClientSession, AsyncGenerator[None, None]]

_open: dict[asyncio.AbstractEventLoop, _Open] = {}
"""By event loop, its session, and what closes that with the loop."""


async def connections() -> aiohttp.ClientSession:
    """Return the connections of the running event loop: one session for all who call from it."""
    loop = asyncio.get_running_loop()
    session, _ = _open.get(loop, (None, None))
    if session is None or session.closed:
        await _let_go_of_closed_loops()
        connector = aiohttp.TCPConnector(
            limit=0, ssl=certificates(), keepalive_timeout=KEEP_SECONDS
        )
        session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
        closer = _close_with_loop(loop, session)
        await anext(closer)
        _open[loop] = session, closer
    return session


async def _close_with_loop(
    loop: asyncio.AbstractEventLoop, session: aiohttp.ClientSession
) -> AsyncGenerator[None, None]:
    """Close a session when its loop shuts its async generators down, as `asyncio.run` does."""
    try:
        yield
    finally:
        _open.pop(loop, None)
        await session.close()


async def _let_go_of_closed_loops() -> None:
    """Drop the sessions of loops that were closed with connections open, as LlamaIndex's are.

    The sockets are closed when they are collected.
    """
    for loop, (session, _) in list(_open.items()):
        if loop.is_closed():
            _open.pop(loop, None)
            await session.close()


@lru_cache(maxsize=1)
def certificates() -> ssl.SSLContext:
    """Return the trusted certificates: they take 20 ms to read, and each loop has a session."""
    return httpx.create_ssl_context()


def _proxy_for(url: httpx.URL) -> str | None:
    """Return the proxy that the environment names for a URL, as `HTTPS_PROXY` and `NO_PROXY` do."""
    if not url.host or proxy_bypass(url.host):
        return None
    proxies = getproxies()
    proxy = proxies.get(url.scheme) or proxies.get("all")
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"


def is_reachable(url: httpx.URL) -> bool:
    """Return whether aiohttp can call a URL: not by way of a SOCKS proxy."""
    return not (_proxy_for(url) or "").startswith("socks")


class OverAiohttp(httpx.AsyncBaseTransport):
    """A transport of httpx over the connections of whichever event loop runs.

    Args:
        chats: It only sends chats: a reply without an answer is an error, as no client sees it.

    Attributes:
        watch: Is called with each request before it is sent.
    """

    def __init__(self, *, chats: bool = False) -> None:
        self.chats = chats
        self.watch: Callable[[httpx.Request], None] | None = None

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request.

        Raises:
            CallError: The reply to a chat holds no answer.
        """
        if self.watch is not None:
            self.watch(request)
        session = await connections()
        with _errors_of_httpx():
            reply = await session.request(
                request.method,
                data=await request.aread() or None,
                auto_decompress=False,
                allow_redirects=False,
                **options_of(request),
            )
        response = httpx.Response(
            reply.status, headers=reply.raw_headers, stream=_Body(reply), request=request
        )
        if self.chats and response.status_code == 200 and b'"stream":true' not in request.content:
            try:
                chat_reply(await response.aread())
            finally:
                await response.aclose()
        return response


class _Body(httpx.AsyncByteStream):
    """The body of a reply, as it comes."""

    def __init__(self, reply: aiohttp.ClientResponse) -> None:
        self._reply = reply

    async def __aiter__(self) -> AsyncIterator[bytes]:
        with _errors_of_httpx():
            async for part in self._reply.content.iter_any():
                yield part

    async def aclose(self) -> None:
        """Give the connection back."""
        self._reply.release()


@contextmanager
def _errors_of_httpx() -> Iterator[None]:
    """Raise errors of aiohttp as those of httpx, which its callers expect."""
    try:
        yield
    except TimeoutError as error:
        raise httpx.TimeoutException(str(error)) from error
    except (aiohttp.ClientError, OSError) as error:
        raise httpx.NetworkError(str(error)) from error


def options_of(request: httpx.Request) -> dict[str, Any]:
    """Return a request without its method and body as arguments of aiohttp."""
    patience = request.extensions.get("timeout", {})
    return {
        "url": str(request.url),
        "headers": {k: v for k, v in request.headers.items() if k not in OF_THE_CONNECTION},
        "timeout": aiohttp.ClientTimeout(
            total=None,
            connect=patience.get("pool"),
            sock_connect=min(patience.get("connect") or CONNECT_SECONDS, CONNECT_SECONDS),
            sock_read=patience.get("read"),
        ),
        "proxy": _proxy_for(request.url),
    }


HEAD_SECONDS = 60.0
"""Seconds for which a signature is used. Tokens of a cloud are renewed minutes before they end."""

SIGNING_SECONDS = 0.001
"""Seconds between two looks of the calls that wait for the first signature."""

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
        self._signing = False
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
        while self._signed is None and self._signing:  # noqa: ASYNC110 - maybe in another loop
            await asyncio.sleep(SIGNING_SECONDS)
        is_fresh = self._signing or time.monotonic() < self._until
        if body is not None and self._signed is not None and is_fresh:
            return completion_of_text(chat_reply(await self._post(body)))
        self._signing = True
        try:
            return completion_of_text(await self.client.chat.completions.create(**parameters))
        finally:
            self._signing = False

    async def _post(self, body: bytes) -> bytes:
        import openai

        session, request = await connections(), self._signed
        try:
            async with session.post(data=body, **self._options) as response:
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
        self._signing = False


def _body(parameters: dict[str, Any]) -> bytes | None:
    """Return the JSON that OpenAI's client would send; `None` if only that can tell."""
    body = {**parameters, **(parameters.get("extra_body") or {})}
    body.pop("extra_body", None)
    try:
        return to_json(body)
    except ValueError:  # it may hold objects of OpenAI's
        return None
