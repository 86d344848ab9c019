"""Limits that all workers share: concurrency, rates and budget are kept by one actor.

A judge is pickled for the workers with a `SharedLimit` in place of each `Limit`. It asks the actor
for leave for all calls that wait, at once, and tells it what was spent.
"""

import asyncio
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from llamaindex_rag_eval.errors import BudgetError
from llamaindex_rag_eval.models.limit import Limit
from llamaindex_rag_eval.models.usage import Budget, Spent, Usage
from llamaindex_rag_eval.runs import packing
from llamaindex_rag_eval.runs.on_ray.allowance import PATIENCE

T = TypeVar("T")

REPORT_EVERY = 0.05
"""Seconds for which a worker gathers calls that ended before it reports them."""


class _ReportedUsage(Usage):
    """Counts that are also kept for the next report."""

    def __init__(self, prices: Any = None) -> None:
        super().__init__(prices)
        self.unreported: list[Spent] = []

    def count(self, spent: Spent) -> None:
        """Count what one call has cost."""
        super().count(spent)
        self.unreported.append(spent)


class SharedLimit(Limit):
    """A limit in one of several workers; another actor keeps concurrency, rates and budget.

    Retries, time-outs and the window that halves when calls are refused are its own.
    """

    @classmethod
    def of(cls, allowance: Any, worker: str, number: int, state: dict[str, Any]) -> "SharedLimit":
        """Return the limit with these settings.

        Args:
            allowance: The handle of the actor.
            worker: The name of this worker.
            number: Which of the actor's limits this is.
            state: The settings of the limit in the driver.
        """
        own = object.__new__(cls)
        own.__setstate__(
            {
                **state,
                "usage": _ReportedUsage(state["usage"].prices),
                "budget": Budget(),
                "hedge": state["hedge"] and state["budget"] == Budget(),
                "requests_per_minute": None,
                "tokens_per_minute": None,
            }
        )
        own._allowance, own._worker, own._number = allowance, worker, number
        own._wanted = deque()
        own._ended = own._held = 0
        own._leasing = own._reporting = None
        return own

    _allowance: Any
    _worker: str
    _number: int
    _wanted: "deque[tuple[str, int, asyncio.Future[None]]]"
    _ended: int
    _held: int
    _leasing: "asyncio.Task[None] | None"
    _reporting: "asyncio.Task[None] | None"

    async def call(
        self, work: Callable[[], Awaitable[T]], *, model: str = "", tokens: int = 0, kind: str = ""
    ) -> T:
        """Do one call within the limits of all workers; see `Limit.call`."""
        await self._take(model, tokens)
        try:
            return await super().call(work, model=model, tokens=tokens, kind=kind)
        finally:
            self._give_back()

    async def flush(self) -> None:
        """Report what was not reported yet."""
        for task in (self._leasing, self._reporting):
            if task is not None:
                task.cancel()
        self._leasing = self._reporting = None
        await self._report()

    async def _take(self, model: str, tokens: int) -> None:
        """Wait for leave to make one call."""
        leave: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._wanted.append((model, tokens, leave))
        if self._leasing is None or self._leasing.done():
            self._leasing = asyncio.ensure_future(self._lease())
        try:
            await leave
        except asyncio.CancelledError:
            if leave.done() and not leave.cancelled() and leave.exception() is None:
                self._give_back()
            raise

    async def _lease(self) -> None:
        """Ask for leave until nobody waits for it."""
        while self._wanted:
            model = self._wanted[0][0]
            tokens = [size for name, size, _ in self._wanted if name == model]
            try:
                found = await self._allowance.lease.remote(
                    self._worker, self._number, model, tokens
                )
            except Exception as error:  # noqa: BLE001 - whoever waits must hear of it
                found = f"the limits cannot be reached: {error}"
            self._grant(found, model)

    def _grant(self, found: int | str, model: str) -> None:
        """Let so many of those that wait go on; with a text, none of them."""
        waiting = [entry for entry in self._wanted if entry[0] == model]
        for entry in waiting if isinstance(found, str) else waiting[:found]:
            self._wanted.remove(entry)
            leave = entry[2]
            if isinstance(found, str):
                if not leave.done():
                    leave.set_exception(BudgetError(found))
                continue
            self._held += 1
            self._keep_reporting()
            if leave.done():  # whoever waited gave up
                self._give_back()
            else:
                leave.set_result(None)

    def _give_back(self) -> None:
        self._held -= 1
        self._ended += 1
        self._keep_reporting()

    def _keep_reporting(self) -> None:
        if self._reporting is None or self._reporting.done():
            self._reporting = asyncio.ensure_future(self._report_while_held())

    async def _report_while_held(self) -> None:
        """Report what ends, and now and then that this worker lives."""
        last = time.monotonic()
        while self._held or self._ended:
            await asyncio.sleep(REPORT_EVERY)
            if self._ended or time.monotonic() - last > PATIENCE:
                last = time.monotonic()
                await self._report()

    async def _report(self) -> None:
        usage = self.usage
        spent: list[Spent] = []
        if isinstance(usage, _ReportedUsage):
            spent, usage.unreported = usage.unreported, []
        ended, self._ended = self._ended, 0
        if ended or spent or self._held:
            await self._allowance.report.remote(self._worker, self._number, ended, spent)


def loads(data: bytes, allowance: Any, worker: str) -> tuple[Any, list[SharedLimit]]:
    """Return the value that `packing.dumps` pickled, and the shared limits in it.

    Args:
        data: From the driver of this run, never from a file.
        allowance: The handle of the actor.
        worker: The name of this worker.
    """
    limits: list[SharedLimit] = []

    def shared(number: int, state: dict[str, Any]) -> SharedLimit:
        limits.append(SharedLimit.of(allowance, worker, number, state))
        return limits[-1]

    return packing.loads(data, shared), limits
