"""When to try again: after which errors, how often, how much later, and what servers ask for.

One policy for calls of a model (`Limit`) and for questions to an engine (`engines.runner`); each
sets its own numbers.
"""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.models.failures import failure_in

T = TypeVar("T")

LONGEST_ASKED = 120.0
"""Seconds that a `Retry-After` is obeyed up to; an error that asks for more is raised at once."""


def is_transient(error: BaseException) -> bool:
    """Return whether an error, or one that caused it, may be gone at the next attempt.

    Those are lost connections, time-outs, rate limits and server errors, of any client library.
    A wrong key, a refused request, or a bug is not transient.
    """
    if isinstance(error, CallError):
        return error.transient
    row = failure_in(error)
    return row is not None and row.transient


@dataclass(frozen=True)
class RetryPolicy:
    """How often something is tried again, and how long to wait before.

    The wait before retry `n` is `first_wait * 2 ** (n - 1)` seconds, at most `longest_wait`, times
    a random factor within `spread`, so that callers who failed together do not return together.
    Where the error has a `retry_after`, that many seconds are added.

    Attributes:
        retries: Attempts after the first.
        first_wait: Seconds before the first retry.
        longest_wait: Seconds that the doubled wait does not exceed.
        spread: The least and the greatest random factor.
        random: Source of the random factor.

    Example:
        >>> policy = RetryPolicy(retries=3, first_wait=0.5, longest_wait=1.5, spread=(1, 1))
        >>> [policy.wait(ConnectionError(), attempt) for attempt in (1, 2, 3, 4)]
        [0.5, 1.0, 1.5, None]
        >>> policy.wait(ValueError("a bug"), 1) is None
        True
    """

    retries: int
    first_wait: float
    longest_wait: float
    spread: tuple[float, float] = (0.5, 1.0)
    random: Random = field(default_factory=Random, repr=False, compare=False)

    def wait(self, error: Exception, attempt: int) -> float | None:
        """Return the seconds to wait before the next attempt; `None` if there is to be none.

        Args:
            error: What the last attempt raised.
            attempt: Its number, from 1.
        """
        named = getattr(error, "retry_after", None)
        asks = named if isinstance(named, int | float) else 0.0  # errors of others may differ
        if attempt > self.retries or asks > LONGEST_ASKED or not is_transient(error):
            return None
        doublings = min(attempt - 1, 64)  # beyond, a power of two is no longer a float
        backoff = min(self.longest_wait, self.first_wait * 2.0**doublings)
        return asks + backoff * self.random.uniform(*self.spread)

    async def acall(self, work: Callable[[], Awaitable[T]]) -> T:
        """Await `work()` until it succeeds; raise its last error when the policy gives up."""
        attempt = 0
        while True:
            attempt += 1
            try:
                return await work()
            except Exception as error:
                seconds = self.wait(error, attempt)
                if seconds is None:
                    raise
            await asyncio.sleep(seconds)
