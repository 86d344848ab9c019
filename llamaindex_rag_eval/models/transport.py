"""How calls travel: OpenAI clients over aiohttp, one per event loop, closed with it.

LlamaIndex's OpenAI LLM calls over httpx, whose connection pool searches all its requests at every
event: with 64 in flight a call costs 14 ms of CPU, over aiohttp 1.6 ms (see
tests/benchmarks/suite_cost.py). An LLM that was given a client of its own keeps it.

This takes private attributes of other libraries. No other module uses any, but for two of
LlamaIndex's `Settings` in `judge.judge`. Each function that needs one says why the public interface
is not enough, and which names it uses. All were tried with CPython 3.11, aiohttp 3.14, httpx 0.28,
httpx-aiohttp 0.2, openai 2.54, llama-index-core 0.14 and llama-index-llms-openai 0.8;
tests/models/test_transport.py fails when one of the names is gone.
"""

import asyncio
import copy
import ssl
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from contextlib import suppress
from functools import lru_cache, partial
from types import MethodType
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, finalize, ref

from llama_index.core.llms import LLM

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.models.batch import BatchFolder, batch_client
from llamaindex_rag_eval.models.batch_forms import ANTHROPIC, form_for
from llamaindex_rag_eval.models.retry import pause_of

if TYPE_CHECKING:
    import httpx
    from anthropic import AsyncAnthropic
    from llama_index.core.query_engine import RetrieverQueryEngine
    from openai import AsyncOpenAI

__all__ = [
    "Transport",
    "anthropic_client",
    "call_when_dropped",
    "close_connections",
    "copy_with_client",
    "engine_llm",
    "engine_with_llm",
    "has_own_client",
    "openai_client",
    "over_aiohttp",
    "run_without_loop",
]

Paused = Callable[[float], None]
"""Called with the seconds for which an endpoint takes no calls."""

FOREVER = 1e9
"""Seconds until a timer that never fires: some 30 years."""


