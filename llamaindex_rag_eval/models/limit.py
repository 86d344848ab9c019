"""Limits of one endpoint: concurrency that adapts, rates, retries, patience, and a budget.

One `Limit` is meant for one endpoint: share it between the judge, the runner and all others that
call there, and all of them together keep to it.
"""

import asyncio
import math
import time
from collections.abc import Awaitable, Callable, Iterable
from typing import TypeVar
from weakref import WeakKeyDictionary

from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.models.admission import Admission, Call, Window
from llamaindex_rag_eval.models.durations import read_duration
from llamaindex_rag_eval.models.retry import RetryPolicy
from llamaindex_rag_eval.models.settings_only import SettingsOnly
from llamaindex_rag_eval.models.usage import Budget, Usage

T = TypeVar("T")

RETRIES = 8
"""Of a call, by default."""

TIMEOUT = 120.0
"""Seconds for an attempt, by default."""

FIRST_WAIT = 0.25
"""Seconds before the first retry where the server names none; doubled each time."""

LONGEST_WAIT = 20.0
"""Seconds that no retry waits longer than, unless the server asks for it."""

SPREAD = (0.1, 1.0)
"""Of the random factor on a wait: a `Retry-After` is the same for all, their jitter is not."""


class Limit(SettingsOnly):
    """Keep to what an endpoint allows, and try again after transient errors.

    Args:
        concurrency: The most calls in flight. When more than a tenth of them come back as 429 or
            503, or time out, the window is halved, once for the calls in flight then; every success
            widens it.
        requests_per_minute: `None` for no limit. Calls go out evenly, a second's worth at once.
        tokens_per_minute: `None` for no limit; prompts are estimated before they are sent.
        retries: How often one call is tried again after a transient error: of the connection,
            time-outs, 408, 409, 425, 429, and 5xx. Never after another 4xx. Attempts while the
            endpoint is away do not count.
        timeout: Seconds for one attempt at one call.
        patience: How long to wait for an endpoint that is away, in seconds or as `"10m"`; then
            `EndpointError` is raised. By default 10 minutes, and 15 seconds for one that has never
            answered.
        budget: What may be spent.

    Raises:
        InputError: `patience` is no duration.

    Attributes:
        usage: The calls, tokens and money spent through this limit.
    """

    def __init__(
        self,
        concurrency: int = 64,
        *,
        requests_per_minute: float | None = None,
        tokens_per_minute: float | None = None,
        retries: int = RETRIES,
        timeout: float | None = TIMEOUT,
        patience: float | str | None = None,
        budget: Budget | None = None,
        usage: Usage | None = None,
    ) -> None:
        self.concurrency = max(1, concurrency)
        self.requests_per_minute = requests_per_minute
        self.tokens_per_minute = tokens_per_minute
        self.retries = retries
        self.timeout = timeout
        self.patience = None if patience is None else read_duration(patience, "patience")
        self.budget = budget or Budget()
        self.usage = usage or Usage()
        self._begin()

    def _begin(self) -> None:
        retry = RetryPolicy(
            self.retries, first_wait=FIRST_WAIT, longest_wait=LONGEST_WAIT, spread=SPREAD
        )
        self._admission = Admission(self, retry)
        self._windows: WeakKeyDictionary[asyncio.AbstractEventLoop, Window] = WeakKeyDictionary()
        self._waiting: dict[Call, asyncio.Future[None]] = {}

    @property
    def window(self) -> Window:
        """The calls in flight in the running event loop."""
        loop = asyncio.get_running_loop()
        if loop not in self._windows:
            self._windows[loop] = Window(self.concurrency)
        return self._windows[loop]

    async def call(
        self, work: Callable[[], Awaitable[T]], *, model: str = "", tokens: int = 0
    ) -> T:
        """Do one call, again if need be, within the limits.

        Args:
            work: Makes the call; called once per attempt.
            model: Whose price the budget looks up.
            tokens: An estimate of the prompt.

        Raises:
            BudgetError: The budget is spent.
            CallError: The call cannot succeed, or did not after all retries.
            EndpointError: The endpoint was away for longer than `patience`, or refuses every call.
        """
        call, answered = Call(self.window, model, tokens), False
        try:
            while True:
                await self._ask(call)
                try:
                    async with asyncio.timeout(self.timeout):
                        answer = await work()
                except TimeoutError as error:
                    late = CallError(
                        f"no answer within {self.timeout or 0:g} s", transient=True, failure="late"
                    )
                    late.__cause__ = error
                    await self._failed(call, late)
                except CallError as error:
                    await self._failed(call, error)
                else:
                    answered = True
                    return answer
        finally:
            self._leave(call, answered=answered)

    async def _ask(self, call: Call) -> None:
        """Wait until a call may go out.

        Raises:
            BudgetError: The budget is spent.
            EndpointError: The endpoint was away for longer than `patience`, or refuses every call.
        """
        while seconds := self._admission.ask(call, time.monotonic()):
            if seconds < math.inf:
                await asyncio.sleep(seconds)
                continue
            self._waiting[call] = asyncio.get_running_loop().create_future()
            try:
                await self._waiting[call]
            finally:
                del self._waiting[call]

    async def _failed(self, call: Call, error: CallError) -> None:
        """Note that a call failed, and is to ask again.

        Raises:
            CallError: The error, or what became of the endpoint, if it is not to.
        """
        self._wake(self._admission.done(call, error, time.monotonic()))

    def _leave(self, call: Call, *, answered: bool = False) -> None:
        """Take back all that a call holds; note whether it was answered."""
        now = time.monotonic()
        self._wake(
            self._admission.done(call, None, now) if answered else self._admission.leave(call)
        )

    def _wake(self, calls: Iterable[Call]) -> None:
        for call in calls:
            waiting = self._waiting.get(call)
            if waiting is not None and not waiting.done():  # else it was cancelled, and leaves
                waiting.set_result(None)
