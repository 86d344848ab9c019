"""The wire: chat completions of OpenAI's protocol, posted straight over aiohttp.

OpenAI's client and httpx take about 1 ms of CPU for a call (see tests/benchmarks/suite_cost.py). So
of OpenAI's client only one method is replaced, on a client of our own: the one that creates a chat
completion. LlamaIndex's LLM above it makes the body, raises its events and reads the reply as
always, unless nobody listens (`models.direct`). The client below still says where to, signed how
and with which patience (once a minute, not with each call), and makes of every reply that is no
plain chat completion the error, or the object, that it would have made by itself.
"""

import asyncio
import ssl
import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any
from urllib.request import getproxies, proxy_bypass

import aiohttp
import httpx
from pydantic_core import to_json

from llamaindex_rag_eval.models.response import chat_reply
from llamaindex_rag_eval.models.retry import pause_of

if TYPE_CHECKING:
    from openai import AsyncOpenAI

Paused = Callable[[float], None]
"""Called with the seconds for which an endpoint takes no calls."""

KEEP_SECONDS = 4.0
"""Seconds that an idle connection is kept. Uvicorn, under many a server, closes it after 5."""

CONNECT_SECONDS = 10.0
"""Seconds that a connection may take, at most, where the client's own patience is for an answer: an
address behind a firewall that drops packets never refuses."""

HEAD_SECONDS = 60.0
"""Seconds for which a signature is used. Tokens of a cloud are renewed minutes before they end."""

OF_THE_CONNECTION = frozenset({"host", "connection", "content-length", "accept-encoding"})
"""Headers of a request that aiohttp sets, as it knows how it sends and what it can read."""

OF_THE_BODY = frozenset({"content-encoding", "content-length", "transfer-encoding"})
"""Headers of a reply that say how its body was sent, and no longer hold when it has been read."""

ANSWER = {"id": "", "object": "chat.completion", "created": 0, "model": "", "choices": []}
"""A chat completion that says nothing."""


@dataclass(slots=True)
class _Here:
    """What one event loop has open."""

    session: aiohttp.ClientSession
    closer: AsyncGenerator[None, None]
    signing: asyncio.Lock


_open: dict[asyncio.AbstractEventLoop, _Here] = {}


async def _here() -> _Here:
    loop = asyncio.get_running_loop()
    here = _open.get(loop)
    if here is None or here.session.closed:
        await _let_go_of_closed_loops()
        connector = aiohttp.TCPConnector(
            limit=0, ssl=certificates(), keepalive_timeout=KEEP_SECONDS
        )
        session = aiohttp.ClientSession(connector=connector, cookie_jar=aiohttp.DummyCookieJar())
        closer = _close_with_loop(loop, session)
        await anext(closer)
        here = _open[loop] = _Here(session, closer, asyncio.Lock())
    return here


async def connections_here() -> aiohttp.ClientSession:
    """Return the connections of the running event loop: one session for all who call from it."""
    return (await _here()).session


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
    for loop, here in list(_open.items()):
        if loop.is_closed():
            _open.pop(loop, None)
            await here.session.close()


@lru_cache(maxsize=1)
def certificates() -> ssl.SSLContext:
    """Return the trusted certificates: they take 20 ms to read, and each loop has a session."""
    return httpx.create_ssl_context()


def _proxy_for(url: httpx.URL) -> str | None:
    """Return the proxy that the environment names for a URL, as `HTTPS_PROXY` and `NO_PROXY` do."""
    if not url.host or proxy_bypass(url.host):
        return None
    named = getproxies()
    place = named.get(url.scheme) or named.get("all")
    return place if not place or "://" in place else f"http://{place}"


def is_reachable(url: httpx.URL) -> bool:
    """Return whether aiohttp can call a URL: not by way of a SOCKS proxy."""
    return not (_proxy_for(url) or "").startswith("socks")


