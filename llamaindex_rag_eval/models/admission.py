"""Admission: whether a call may go out now, in how many seconds it may, or why it may not.

One state machine for all calls of an endpoint: room for those in flight, the endpoint's absence,
the budget, rates and retries. A call asks whether it may go out, and says what came of it: `ask`
and `done`. The machine knows no clock and waits for nobody: the time is passed in, and whoever
drives it waits (`models.limit`).
"""

import math
from collections import deque
from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING

from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.models.breaker import Breaker
from llamaindex_rag_eval.models.failures import BUSY
from llamaindex_rag_eval.models.retry import RetryPolicy

if TYPE_CHECKING:
    from llamaindex_rag_eval.models.limit import Limit

GROWTH = 0.25
"""Calls that the window grows by for each success while it is below the maximum."""

CHANCE_REFUSALS = 0.1
"""Share of refused calls that is taken for chance: an overloaded endpoint refuses more."""

BURST = 1.0
"""Seconds' worth of a rate that may go out at once after a silence: a sixtieth of a minute's."""


@dataclass(eq=False, slots=True)
class Call:
    """A call that somebody wants to make, and what it holds.

    Attributes:
        window: Where it needs room.
        model: Whose endpoint is called.
        tokens: An estimate of the prompt.
        attempt: The number of its attempt; those while the endpoint is away do not count.
        not_before: When it may go out again after a failure.
        epoch: Of the window, while it has room there; else `None`.
        start: When the rates let it go out; `None` while it has not been counted.
        began: When it went out last.
        probes: Whether it is the one that tries whether the endpoint is back.
        number: Of the calls of this process, by which another one knows it.
    """

    window: "Window"
    model: str = ""
    tokens: int = 0
    attempt: int = 1
    not_before: float = 0.0
    epoch: int | None = None
    start: float | None = None
    began: float = 0.0
    probes: bool = False
    number: int = field(default_factory=count().__next__)


class Window:
    """How many calls are in flight: fewer after refusals, more again after successes."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = float(most)
        self.in_flight = 0
        self.waiting: deque[Call] = deque()
        self._epoch = 0
        self._done = self._refused = 0

    def enter(self, call: Call) -> bool:
        """Return whether there is room for a call; if not, it waits its turn."""
        if call.epoch is None and not self.waiting and self.in_flight < int(self.size):
            self.in_flight, call.epoch = self.in_flight + 1, self._epoch
        elif call.epoch is None and call not in self.waiting:
            self.waiting.append(call)
        return call.epoch is not None

    def leave(self, call: Call) -> list[Call]:
        """Take back the room of a call; return those that have waited longest and have room now."""
        if call.epoch is None:
            if call in self.waiting:
                self.waiting.remove(call)
            return []
        call.epoch = None
        self.in_flight -= 1
        admitted = []
        while self.waiting and self.in_flight < int(self.size):
            admitted.append(self.waiting.popleft())
            self.in_flight, admitted[-1].epoch = self.in_flight + 1, self._epoch
        return admitted

    def grow(self) -> None:
        """Widen the window after a success."""
        self._done += 1
        if self._done >= self.size:  # a whole window succeeded: count refusals from 0
            self._done = self._refused = 0
        self.size = min(float(self.most), self.size + GROWTH)

    def shrink(self, epoch: int | None) -> None:
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


class Rate:
    """A rate that is smooth: so many units in any 60 seconds, each with a time to start.

    Units are requests, or tokens. This is the generic cell rate algorithm (ITU-T I.371): units are
    `(60 + BURST) / per_minute` seconds apart, and may come up to `BURST` seconds early.

    Args:
        per_minute: The most units in any 60 seconds, above 0; `None` for any number.
    """

    def __init__(self, per_minute: float | None) -> None:
        self.per_minute = per_minute = per_minute or math.inf
        self._apart = (60.0 + BURST) / per_minute
        self._next = 0.0

    def take(self, units: float, now: float) -> float:
        """Take units and return when they may be used.

        More than a minute's units count as a minute's: they would never fit into one.
        """
        start = max(self._next, now - BURST)
        self._next = start + min(units, self.per_minute) * self._apart
        return start


class Admission:
    """The calls of an endpoint, whoever makes them.

    Args:
        limit: What the user allows.
        retry: When a failed call is tried again.
    """

    def __init__(self, limit: "Limit", retry: RetryPolicy) -> None:
        self.limit = limit
        self.retry = retry
        self._breakers: dict[str, Breaker] = {}
        self._in_flight = self._tokens_in_flight = 0
        self._calls, self._tokens = Rate(limit.requests_per_minute), Rate(limit.tokens_per_minute)

    def ask(self, call: Call, now: float) -> float:
        """Return 0 if a call may go out now, else the seconds after which to ask again.

        They are infinite where there is no room: it is to ask when `done` or `leave` of another
        call says that it has some.

        Raises:
            BudgetError: The budget is spent.
            EndpointError: The endpoint was away for longer than patience lasts.
        """
        if now < call.not_before:
            return call.not_before - now
        if not call.window.enter(call):
            return math.inf
        seconds = self._breaker(call).ask(call, now)
        if seconds:
            return seconds
        if call.start is None:
            self.limit.budget.check(
                self.limit.usage,
                model=call.model,
                in_flight=self._in_flight,
                tokens_in_flight=self._tokens_in_flight,
            )
            self._in_flight += 1
            self._tokens_in_flight += call.tokens
            call.start = max(self._calls.take(1, now), self._tokens.take(call.tokens, now))
        call.began = now
        return max(0.0, call.start - now)

    def done(self, call: Call, error: CallError | None, now: float) -> list[Call]:
        """Note that a call was answered, or failed; return the calls that have room now.

        One that is to go out again asks again: at once, and in its room, if the endpoint is away;
        else from its `not_before` on. One that was answered leaves.

        Raises:
            CallError: It cannot succeed, or did not after all retries.
            EndpointError: The endpoint refuses every call, or patience has ended.
        """
        if error is None:
            self._breaker(call).answered(call, now)
            call.window.grow()
            return self.leave(call)
        away = self._breaker(call).failed(call, error, now)
        self._free(call)
        if away:
            return []
        if error.status in BUSY or error.failure == "late":
            call.window.shrink(call.epoch)  # it may still be at work on it, and on others before it
        seconds = self.retry.wait(error, call.attempt)
        if seconds is None:
            raise error
        call.attempt += 1
        call.not_before = now + seconds
        return call.window.leave(call)

    def leave(self, call: Call) -> list[Call]:
        """Take back all that a call holds; return the calls that have room now."""
        self._free(call)
        return call.window.leave(call)

    def _free(self, call: Call) -> None:
        if call.start is not None:
            self._in_flight -= 1
            self._tokens_in_flight -= call.tokens
            call.start = None
        if call.probes:
            self._breaker(call).release(call)

    def _breaker(self, call: Call) -> Breaker:
        """Return the breaker of a model: an LLM and an embedding model may be at two addresses."""
        if call.model not in self._breakers:
            self._breakers[call.model] = Breaker(self.limit.patience, call.model)
        return self._breakers[call.model]
