"""The limits of a run on Ray: its driver holds them, and workers call within them.

The driver is to the workers what a parent is to its processes, see `remote_limit`. Each worker
opens one connection; when that ends, its calls no longer count.
"""

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing import AuthenticationError
from multiprocessing.connection import Client, Connection, Listener
from threading import Event, Thread

from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.runs.peer import Peer
from llamaindex_rag_eval.runs.remote_limit import RemoteLimit, serve_limits, use_limits

Server = tuple[tuple[str, int], bytes]
"""Host and port where limits are served, and the key that a worker has to know."""

WAITING = 1024
"""Workers that may ask for a connection at the same time."""

UNREACHED = "the limits of the run cannot be reached"


@contextmanager
def limits_served(limits: Sequence[Limit], host: str) -> Iterator[Server | None]:
    """Let workers call within limits, and yield where; `None` if there are no limits.

    Args:
        limits: The limits.
        host: The address of this machine, as workers reach it.
    """
    if not limits:
        yield None
        return
    key, closing = secrets.token_bytes(32), Event()
    with Listener((host, 0), backlog=WAITING, authkey=key) as listener:
        address: tuple[str, int] = listener.address
        serving = Thread(target=lambda: asyncio.run(_serve(listener, limits, closing)), daemon=True)
        serving.start()
        try:
            yield address, key
        finally:
            closing.set()
            Client(address, authkey=key).close()  # wakes who waits for the next one
            serving.join()


async def _serve(listener: Listener, limits: Sequence[Limit], closing: Event) -> None:
    while True:
        with suppress(AuthenticationError, EOFError, OSError):  # a stranger, or who is gone again
            pipe = await asyncio.to_thread(listener.accept)
            if closing.is_set():
                return
            serve_limits(limits, _peer_at(pipe, ConnectionError("the worker is gone")))


def use_limits_at(server: Server | None, limits: Sequence[RemoteLimit]) -> None:
    """Let calls of this process go through the limits of a run, in the running event loop.

    Raises:
        OSError: They cannot be reached.
    """
    if server is not None:
        address, key = server
        use_limits(limits, _peer_at(Client(address, authkey=key), CallError(UNREACHED)))


def _peer_at(pipe: Connection, gone: Exception) -> Peer:
    """Return the peer at a connection; when that ends, what it is asked fails with an error."""
    peer = Peer(pipe, lambda: peer.in_loop(peer.close, gone))
    return peer
