"""Closing a client whose event loop is closed already, so that nothing warns or leaks."""

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import suppress
from typing import Any

__all__ = ["close_idle", "run_dry"]


def close_idle(client: Any) -> None:
    """Close the idle connections of an aiohttp-backed client without a loop.

    A closed loop runs no callbacks, so that transports cannot close themselves any more; left
    alone, they would warn when they are collected.
    """
    for transport in list(_idle(client)):
        with suppress(RuntimeError):  # which says that the loop is closed
            transport.close()
        inner = getattr(getattr(transport, "_ssl_protocol", None), "_transport", transport)
        lost = getattr(inner, "_call_connection_lost", None)
        if isinstance(inner, asyncio.Transport) and getattr(inner, "_sock", None) and lost:
            with suppress(RuntimeError):
                lost(None)


def run_dry(work: Coroutine[Any, Any, object]) -> None:
    """Run a coroutine that has nothing to wait for, as closing has not on a closed loop."""
    with suppress(StopIteration, RuntimeError):
        work.send(None)
    work.close()


def _idle(client: Any) -> Iterator[Any]:
    """Yield the transports of the connections in the client's pools."""
    routes = [client._transport, *client._mounts.values()]
    connectors = (getattr(getattr(route, "client", None), "connector", None) for route in routes)
    for connector in connectors:
        for pool in getattr(connector, "_conns", {}).values():
            yield from (protocol.transport for protocol, _ in pool if protocol.transport)
