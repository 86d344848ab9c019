"""Limits of one endpoint: concurrency that adapts, rates, retries, patience, and a budget.

One `Limit` is meant for one endpoint: share it between the judge, the runner and all others that
call there, and all of them together keep to it.
"""

import asyncio
import random
import sys
import time
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TypeVar
from weakref import WeakKeyDictionary

from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.models.breaker import Breaker
from llamaindex_rag_eval.models.durations import read_duration
from llamaindex_rag_eval.models.failures import BUSY
from llamaindex_rag_eval.models.hedge import LEAST, Hedge, Hedges
from llamaindex_rag_eval.models.rate import Rate
from llamaindex_rag_eval.models.request import Oracle, ReplyT, Request
from llamaindex_rag_eval.models.retry import LONGEST_ASKED, RetryPolicy
from llamaindex_rag_eval.models.usage import Budget, Usage
from llamaindex_rag_eval.models.window import Window

if sys.version_info >= (3, 11):
    from asyncio import timeout
else:
    from async_timeout import timeout


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

SECOND_REQUEST = "second request"
"""The kind under which a usage counts what was sent because a first request took too long."""


class Limit:
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
        hedge: Send a second request for a call that takes far longer than others like it, and take
            the first answer; where the window is full, in place of the first. For one call in
            twenty at most in vain, and never with a budget, which may be just enough.
        budget: What may be spent.
        seed: Of the random factor on waits.

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
        hedge: bool = True,
        budget: Budget | None = None,
        usage: Usage | None = None,
        seed: int = 0,
    ) -> None:
        self.concurrency = max(1, concurrency)
        self.requests_per_minute = requests_per_minute
        self.tokens_per_minute = tokens_per_minute
        self.retries = retries
        self.timeout = timeout
        self.patience = None if patience is None else read_duration(patience, "patience")
        self.hedge = hedge
        self.budget = budget or Budget()
        self.usage = usage or Usage()
        self.seed = seed
        self._begin()

    def __getstate__(self) -> dict[str, object]:
        """Return the settings and the usage: calls in flight belong to this process."""
        return {key: value for key, value in self.__dict__.items() if not key.startswith("_")}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Take the settings, with no calls in flight."""
        self.__dict__.update(state)
        self._begin()

    def _begin(self) -> None:
        self._retry = RetryPolicy(
            retries=self.retries,
            first_wait=FIRST_WAIT,
            longest_wait=LONGEST_WAIT,
            spread=SPREAD,
            transient=_is_transient_call,
            random=random.Random(self.seed),  # noqa: S311 - jitter, not a secret
        )
        self._windows: WeakKeyDictionary[asyncio.AbstractEventLoop, Window] = WeakKeyDictionary()
        self._free_at = 0.0
        self._tokens_in_flight = 0
        self._breakers: dict[str, Breaker] = {}
        self._hedges = Hedges()
        rates = {"requests": self.requests_per_minute, "tokens": self.tokens_per_minute}
        self._rates = {unit: Rate(most) for unit, most in rates.items() if most}

    @property
    def window(self) -> Window:
        """The calls in flight in the running event loop."""
        loop = asyncio.get_running_loop()
        found = self._windows.get(loop)
        if found is None:
            found = self._windows[loop] = Window(self.concurrency)
        return found

    def pause(self, seconds: float) -> None:
        """Hold all calls for so many seconds, since the endpoint takes none until then.

        A pause longer than a `Retry-After` may be is not begun: the next 429 says what to do.
        """
        if seconds <= LONGEST_ASKED:
            self._free_at = max(self._free_at, time.monotonic() + seconds)

    async def call(
        self, work: Callable[[], Awaitable[T]], *, model: str = "", tokens: int = 0, kind: str = ""
    ) -> T:
        """Do one call, again if need be, within the limits.

        Args:
            work: Makes the call; called once per attempt.
            model: Whose price the budget looks up.
            tokens: An estimate of the prompt.
            kind: Of the request, by which calls are like one another; without it, none of them is
                found to take too long.

        Raises:
            BudgetError: The budget is spent.
            CallError: The call cannot succeed, or did not after all retries.
            EndpointError: The endpoint was away for longer than `patience`, or refuses every call.
        """
        attempts = 0

        async def once() -> T:
            nonlocal attempts
            attempts += 1
            window = self.window
            epoch = await window.enter()
            try:
                attempt = partial(self._attempt, work, model, tokens, kind)
                done = await self._breaker(model).through(attempt, first=attempts == 1)
            except CallError as error:
                if error.status in BUSY or error.failure == "late":
                    window.shrink(epoch)  # it may still be at work on it, and on others before it
                raise
            else:
                window.grow()
                return done
            finally:
                window.leave()

        return await self._retry.acall(once)

    def _breaker(self, model: str) -> Breaker:
        """Return the breaker of a model: an LLM and an embedding model may be at two places."""
        found = self._breakers.get(model)
        if found is None:
            found = self._breakers[model] = Breaker(self.patience, model)
        return found

    async def _attempt(
        self, work: Callable[[], Awaitable[T]], model: str, tokens: int, kind: str
    ) -> T:
        """Make one attempt; if it takes too long, another beside it, and take the first answer."""
        self.budget.check(
            self.usage,
            model=model,
            in_flight=self.window.in_flight - 1,
            tokens_in_flight=self._tokens_in_flight,
        )
        self._tokens_in_flight += tokens
        second: Hedge | None = None
        try:
            await self._wait_for_rates(tokens)
            async with timeout(self.timeout) as limit:
                if not (kind and self.hedge and self.budget == Budget()):
                    return await self._sent(work)
                again = partial(self._second, work, model, tokens, kind)
                second = Hedge(self._hedges, kind, again, self.window.has_room, limit)
                with second:
                    return await self._sent(work)
        except (TimeoutError, asyncio.TimeoutError) as error:
            if second is not None and second.instead is not None:
                answer: T = await second.instead
                return answer
            raise _late(self.timeout) from error
        finally:
            self._tokens_in_flight -= tokens

    async def _second(
        self, work: Callable[[], Awaitable[T]], model: str, tokens: int, kind: str
    ) -> T:
        """Make a second request, and again with twice the time; its prompt is paid for in vain."""
        seconds = (self._hedges.after(kind) or LEAST) / 2

        async def once() -> T:
            nonlocal seconds
            seconds *= 2
            await self._wait_for_rates(tokens)
            self.usage.add(model=model, request=SECOND_REQUEST, prompt=tokens, completion=0)
            try:
                async with timeout(min(seconds, self.timeout or seconds)):
                    return await self._sent(work)
            except (TimeoutError, asyncio.TimeoutError) as error:
                raise _late(seconds) from error

        return await self._retry.acall(once)

    async def _sent(self, work: Callable[[], Awaitable[T]]) -> T:
        """Make a request, counted as sent unless it fails; a late answer may be paid for."""
        self.usage.send(1)
        try:
            return await work()
        except Exception as error:
            if not (isinstance(error, CallError) and error.failure == "late"):
                self.usage.send(-1)
            raise

    async def _wait_for_rates(self, tokens: int) -> None:
        """Wait until the rates and the endpoint's own pause allow another call."""
        for unit, rate in self._rates.items():
            await rate.wait(tokens if unit == "tokens" else 1)
        await self._wait_for_pause()

    async def _wait_for_pause(self) -> None:
        left = self._free_at - time.monotonic()
        if left > 0:
            await asyncio.sleep(left)
            await self._wait_for_pause()  # meanwhile it may have become longer


def _late(seconds: float | None) -> CallError:
    return CallError(f"no answer within {seconds or 0:g} s", transient=True, failure="late")


def _is_transient_call(error: Exception) -> bool:
    return isinstance(error, CallError) and error.transient


class LimitedOracle:
    """Put limits around any oracle; `LLMOracle` has them built in, as `limit=…`.

    Args:
        inner: The oracle that answers.
        limit: Concurrency, rates, retries and budget; every request counts as one call.
    """

    def __init__(self, inner: Oracle, limit: Limit) -> None:
        self.inner = inner
        self.limit = limit

    def __repr__(self) -> str:
        return f"LimitedOracle({self.inner!r})"

    def fingerprint(self, request: type[Request[ReplyT]]) -> str:
        """Return the fingerprint of `inner`: a limit changes no answer."""
        return self.inner.fingerprint(request)

    def answers(self, request: type[Request[ReplyT]]) -> bool:
        """Return whether `inner` answers requests of this type."""
        return self.inner.answers(request)

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        """Ask `inner` within the limits."""
        kind = type(request).__name__
        reply = await self.limit.call(lambda: self.inner.ask(request))
        self.limit.usage.add(model="", request=kind, prompt=0, completion=0)
        return reply
