"""One event loop per thread, kept from one synchronous call to the next.

A client that was opened on a loop (an `aiohttp` session, a gRPC channel, pooled connections)
breaks when the loop is closed under it, which is what `asyncio.run` does after every call.
"""

import asyncio
import threading
import weakref
from collections.abc import Coroutine
from typing import TypeVar

__all__ = ["run_on_kept_loop"]

T = TypeVar("T")


class _Holder:
    """What a thread holds its loop by; the loop is closed with the thread or the process."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        weakref.finalize(self, _close, self.loop)


_held = threading.local()


def run_on_kept_loop(work: Coroutine[object, object, T]) -> T:
    """Run a coroutine to its end on this thread's loop and return what it returns.

    Interrupted (Ctrl-C), the coroutine is cancelled and may put its things in order first.
    """
    holder = getattr(_held, "holder", None)
    if holder is None:
        holder = _held.holder = _Holder()
    loop: asyncio.AbstractEventLoop = holder.loop
    task = loop.create_task(work)
    try:
        return loop.run_until_complete(task)
    except BaseException:
        if not task.done():
            task.cancel()
            loop.run_until_complete(asyncio.wait({task}))
        raise


def _close(loop: asyncio.AbstractEventLoop) -> None:
    if loop.is_running():
        return
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.wait(left))
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
