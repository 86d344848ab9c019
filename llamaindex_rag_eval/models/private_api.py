"""Everything here depends on private attributes of other libraries, and stands nowhere else.

Each function says why the public interface does not do, and which private names it needs. All were
tried with CPython 3.11, aiohttp 3.14, httpx 0.28, httpx-aiohttp 0.2, openai 2.54,
llama-index-core 0.14 and llama-index-llms-openai 0.8; tests/models/test_private_api.py fails when
one of the names is gone.
"""

import asyncio
import copy
from collections.abc import Callable, Coroutine, Iterator
from contextlib import suppress
from types import MethodType
from typing import TYPE_CHECKING, Any
from weakref import finalize

from llama_index.core.llms import LLM

if TYPE_CHECKING:
    from llama_index.core.query_engine import RetrieverQueryEngine

__all__ = [
    "call_when_dropped",
    "close_connections",
    "copy_with_client",
    "engine_llm",
    "engine_with_llm",
    "has_own_client",
    "run_without_loop",
]

FOREVER = 1e9
"""Seconds until a timer that never fires: some 30 years."""


# Event loops that are closed without `shutdown_asyncgens`, as LlamaIndex's sync methods do


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


# The client of LlamaIndex's OpenAI LLM


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


# The LLM of LlamaIndex's query engines


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
