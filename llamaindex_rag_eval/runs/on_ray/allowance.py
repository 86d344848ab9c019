"""The allowance of a run: concurrency, rates and budget of all workers, kept by one actor.

A worker that says nothing for half a minute is taken for dead, and its calls no longer count as in
flight.
"""

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from llamaindex_rag_eval.errors import BudgetError
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.usage import Spent, Usage

PATIENCE = 5.0
"""Seconds after which an unanswered request for leave is repeated, and a report is due."""

DEAD_AFTER = 30.0
"""Seconds of silence after which a worker is taken for dead."""

BURST = 0.1
"""Seconds' worth of a rate that may be used at once."""


@dataclass
class _Shared:
    """One limit as the actor keeps it."""

    limit: Limit
    in_use: dict[str, int] = field(default_factory=dict)
    free_at: float = 0.0

    def allowed(self, tokens: Sequence[int], *, model: str) -> int:
        """Return how many of these calls may begin now, with so many tokens each.

        Raises:
            BudgetError: The budget is spent.
        """
        limit, begun = self.limit, sum(self.in_use.values())
        count = 0
        for size in tokens:
            if begun + count >= limit.concurrency or time.monotonic() + BURST < self.free_at:
                break
            try:
                limit.budget.check(limit.usage, model=model, in_flight=begun + count)
            except BudgetError:
                if count:
                    break
                raise
            self._take(size)
            count += 1
        return count

    def _take(self, tokens: int) -> None:
        """Move the time at which the rates allow the next call."""
        waits = [0.0]
        if self.limit.requests_per_minute:
            waits.append(60 / self.limit.requests_per_minute)
        if self.limit.tokens_per_minute:
            waits.append(60 * tokens / self.limit.tokens_per_minute)
        self.free_at = max(self.free_at, time.monotonic()) + max(waits)


class Allowance:
    """The one actor: it gives leave to call, and counts what was spent.

    Args:
        settings: The settings of each limit, as `Limit.__getstate__` gives them.
    """

    def __init__(self, settings: Sequence[dict[str, Any]]) -> None:
        self._limits = []
        for state in settings:
            limit = Limit()
            limit.__setstate__(state)
            limit.usage = Usage(limit.usage.prices)
            self._limits.append(_Shared(limit))
        self._seen: dict[str, float] = {}
        self._changed = asyncio.Event()

    async def lease(self, worker: str, number: int, model: str, tokens: Sequence[int]) -> int | str:
        """Return how many of the calls may begin; a text if the budget is spent, and why.

        It is 0 if none may for `PATIENCE` seconds.

        Args:
            worker: Who asks.
            number: Which limit.
            model: Whom it will call.
            tokens: An estimate for each call that waits.
        """
        shared = self._limits[number]
        until = time.monotonic() + PATIENCE
        while (now := time.monotonic()) < until:
            self._hear(worker, now)
            try:
                count = shared.allowed(tokens, model=model)
            except BudgetError as error:
                return str(error)
            if count:
                shared.in_use[worker] = shared.in_use.get(worker, 0) + count
                return count
            self._changed.clear()
            wait = shared.free_at - BURST - now
            try:
                await asyncio.wait_for(self._changed.wait(), wait if wait > 0 else until - now)
            except (TimeoutError, asyncio.TimeoutError):
                continue
        return 0

    async def report(self, worker: str, number: int, ended: int, spent: Sequence[Spent]) -> None:
        """Count calls that ended, and what they cost."""
        self._hear(worker, time.monotonic())
        shared = self._limits[number]
        for one in spent:
            shared.limit.usage.count(one)
        shared.in_use[worker] = max(0, shared.in_use.get(worker, 0) - ended)
        self._changed.set()

    def _hear(self, worker: str, now: float) -> None:
        """Note that a worker lives; forget the calls of those that were not heard of."""
        self._seen[worker] = now
        for name in [name for name, seen in self._seen.items() if now - seen > DEAD_AFTER]:
            del self._seen[name]
            for shared in self._limits:
                shared.in_use.pop(name, None)
