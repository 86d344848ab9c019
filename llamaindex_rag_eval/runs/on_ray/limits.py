"""The limits of a run on Ray: its driver holds them, and workers call within them.

The driver is to the workers what a parent is to its processes, see `remote_limit`. Each worker
opens one connection; when that ends, its calls no longer count.
"""

import asyncio
import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from multiprocessing import AuthenticationError
from multiprocessing.connection import (
    Client,
    Connection,
    Listener,
    answer_challenge,
    deliver_challenge,
)
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
    with Listener((host, 0), backlog=WAITING) as listener:
        address: tuple[str, int] = listener.address
        serve = partial(_serve, listener, key, limits, closing)
        serving = Thread(target=lambda: asyncio.run(serve()), daemon=True)
        serving.start()
        try:
            yield address, key
        finally:
            closing.set()
            Client(address).close()  # wakes who waits for the next one
            serving.join()


async def _serve(listener: Listener, key: bytes, limits: Sequence[Limit], closing: Event) -> None:
    loop = asyncio.get_running_loop()

    def join(pipe: Connection) -> None:
        serve_limits(limits, _peer_at(pipe, ConnectionError("the worker is gone")))

    def let_in(pipe: Connection) -> None:
        """Serve who knows the key; a stranger who says nothing keeps only this thread."""
        try:
            deliver_challenge(pipe, key)
            answer_challenge(pipe, key)
            loop.call_soon_threadsafe(join, pipe)
        except (AuthenticationError, EOFError, OSError, RuntimeError):  # or all is over
            pipe.close()

    while True:
        with suppress(OSError):
            pipe = await asyncio.to_thread(listener.accept)
            if closing.is_set():
                return
            Thread(target=let_in, args=(pipe,), daemon=True).start()


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
