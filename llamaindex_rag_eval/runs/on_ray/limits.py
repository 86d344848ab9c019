"""The limits of a run on Ray: one actor holds them, and every block that is scored calls it.

It is to the workers what a parent is to its processes, see `remote_limit`; messages travel by calls
of the actor, and back as the answers of calls that wait for them.
"""

import asyncio
import time
import uuid
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.usage import Usage
from llamaindex_rag_eval.runs.peer import Message, Peer
from llamaindex_rag_eval.runs.remote_limit import RemoteLimit, serve_limits, use_limits

PATIENCE = 5.0
"""Seconds after which a worker that waits for messages asks again."""

DEAD_AFTER = 120.0
"""Seconds of silence after which a worker is taken for dead, and its calls no longer count."""

UNREACHED = "the limits of the run cannot be reached: {}"


class LimitServer:
    """The actor: it lets workers call within the limits of the run.

    Args:
        settings: The settings of each limit, as `Limit.__getstate__` gives them.
    """

    def __init__(self, settings: Sequence[Mapping[str, Any]]) -> None:
        self._limits = [Limit() for _ in settings]
        for limit, state in zip(self._limits, settings, strict=True):
            limit.__setstate__({**state, "usage": Usage(state["usage"].prices)})
        self._workers: dict[str, _Worker] = {}

    async def open(self, name: str) -> None:
        """Serve a worker of this name."""
        self._workers[name] = _Worker(self._limits)

    async def take(self, name: str, messages: Sequence[Message]) -> None:
        """Take what a worker says."""
        self._worker(name).take(*messages)

    async def give(self, name: str) -> list[Message]:
        """Return what there is to be said to a worker; nothing if there is nothing for long."""
        out = self._worker(name).out
        try:
            messages = [await asyncio.wait_for(out.get(), PATIENCE)]
        except TimeoutError:
            return []
        while not out.empty():
            messages.append(out.get_nowait())
        return messages

    async def close(self, name: str) -> None:
        """Forget a worker, and give back what its calls hold."""
        if name in self._workers:
            self._workers.pop(name).close(ConnectionError(name))

    def _worker(self, name: str) -> "_Worker":
        """Return a worker, which lives; forget those that were not heard of."""
        now = time.monotonic()
        self._workers[name].heard = now
        for other in [key for key, it in self._workers.items() if now - it.heard > DEAD_AFTER]:
            self._workers.pop(other).close(ConnectionError(other))
        return self._workers[name]


class _Worker(Peer):
    """A worker that is served: what it is to be told, and when it was last heard of."""

    def __init__(self, limits: Sequence[Limit]) -> None:
        self.out: asyncio.Queue[Message] = asyncio.Queue()
        super().__init__(self.out.put_nowait)
        self.heard = time.monotonic()
        serve_limits(limits, self)


@asynccontextmanager
async def limits_at(server: Any, limits: Sequence[RemoteLimit]) -> AsyncIterator[None]:
    """Let calls go through the limits of a server until the block ends.

    Args:
        server: The handle of the actor.
        limits: What stands for its limits in this process.
    """
    if not limits:
        yield
        return
    name, out = uuid.uuid4().hex, list[Message]()

    def post(message: Message) -> None:
        out.append(message)
        if len(out) == 1:
            asyncio.get_running_loop().call_soon(send)

    def send() -> Any:
        messages = out.copy()
        out.clear()
        return server.take.remote(name, messages)

    peer = Peer(post)
    use_limits(limits, peer)
    await server.open.remote(name)
    listening = asyncio.ensure_future(_listen(server, name, peer))
    try:
        yield
    finally:
        listening.cancel()
        await send()
        await server.close.remote(name)


async def _listen(server: Any, name: str, peer: Peer) -> None:
    """Hand over what a server says, for as long as it can be reached."""
    try:
        while True:
            peer.take(*await server.give.remote(name))
    except Exception as error:  # noqa: BLE001 - whoever waits must hear of it
        peer.close(CallError(UNREACHED.format(error)))
