"""Asking ahead: what does not need a reply that is not there yet is asked in the same round.

Over batch files a request without a reply raises `PendingError`. Whoever asks several things one
after the other would then learn of them one round at a time.
"""

import asyncio
from collections.abc import Awaitable
from types import TracebackType
from typing import TypeVar

from llamaindex_rag_eval.errors import PendingError

T = TypeVar("T")


class AskAhead:
    """Go on behind a reply that is not there yet, and raise its error when all was asked.

    Nothing may be decided in between: what is found behind such a reply may not hold.

    Example:
        >>> ahead, asked = AskAhead(), []
        >>> for name in ("a", "b"):
        ...     with ahead:
        ...         asked.append(name)
        ...         raise PendingError(f"no reply to {name}")
        >>> asked
        ['a', 'b']
        >>> ahead.settle()
        Traceback (most recent call last):
        llamaindex_rag_eval.errors.PendingError: no reply to a
    """

    def __init__(self) -> None:
        self._first: PendingError | None = None

    def __enter__(self) -> "AskAhead":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        if not isinstance(error, PendingError):
            return False
        self._first = self._first or error
        return True

    def settle(self) -> None:
        """Raise the first error that was kept, if any.

        Raises:
            PendingError: A reply is not there yet.
        """
        if self._first is not None:
            raise self._first


async def gather_all(*work: Awaitable[T]) -> list[T]:
    """Wait for all of the work, and return its results in order, or raise the first error.

    `asyncio.gather` raises at once, and whoever called it may end before the rest was asked.
    """
    results: list[T] = []
    for result in await asyncio.gather(*work, return_exceptions=True):
        if isinstance(result, BaseException):
            raise result
        results.append(result)
    return results