class OverAiohttp(httpx.AsyncBaseTransport):
    """A transport of httpx over the connections of whichever event loop runs."""

    def __init__(self, paused: Paused | None = None) -> None:
        self.paused = paused

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request."""
        from httpx_aiohttp import AiohttpTransport

        request.extensions["timeout"] = _in_time(request.extensions.get("timeout", {}))
        place = _proxy_for(request.url)
        proxy = httpx.Proxy(place) if place else None
        session = await connections_here()
        inner = AiohttpTransport(verify=certificates(), proxy=proxy, client=session)
        response = await inner.handle_async_request(request)
        _tell(self.paused, response.headers.raw)
        return response


def _in_time(timeout: dict[str, float | None]) -> dict[str, float | None]:
    """Return the patience of a request, bounded for the connection."""
    return {**timeout, "connect": min(timeout.get("connect") or CONNECT_SECONDS, CONNECT_SECONDS)}


def _tell(paused: Paused | None, headers: Any) -> None:
    seconds = 0.0 if paused is None else pause_of(headers)
    if paused is not None and seconds:
        paused(seconds)


@dataclass(frozen=True, slots=True)
class _Head:
    """All of a request but its body.

    Attributes:
        request: As OpenAI's client would send it.
        options: The same as arguments of aiohttp.
        until: When it is to be asked for anew, by the monotonic clock.
    """

    request: httpx.Request
    options: dict[str, Any]
    until: float


class ChatPost:
    """Creates chat completions in place of a client, signed as that would sign them.

    Args:
        client: The client.
        paused: Called with the seconds for which the endpoint takes no calls, when the headers of
            a reply say so.
        is_all: Whether an LLM with this client only posts, and reads the reply as text.
    """

    def __init__(self, client: "AsyncOpenAI", paused: Paused | None, *, is_all: bool) -> None:
        self.client = client
        self.paused = paused
        self.is_all = is_all
        self.by_client = client.chat.completions.create
        self._heads: dict[str, _Head] = {}

    async def create(self, **parameters: Any) -> Any:
        """Return the chat completion that OpenAI's client would return, or raise what it would.

        Raises:
            CallError: The reply of status 200 holds no answer; the client would not see it.
        """
        from openai.types.chat import ChatCompletion

        return await self.read(ChatCompletion.model_validate, **parameters)

    async def read(self, read: Callable[[dict[str, Any]], Any], /, **parameters: Any) -> Any:
        """Return what `read` makes of a reply; where it raises `ValueError`, as `create` does."""
        data = None if _OPTIONS & parameters.keys() else _body(parameters)
        if data is None:
            return await self.by_client(**parameters)
        return await self._post(data, parameters, read)

    async def _post(
        self, data: bytes, parameters: dict[str, Any], read: Callable[[dict[str, Any]], Any]
    ) -> Any:
        import openai

        model = str(parameters.get("model"))
        here = await _here()
        head = self._heads.get(model)
        if head is None or head.until < time.monotonic():
            async with here.signing:
                head = await self._head(model)
        try:
            async with here.session.post(data=data, **head.options) as response:
                _tell(self.paused, response.raw_headers)
                content = await response.read()
        except (TimeoutError, asyncio.TimeoutError) as error:
            raise openai.APITimeoutError(head.request) from error
        except (aiohttp.ClientError, OSError) as error:
            raise openai.APIConnectionError(request=head.request) from error
        if response.status == 200:
            reply = chat_reply(content)
            try:
                return read(reply)
            except ValueError:
                pass
        return await self._read_by_client(response, content, parameters)

    async def _head(self, model: str) -> _Head:
        head = self._heads.get(model)
        if head is None or head.until < time.monotonic():  # not asked for by another just now
            sent: list[httpx.Request] = []

            def note(request: httpx.Request) -> httpx.Response:
                sent.append(request)
                return httpx.Response(200, json=ANSWER)

            await self._by_client_to(note, model=model, messages=[])
            until = time.monotonic() + HEAD_SECONDS
            head = self._heads[model] = _Head(sent[0], _options_of(sent[0]), until)
        return head

    async def _read_by_client(
        self, response: aiohttp.ClientResponse, content: bytes, parameters: dict[str, Any]
    ) -> Any:
        """Return or raise what OpenAI's client makes of a reply."""
        headers = [
            (name, value)
            for name, value in response.raw_headers
            if name.decode("latin-1").lower() not in OF_THE_BODY
        ]

        def reply(request: httpx.Request) -> httpx.Response:
            status = response.status
            return httpx.Response(status, headers=headers, content=content, request=request)

        return await self._by_client_to(reply, **parameters)

    async def _by_client_to(
        self, handler: Callable[[httpx.Request], httpx.Response], **parameters: Any
    ) -> Any:
        """Create a chat completion by OpenAI's client, with a function in place of the network."""
        async with httpx.AsyncClient(transport=httpx.MockTransport(handler)) as network:
            client: Any = self.client.with_options(http_client=network, max_retries=0)
            return await client.chat.completions.create(**parameters)


_OPTIONS = frozenset({"extra_headers", "extra_query", "timeout"})
"""Parameters of OpenAI's client that change more of a request than its body."""


def _body(parameters: dict[str, Any]) -> bytes | None:
    """Return the JSON that OpenAI's client would send; `None` if only that can tell."""
    body = {**parameters, **(parameters.get("extra_body") or {})}
    body.pop("extra_body", None)
    if body.get("stream"):
        return None
    try:
        return to_json(body)
    except ValueError:  # it may hold objects of OpenAI's
        return None


def _options_of(request: httpx.Request) -> dict[str, Any]:
    """Return a request without its body as arguments of `aiohttp.ClientSession.post`."""
    timeout = _in_time(request.extensions.get("timeout", {}))
    return {
        "url": str(request.url),
        "headers": {k: v for k, v in request.headers.items() if k not in OF_THE_CONNECTION},
        "timeout": aiohttp.ClientTimeout(
            total=None,
            connect=timeout.get("pool"),
            sock_connect=timeout.get("connect"),
            sock_read=timeout.get("read"),
        ),
        "proxy": _proxy_for(request.url),
    }


def post_chats(
    client: "AsyncOpenAI", paused: Paused | None = None, *, is_all: bool = False
) -> None:
    """Let a client create its chat completions over aiohttp, by the method that it always had.

    The client is changed: it must be nobody else's. The rest is as for `ChatPost`.
    """
    completions: Any = client.chat.completions
    completions.create = ChatPost(client, paused, is_all=is_all).create
