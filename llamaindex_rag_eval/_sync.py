"""The sync bridge over async code: in a script, in a thread, and where a loop already runs.

Each thread keeps one event loop from one synchronous call to the next: a client that was opened
on a loop (an `aiohttp` session, a gRPC channel, pooled connections) breaks when the loop is closed
under it, which is what `asyncio.run` does after every call.
"""

import asyncio
import threading
import weakref
from collections.abc import Coroutine
from typing import TypeVar

__all__ = ["run_sync"]


T = TypeVar("T")


def run_sync(work: Coroutine[object, object, T]) -> T:
    """Run a coroutine to its end and return what it returns.

    Without a running event loop it runs on this thread's own loop, which stays open. In a
    notebook a loop runs already: then, and only then, nest-asyncio is applied.
    """
    try:
        loop = asyncio.get_running_loop()
    except RuntimeError:
        return _run_on_own_loop(work)
    import nest_asyncio

    nest_asyncio.apply(loop)
    return loop.run_until_complete(work)


class _Holder:
    """What a thread holds its loop by; the loop is closed with the thread or the process."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        weakref.finalize(self, _close, self.loop)


_held = threading.local()


def _run_on_own_loop(work: Coroutine[object, object, T]) -> T:
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
