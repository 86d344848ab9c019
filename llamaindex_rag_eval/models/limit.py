"""Limits of one endpoint: concurrency that adapts, rates, retries, and a budget.

One `Limit` is meant for one endpoint: share it between the judge, the runner and all others that
call there, and all of them together keep to it.
"""

import asyncio
import random
import sys
import time
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar
from weakref import WeakKeyDictionary

from llama_index.core.rate_limiter import BaseRateLimiter, TokenBucketRateLimiter

from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.models.request import Oracle, ReplyT, Request
from llamaindex_rag_eval.models.retry import LONGEST_ASKED, RetryPolicy
from llamaindex_rag_eval.models.usage import Budget, Usage

__all__ = ["Limit", "LimitedOracle"]

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

GROWTH = 0.25
"""Calls that the window grows by for each success while it is below the maximum."""

CHANCE_REFUSALS = 0.1
"""Share of refused calls that is taken for chance: an overloaded endpoint refuses more."""


class Limit:
    """Keep to what an endpoint allows, and try again after transient errors.

    Args:
        concurrency: The most calls in flight. When more than a tenth of them come back as 429 or
            503, or time out, the window is halved, once for the calls in flight then; every success
            widens it.
        requests_per_minute: `None` for no limit.
        tokens_per_minute: `None` for no limit; prompts are estimated before they are sent.
        retries: How often one call is tried again after a transient error: of the connection,
            time-outs, 408, 409, 425, 429, and 5xx. Never after another 4xx.
        timeout: Seconds for one attempt at one call.
        budget: What may be spent.
        seed: Of the random factor on waits.

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
        budget: Budget | None = None,
        usage: Usage | None = None,
        seed: int = 0,
    ) -> None:
        self.concurrency = max(1, concurrency)
        self.requests_per_minute = requests_per_minute
        self.tokens_per_minute = tokens_per_minute
        self.retries = retries
        self.timeout = timeout
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
        self._rate: BaseRateLimiter | None = None
        if self.requests_per_minute or self.tokens_per_minute:
            self._rate = TokenBucketRateLimiter(
                requests_per_minute=self.requests_per_minute,
                tokens_per_minute=self.tokens_per_minute,
            )

    @property
    def window(self) -> "Window":
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
        """
        return await self._retry.acall(lambda: self._once(work, model, tokens))

    async def _once(self, work: Callable[[], Awaitable[T]], model: str, tokens: int) -> T:
        window = self.window
        epoch = await window.enter()
        try:
            self.budget.check(self.usage, model=model, in_flight=window.in_flight - 1)
            await self._wait_for_rates(tokens)
            async with timeout(self.timeout):
                done = await work()
        except (TimeoutError, asyncio.TimeoutError) as error:
            window.shrink(epoch)  # the server may still be at work on it, and on others before it
            raise CallError(f"no answer within {self.timeout} s", transient=True) from error
        except CallError as error:
            if error.status in (429, 503):
                window.shrink(epoch)
            raise
        else:
            window.grow()
            return done
        finally:
            window.leave()

    async def _wait_for_rates(self, tokens: int) -> None:
        """Wait until the endpoint's own pause and the rates allow another call."""
        left = self._free_at - time.monotonic()
        if left > 0:
            await asyncio.sleep(left)
            return await self._wait_for_rates(tokens)  # meanwhile the pause may have become longer
        if self._rate is not None:
            # A prompt of more than a minute's tokens would wait for ever: it takes the minute.
            await self._rate.async_acquire(int(min(tokens, self.tokens_per_minute or tokens)))
        return None


def _is_transient_call(error: Exception) -> bool:
    return isinstance(error, CallError) and error.transient


class Window:
    """The calls in flight in one event loop, and how many there may be."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = float(most)
        self.in_flight = 0
        self._epoch = 0
        self._done = self._refused = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def enter(self) -> int:
        """Wait for a place; return the epoch in which it was given."""
        if self.in_flight < int(self.size) and not self._waiting:
            self.in_flight += 1
            return self._epoch
        place: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting.append(place)
        try:
            await place
        except asyncio.CancelledError:
            if place.done() and not place.cancelled():
                self.leave()  # the place was given in the very moment it was not wanted any more
            else:
                with suppress(ValueError):  # `leave` may have passed it over already
                    self._waiting.remove(place)
            raise
        return self._epoch

    def leave(self) -> None:
        """Give the place back, to the ones who wait longest."""
        self.in_flight -= 1
        while self._waiting and self.in_flight < int(self.size):
            place = self._waiting.popleft()
            if not place.done():
                self.in_flight += 1
                place.set_result(None)

    def grow(self) -> None:
        """Widen the window after a success."""
        self._done += 1
        if self._done >= self.size:  # a whole window succeeded: count refusals from 0
            self._done = self._refused = 0
        self.size = min(float(self.most), self.size + GROWTH)

    def shrink(self, epoch: int) -> None:
        """Halve the window after more refusals than chance, once for all calls of an epoch.

        In a window of ten calls or fewer one refusal is enough.

        Args:
            epoch: In which the refused call began; a new one begins with each halving.
        """
        if epoch != self._epoch:
            return
        self._refused += 1
        if self._refused > CHANCE_REFUSALS * self.size or self.size <= 1 / CHANCE_REFUSALS:
            self._epoch += 1
            self._done = self._refused = 0
            self.size = max(1.0, self.size / 2)


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
