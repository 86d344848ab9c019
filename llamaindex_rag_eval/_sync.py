"""Run async code from synchronous code: in a script, in a thread, and where a loop already runs.

Each thread keeps one event loop from one synchronous call to the next. `asyncio.run` closes its
loop after every call, and with it breaks each client that was opened there (an `aiohttp` session, a
gRPC channel, pooled connections).
"""

import asyncio
import threading
import weakref
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import Future
from contextvars import copy_context
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
Item = TypeVar("Item")


def run_sync(work: Coroutine[object, object, T]) -> T:
    """Run a coroutine to its end and return what it returns.

    Where no event loop runs, it runs on this thread's own loop, which stays open. In a notebook a
    loop runs already: then, and only then, nest-asyncio is applied to it.
    """
    if not _runs_a_loop():
        return _run_on_own_loop(work)
    import nest_asyncio

    loop = asyncio.get_running_loop()
    nest_asyncio.apply(loop)
    return loop.run_until_complete(work)


def synced(work: Callable[P, Coroutine[object, object, T]]) -> Callable[P, T]:
    """Return a coroutine function as an ordinary one: of `asweep`, `sweep`."""

    @wraps(work)
    def run(*args: P.args, **options: P.kwargs) -> T:
        return run_sync(work(*args, **options))

    run.__name__ = run.__qualname__ = work.__name__.removeprefix("a")
    return run


async def at_a_time(
    most: int, work: Callable[[Item], Coroutine[object, object, None]], items: Iterable[Item]
) -> None:
    """Do work for each item, so many at a time; an error ends the work for all others."""
    queue = iter(items)

    async def take() -> None:
        for item in queue:  # shared: each takes the next one
            await work(item)

    tasks = [asyncio.ensure_future(take()) for _ in range(most)]
    try:
        await asyncio.gather(*tasks)
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def in_thread(work: Callable[[], T]) -> T:
    """Run blocking work in a daemon thread of its own, and return its result.

    A thread of `asyncio.to_thread` comes from a pool and is joined at exit, so that work that
    hangs would delay other work and the end of the process. If the caller is cancelled,
    the work goes on, since a thread cannot be stopped.
    """
    future: Future[T] = Future()
    context = copy_context()

    def body() -> None:
        future.set_running_or_notify_cancel()
        try:
            future.set_result(context.run(work))
        except StopIteration as error:  # no coroutine may raise it
            future.set_exception(RuntimeError(f"StopIteration: {error}"))
        except BaseException as error:  # noqa: BLE001 - passed on to the caller
            future.set_exception(error)

    threading.Thread(target=body, name="rag-eval", daemon=True).start()
    return await asyncio.wrap_future(future)


class _ThreadLoop:
    """The event loop of a thread; closed when the thread or the process ends."""

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        weakref.finalize(self, _close, self.loop)


_of_thread = threading.local()


def _run_on_own_loop(work: Coroutine[object, object, T]) -> T:
    """Run a coroutine to its end on this thread's loop and return what it returns.

    When it is interrupted (Ctrl-C), the coroutine is cancelled and may still clean up.
    """
    own = getattr(_of_thread, "own", None)
    if own is None:
        own = _of_thread.own = _ThreadLoop()
    loop: asyncio.AbstractEventLoop = own.loop
    task = loop.create_task(work)
    try:
        return loop.run_until_complete(task)
    except BaseException as error:
        if not task.done():
            task.cancel()
            _finish(task, loop, error)
        raise


def _finish(task: "asyncio.Task[T]", loop: asyncio.AbstractEventLoop, error: BaseException) -> None:
    """Run a loop until a cancelled task has cleaned up.

    An interruption that hit an inner task leaves the loop once for each task that waits for it; a
    second interruption is another error, and ends this.
    """
    while not task.done():
        try:
            loop.run_until_complete(asyncio.wait({task}))
        except KeyboardInterrupt as again:
            if again is not error:
                raise
    if not task.cancelled():
        task.exception()  # marks it as seen: the interruption is what is raised


def _runs_a_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _close(loop: asyncio.AbstractEventLoop) -> None:
    """Cancel what still runs on a loop, close its async generators, and close it."""
    if loop.is_running():
        return
    if _runs_a_loop():  # collected in a thread that is busy with another loop
        thread = threading.Thread(target=_close, args=(loop,))
        thread.start()
        thread.join()
        return
    left = asyncio.all_tasks(loop)
    for task in left:
        task.cancel()
    if left:
        loop.run_until_complete(asyncio.wait(left))
    loop.run_until_complete(loop.shutdown_asyncgens())
    loop.close()