class Transport:
    """Give out an LLM for the event loop that runs: the user's own, or a faster copy of it.

    Args:
        llm: The user's LLM. It is never changed.
        paused: Called with the seconds for which the endpoint takes no calls, when the headers of
            a reply say so.
        own_retries: Let the LLM's client retry as the user set it, where no `Limit` does.
        batch: A folder of batch files that answers in place of the network.
    """

    def __init__(
        self,
        llm: LLM,
        paused: Paused | None = None,
        *,
        own_retries: bool = False,
        batch: BatchFolder | None = None,
    ) -> None:
        self.llm = llm
        self.paused = paused
        self.own_retries = own_retries
        self.batch = batch
        self._by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, LLM] = WeakKeyDictionary()

    def __getstate__(self) -> dict[str, object]:
        """Return the settings only: clients belong to the event loops of this process."""
        return {**self.__dict__, "_by_loop": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Take the settings, and begin without clients."""
        self.__dict__.update(state, _by_loop=WeakKeyDictionary())

    async def here(self) -> LLM:
        """Return the LLM to use in the running event loop."""
        loop = asyncio.get_running_loop()
        found = self._by_loop.get(loop)
        if found is None:
            retries = getattr(self.llm, "max_retries", 0) if self.own_retries else 0
            if self.batch is not None:
                found, client = over_batch_files(self.llm, self.batch)
            else:
                found, client = over_aiohttp(self.llm, self.paused, retries=retries)
            self._by_loop[loop] = found
            if client is not None:
                forget = partial(_forget, ref(self), loop)
                closer = _until_the_loop_ends(client, forget)
                await anext(closer)
                # The client stays until the loop is closed, even if the oracle is dropped before:
                # closing it then would take a task, which a loop about to close does not run.
                call_when_dropped(loop, _close_without_loop, client, closer)
        return found


async def _until_the_loop_ends(
    client: Any, forget: Callable[[], None]
) -> AsyncGenerator[None, None]:
    """Close the client when the loop shuts its async generators down, as `asyncio.run` does."""
    try:
        yield
    finally:
        forget()
        await client.aclose()


def _close_without_loop(client: Any, closer: AsyncGenerator[None, None]) -> None:
    close_connections(client)
    run_without_loop(closer.aclose())


def _forget(transport: "ref[Transport]", loop: asyncio.AbstractEventLoop) -> None:
    """Drop the LLM of a loop, which would keep the loop itself in memory."""
    found = transport()
    if found is not None:
        found._by_loop.pop(loop, None)


def over_aiohttp(llm: LLM, paused: Paused | None = None, *, retries: int = 0) -> tuple[LLM, Any]:
    """Return a copy of an OpenAI LLM over aiohttp and its client, or the LLM itself and `None`.

    By default no copy retries by itself: `Limit` does, for all callers of the endpoint together. An
    LLM with a client of its own keeps that; its copy only leaves retrying to `Limit` too.
    """
    from llama_index.llms.openai import OpenAI

    if not isinstance(llm, OpenAI):
        return llm, None
    if has_own_client(llm):
        return copy_with_client(llm, retries=retries), None
    client = _client(llm.timeout, paused)
    return copy_with_client(llm, client, retries=retries), client


def over_batch_files(llm: LLM, batch: BatchFolder) -> tuple[LLM, Any]:
    """Return a copy of an LLM that is answered by a folder of batch files, and its client.

    Private: `_aclient` of LlamaIndex's Anthropic LLM.

    Raises:
        InputError: The LLM does not take batch files of the folder's form.
    """
    if form_for(llm, batch.form.name) is not ANTHROPIC:
        client = batch_client(batch)
        return copy_with_client(llm, client, retries=0), client
    from anthropic import DefaultAsyncHttpxClient

    client = batch_client(batch, DefaultAsyncHttpxClient)
    changed: Any = llm.model_copy()
    changed._aclient = anthropic_client(llm).with_options(http_client=client, max_retries=0)
    return changed, client


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


def _client(timeout: float, paused: Paused | None) -> Any:
    from openai import DefaultAioHttpClient

    async def read_headers(response: "httpx.Response") -> None:
        seconds = pause_of(response.headers.raw)
        if seconds and paused is not None:
            paused(seconds)

    hooks = {"response": [read_headers]} if paused is not None else {}
    return DefaultAioHttpClient(timeout=timeout, verify=_certificates(), event_hooks=hooks)


@lru_cache(maxsize=1)
def _certificates() -> ssl.SSLContext:
    """Return the trusted certificates: they take 20 ms to read, and each loop has a client."""
    import httpx

    return httpx.create_ssl_context()


def call_when_dropped(
    loop: asyncio.AbstractEventLoop, function: Callable[..., object], *args: object
) -> None:
    """Call `function(*args)` when an event loop has been closed, and then or later collected.

    Reason: a loop has no public hook that runs when it is closed. LlamaIndex's sync methods, called
    in a notebook, open a loop for each call and close it with our connections still open.

    Private: `BaseEventLoop.close` clears the list of timers (`_scheduled`). A timer that never
    fires holds the only reference to an object; when that is collected, the finalizer runs.

    The function and its arguments stay alive as long as the loop.
    """
    held_by_timer = _Held()
    loop.call_later(FOREVER, id, held_by_timer)
    finalizer = finalize(held_by_timer, function, *args)
    finalizer.atexit = False  # the sockets of a process that ends need no closing


class _Held:
    """An object that only a timer refers to; `object()` itself cannot have a finalizer."""


def close_connections(client: Any) -> None:
    """Close the idle connections of an httpx client over aiohttp whose event loop is closed.

    Reason: both libraries close connections by callbacks, which a closed loop does not run; sockets
    that stay open raise `ResourceWarning` when they are collected.

    Private: the routes of the httpx client (`_transport`, `_mounts`), the pool of the aiohttp
    connector (`_conns`), the socket under TLS (`_ssl_protocol._transport`), and what asyncio calls
    when a connection is lost (`_call_connection_lost`, which closes `_sock`).
    """
    for transport in list(_idle_transports(client)):
        with suppress(RuntimeError):  # which says that the loop is closed
            transport.close()
        inner = getattr(getattr(transport, "_ssl_protocol", None), "_transport", transport)
        lost = getattr(inner, "_call_connection_lost", None)
        if isinstance(inner, asyncio.Transport) and getattr(inner, "_sock", None) and lost:
            with suppress(RuntimeError):
                lost(None)


def _idle_transports(client: Any) -> Iterator[Any]:
    routes = [client._transport, *client._mounts.values()]
    connectors = (getattr(getattr(route, "client", None), "connector", None) for route in routes)
    for connector in connectors:
        for pool in getattr(connector, "_conns", {}).values():
            yield from (protocol.transport for protocol, _ in pool if protocol.transport)


def run_without_loop(work: Coroutine[Any, Any, object]) -> None:
    """Run a coroutine whose event loop is closed, up to the first place where it would wait.

    Reason: no loop is left to run it on; closing a client that has no open connections, after
    `close_connections`, waits for nothing.

    Private: nothing, but a coroutine that is advanced by hand.
    """
    with suppress(StopIteration, RuntimeError):
        work.send(None)
    work.close()


def has_own_client(llm: Any) -> bool:
    """Return whether the user gave an OpenAI LLM an HTTP client, or an OpenAI client with one.

    Private: `_async_http_client`, `_aclient` of LlamaIndex's LLM; `_client` of OpenAI's client, and
    the name of the class that it makes by itself.
    """
    if llm._async_http_client is not None:
        return True
    client = getattr(llm._aclient, "_client", None)
    return client is not None and type(client).__name__ != "AsyncHttpxClientWrapper"


def copy_with_client(llm: Any, client: Any = None, *, retries: int) -> Any:
    """Return a copy of an OpenAI LLM that calls over an HTTP client and retries so often.

    Reason: the client is an argument of the LLM's constructor only; constructing a second LLM from
    the fields of the first would lose what a subclass or the user added.

    Private: `_async_http_client` and `_aclient` of LlamaIndex's LLM.

    Args:
        llm: The user's LLM; it is not changed.
        client: For the copy; `None` to leave the client as it is.
        retries: Further attempts that OpenAI's client makes after a failed one.
    """
    changed = llm.model_copy()
    changed.max_retries = retries
    options: dict[str, Any] = {"max_retries": retries}
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

    Raises:
        InputError: The LLM takes no batch files of OpenAI's or Azure's form.
    """
    form_for(llm, "openai")
    openai_llm: Any = llm.model_copy(update={"reuse_client": False})
    client: AsyncOpenAI = openai_llm._get_aclient()
    return client


def engine_llm(engine: "RetrieverQueryEngine") -> LLM | None:
    """Return the LLM that writes an engine's answers; `None` if there is none to be found.

    Private: `_response_synthesizer` of the engine and `_llm` of the synthesizer.
    """
    llm = getattr(engine._response_synthesizer, "_llm", None)
    return llm if isinstance(llm, LLM) else None


def engine_with_llm(engine: "RetrieverQueryEngine", llm: LLM) -> "RetrieverQueryEngine":
    """Return a shallow copy of an engine whose answers are written by another LLM.

    Reason: neither engine nor synthesizer can be copied with another LLM by a public method, and
    the user's own must not be changed.

    Private: `_response_synthesizer` of the engine; `_llm` of the synthesizer, and its attributes
    that are methods bound to itself, which a copy would still call on the original.
    """
    original = engine._response_synthesizer
    synthesizer = copy.copy(original)
    synthesizer._llm = llm
    for name, value in vars(original).items():
        if isinstance(value, MethodType) and value.__self__ is original:
            setattr(synthesizer, name, MethodType(value.__func__, synthesizer))
    changed = copy.copy(engine)
    changed._response_synthesizer = synthesizer
    return changed
