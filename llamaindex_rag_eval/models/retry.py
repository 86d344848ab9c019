"""Which errors of a pipeline may pass by themselves, and how often to try again."""

import re
import socket

from tenacity import (
    AsyncRetrying,
    retry_if_exception,
    stop_after_attempt,
    wait_exponential,
    wait_random,
)

__all__ = ["may_pass", "tries"]

FIRST_WAIT = 0.5
"""Seconds before the second attempt; doubled before each further one."""

LONGEST_WAIT = 30.0
"""Seconds: a service that is away for longer is better asked in a later run, which resumes."""

PASSING_STATUS = frozenset({408, 425, 429, 500, 502, 503, 504, 529})
"""HTTP: time-out, too early, too many requests, server errors, overloaded."""

PASSING_NAME = re.compile(
    r"(Connect|Connection|Timeout|Transport|RateLimit|RateLimited|TooManyRequests|"
    r"ServiceUnavailable|ServerDisconnected|ResourceExhausted|Overloaded)(Error|Exception)?\Z"
)
"""What clients call such errors. By name, so that no client library need be imported."""


def may_pass(error: BaseException) -> bool:
    """Return whether an error, or the one that caused it, may be gone at the next attempt.

    Those are lost connections, time-outs, rate limits and server errors. A wrong key, a request
    that is refused, or a bug stay what they are.
    """
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        if _passes(cause):
            return True
        cause = cause.__cause__
    return False


def _passes(error: BaseException) -> bool:
    status = getattr(error, "status_code", None)
    if status is None:
        status = getattr(getattr(error, "response", None), "status_code", None)
    if isinstance(status, int):
        return status in PASSING_STATUS
    if isinstance(error, ConnectionError | TimeoutError | socket.gaierror):
        return True
    return any(PASSING_NAME.search(kind.__name__) for kind in type(error).__mro__)


def tries(retries: int) -> AsyncRetrying:
    """Return attempts, the first and `retries` more, with growing and jittered waits between."""
    return AsyncRetrying(
        stop=stop_after_attempt(retries + 1),
        wait=wait_exponential(multiplier=FIRST_WAIT, max=LONGEST_WAIT) + wait_random(0, FIRST_WAIT),
        retry=retry_if_exception(may_pass),
        reraise=True,
    )
