"""Blocking work, off the event loop."""

import asyncio
import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar

__all__ = ["in_thread"]

T = TypeVar("T")


async def in_thread(work: Callable[[], T]) -> T:
    """Run blocking work in a thread of its own and return what it returns.

    Unlike those of `asyncio.to_thread`, the thread keeps nobody waiting: an engine that hangs
    forever must not hold back other questions, nor the end of the process. Who stops waiting
    leaves the work running, since a thread cannot be stopped.
    """
    loop = asyncio.get_running_loop()
    future: asyncio.Future[T] = loop.create_future()
    context = contextvars.copy_context()

    def settle(outcome: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop is closed: nobody waits any more
            loop.call_soon_threadsafe(lambda: None if future.done() else outcome())

    def body() -> None:
        try:
            result = context.run(work)
        except BaseException as error:  # noqa: BLE001 - whatever it is, it belongs to who waits
            cause = _bearable(error)
            settle(lambda: future.set_exception(cause))
        else:
            settle(lambda: future.set_result(result))

    threading.Thread(target=body, name="rag-eval-engine", daemon=True).start()
    return await future


def _bearable(error: BaseException) -> BaseException:
    """Return an error that a future can hold; it would lose a `StopIteration` and never end."""
    return RuntimeError(f"StopIteration: {error}") if isinstance(error, StopIteration) else error
