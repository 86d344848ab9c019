"""The gate: work begins in its order, as much at a time as is paid for."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable

from testset.generation.attempt import Attempt


class Gate:
    """Lets work begin in its order, as much at a time as a function says, and at least one."""

    def __init__(self, room: Callable[[], int]) -> None:
        self._room, self._running = room, 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def through(self, work: Callable[[], Awaitable[Attempt]]) -> Attempt:
        """Do the work when there is room for it."""
        while self._running >= max(1, self._room()):
            waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(waiter)
            await waiter
        self._running += 1
        try:
            return await work()
        finally:
            self._running -= 1
            while self._waiting and (waiter := self._waiting.popleft()):
                if not waiter.done():
                    waiter.set_result(None)
                    break
