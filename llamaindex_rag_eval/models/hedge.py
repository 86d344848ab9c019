"""Stragglers: a call that takes far longer than others like it is made a second time.

The first answer is taken, the other request cancelled. Where there is no room for two, the second
takes the place of the first: else requests that hang would fill the window. "Far longer" is
measured on the run itself; until enough calls were answered, none is a straggler.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from itertools import chain
from typing import Any

QUANTILE = 0.95
"""Of the latencies of a kind."""

FACTOR = 3.0
"""Times this quantile after which a call is a straggler: of latencies that vary as those of hosted
models do, fewer than one in a hundred (see tests/benchmarks/stragglers.py)."""

LEAST = 1.0
"""Seconds: for less, no second request is worth its price."""

ENOUGH, KEPT = 20, 200
"""Latencies that are needed, and those of a kind that are kept."""

MOST = 1 / 20
"""Share of the calls that may be made a second time in vain, or with their outcome open."""


class Hedges:
    """The latencies of an endpoint by kind of request, and its second requests."""

    def __init__(self) -> None:
        self.calls = 0
        self.second = self.won = 0
        self._latencies: dict[str, deque[float]] = {}

    def add(self, kind: str, seconds: float) -> None:
        """Note the latency of an answered call."""
        self.calls += 1
        self._latencies.setdefault(kind, deque(maxlen=KEPT)).append(seconds)

    def after(self, kind: str) -> float | None:
        """Return the seconds after which a call of a kind is a straggler; `None` if not known.

        Of a kind that is rare so far, the calls of all kinds tell.
        """
        known = sorted(self._latencies.get(kind, ()))
        if len(known) < ENOUGH:
            known = sorted(chain.from_iterable(self._latencies.values()))
        if len(known) < ENOUGH:
            return None
        return max(LEAST, FACTOR * known[int(QUANTILE * (len(known) - 1))])

    @property
    def allowed(self) -> bool:
        """Whether another second request is within the share of all calls."""
        return self.second - self.won + 1 <= MOST * self.calls


class Hedge:
    """One call while it is out; the answer to a second request ends the first one's time.

    Args:
        hedges: What is known of the endpoint.
        kind: Of the request.
        again: Makes the second request.
        may: Says whether there is room for it beside the first.
        limit: The time-out around the first request.

    Attributes:
        instead: The second request, where it answered first or took the place of the first.
    """

    def __init__(
        self,
        hedges: Hedges,
        kind: str,
        again: Callable[[], Awaitable[Any]],
        may: Callable[[], bool],
        limit: Any,
    ) -> None:
        self.instead: asyncio.Future[Any] | None = None
        self._hedges, self._kind, self._again, self._may = hedges, kind, again, may
        self._limit = limit
        self._loop = asyncio.get_running_loop()
        self._second: asyncio.Future[Any] | None = None

    def __enter__(self) -> "Hedge":
        self._started = time.monotonic()
        self._timer = self._loop.call_later(LEAST, self._look)
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._timer.cancel()
        if self._second is not None and self.instead is None:
            self._second.cancel()
        if kind is None:
            self._hedges.add(self._kind, time.monotonic() - self._started)

    def _look(self) -> None:
        """Make the second request if it is time for it; else look again."""
        after = self._hedges.after(self._kind)
        left = LEAST if after is None else after - (time.monotonic() - self._started)
        if left <= 0 and self._hedges.allowed:
            self._hedges.second += 1
            beside = self._may()
            self._second = asyncio.ensure_future(self._again())
            self._second.add_done_callback(self._take)
            if not beside:
                self.instead = self._second
                self._end_first()
        else:
            self._timer = self._loop.call_later(max(left, LEAST / 4), self._look)

    def _take(self, second: "asyncio.Future[Any]") -> None:
        if second.cancelled() or second.exception() is not None:
            return  # the first one goes on
        self._hedges.won += 1
        if self.instead is None:
            self.instead = second
            self._end_first()

    def _end_first(self) -> None:
        with suppress(RuntimeError):  # the first one is ending in this moment
            # async-timeout, on Python 3.10, has another name for it
            expire = getattr(self._limit, "reschedule", None) or self._limit.update
            expire(self._loop.time())
