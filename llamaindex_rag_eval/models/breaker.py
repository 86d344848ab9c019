"""A circuit breaker: while an endpoint is away, everybody waits, and one call at a time tries it.

Endurance is a matter of time, not of attempts: how long an outage may last is the breaker's
`patience`; the retries of a call are for faults of that call alone.
"""

import asyncio
import logging
import random
import time
from collections.abc import Awaitable, Callable
from typing import TypeVar

from llamaindex_rag_eval.errors import CallError, EndpointError
from llamaindex_rag_eval.models.durations import duration_text
from llamaindex_rag_eval.models.failed_call import failure_of
from llamaindex_rag_eval.models.failures import BUSY, Action

logger = logging.getLogger(__name__)

T = TypeVar("T")

PATIENCE = 600.0
"""Seconds for which an endpoint that has answered before is waited for, by default."""

PATIENCE_AT_FIRST = 15.0
"""Seconds for an endpoint that has never answered: long enough for a server that is starting, short
for an address that is wrong."""

IN_A_ROW = 5
"""Failures in a row that open the breaker: where one call in ten fails by chance, one in 100,000
does so, and costs the wait for one call."""

LATE_BY = 1 / 20
"""Share of an outage after which its end is noticed at the latest."""

SOONEST, LATEST = 0.25, 30.0
"""Seconds between two probes: the least, and the most. A `Retry-After` is often a guess: its date
counts where it is sooner, and else the endpoint is tried all the same."""

CHECK = (0.05, 0.15)
"""Seconds between two looks of a waiting call; by chance, so that the probes take turns and not all
calls begin in one moment."""

FIRST_LINE = 2.0
"""Seconds of an outage before a line tells of it, unless the endpoint said so itself: then it comes
at once. The next ones come after half a minute, and after twice the time."""

RESTS = 5.0
"""Seconds after the end of patience, or a refusal, in which calls fail without being tried."""

HALF_A_DAY = 43_200.0
"""Seconds: a time that is farther away is shown with its date."""

RESPECTED = 2.0
"""Seconds of a `Retry-After` that are nothing to tell of; after more, the endpoint counts as away
at the first such answer."""


class Breaker:
    """Let calls through to one endpoint while it answers.

    Args:
        patience: Seconds for which it is waited for; `None` for 10 minutes where it has answered
            before, and 15 seconds where it never has.
        name: Of what is called, for messages.
    """

    def __init__(self, patience: float | None = None, name: str = "") -> None:
        self.patience = patience
        self.name = f"the endpoint of {name!r}" if name else "the endpoint"
        self._answered = self._reached = False
        self._failures = self._refusals = 0
        self._since = self._probe_at = self._tell_at = self._told_at = 0.0
        self._open = self._probing = self._told = False
        self._until: float | None = None
        self._cause = ""
        self._ended: tuple[float, EndpointError] | None = None

    async def through(self, work: Callable[[], Awaitable[T]], *, first: bool = True) -> T:
        """Await `work()` once the endpoint answers; again after each failure of an outage.

        Args:
            work: Makes one attempt at one call.
            first: Whether it is the first one at this call. What fails again and again may be the
                call's own fault, and opens nothing where the endpoint was reached.

        Raises:
            CallError: The attempt failed, and the endpoint is not away.
            EndpointError: Patience has ended, or the endpoint refuses every call.
        """
        while True:
            probing = await self._admitted()
            began = time.monotonic()
            try:
                done = await work()
            except CallError as error:
                action = self._action(error)
                if action == "end":
                    asked = error.retry_after
                    until = f"; it asks to be left alone {_until(asked)}" if asked else ""
                    why = f"{self.name} takes no call: {error}{until}"
                    raise self._end(why, error.status) from error
                if not self._is_away(error, action, began, first=first):
                    raise
            else:
                self._close(began)
                self._refusals = 0
                return done
            finally:
                if probing:
                    self._probing = False
            if not self._open:
                continue
            if time.monotonic() >= self._since + self._patience:
                raise self._end(self._why_ended())

    @property
    def _patience(self) -> float:
        if self.patience is not None:
            return self.patience
        return PATIENCE if self._answered or self._reached else PATIENCE_AT_FIRST

    async def _admitted(self) -> bool:
        """Wait while the endpoint is away; return whether this call is the probe."""
        while True:
            now = time.monotonic()
            if self._ended is not None and now < self._ended[0] + RESTS:
                raise self._ended[1]
            if not self._open:
                return False
            if not self._probing and now >= self._probe_at:
                self._probing = True
                return True
            self._tell(now)
            await asyncio.sleep(max(self._probe_at - now, 0.0) + random.uniform(*CHECK))  # noqa: S311

    def _action(self, error: CallError) -> Action:
        """Return what the table says of a failure, after all that came from this endpoint.

        Of an endpoint that has answered, a refusal of one call may be for what that holds, and a
        lost name or certificate may come back.
        """
        row = failure_of(error)
        action = row.later if row.later is not None and self._answered else row.action
        if row.later == action == "fail":
            self._refusals += 1
            return "end" if self._refusals >= IN_A_ROW else "fail"
        asked = error.retry_after or 0.0
        if action != "retry" or asked <= LATEST:
            return action
        return "wait" if asked <= self._patience else "end"  # a quota of the day is no outage

    def _is_away(self, error: CallError, action: Action, began: float, *, first: bool) -> bool:
        """Count a failure; return whether the endpoint is away, and the call is to wait."""
        now, asked = time.monotonic(), error.retry_after or 0.0
        refused = error.status is not None and 400 <= error.status < 500
        if action != "wait" and (refused or (action == "fail" and error.status is not None)):
            self._close(began)  # it answers
        if action == "fail" or (refused and action == "retry"):
            return False
        self._reached |= error.status in BUSY
        if not self._open and (first or action == "wait" or not self._answered):
            told, at_once = asked > RESPECTED, failure_of(error).at_once
            if not self._failures:
                self._since = began if at_once else now  # it has been tried all the while
            self._failures += 1
            if self._failures >= IN_A_ROW or at_once or (told and action == "wait"):
                self._open, self._told = True, False
                again = now < self._told_at + LATEST
                self._tell_at = self._since + (0.0 if told and not again else FIRST_LINE)
        if self._open:
            self._cause = str(error)
            self._until = now + asked if asked else None
            wait = max(SOONEST, LATE_BY * (now - self._since))
            wait = LATEST if refused else wait
            wait = min(wait, asked) if asked > RESPECTED else max(wait, asked)
            self._probe_at = min(now + min(wait, LATEST), self._since + self._patience)
            self._tell(now)
        return self._open

    def _close(self, began: float) -> None:
        """Note that a call which began at a moment was answered."""
        self._answered, self._ended = True, None
        self._failures = 0
        if self._open and began < self._since:
            return  # it was on its way before the outage
        if self._told:
            away = duration_text(time.monotonic() - self._since)
            logger.warning("%s answers again after %s", self.name, away)
        self._open = self._told = False

    def _end(self, why: str, status: int | None = None) -> EndpointError:
        error = EndpointError(why, status=status)
        self._ended = time.monotonic(), error
        return error

    def _why_ended(self) -> str:
        away = duration_text(time.monotonic() - self._since)
        never = "" if self._answered else " once"
        return f"{self.name} has not answered{never} for {away}: {self._cause}"

    def _tell(self, now: float) -> None:
        if now < self._tell_at or self._ended is not None:
            return
        self._told, self._told_at = True, now
        self._tell_at = self._since + max(2 * (now - self._since), LATEST)
        logger.warning(
            "%s %s: waiting up to %s (--patience), trying it every %s at the latest "
            "(stop with Ctrl-C: everything is kept); %s",
            self.name,
            self._state(now),
            duration_text(self._patience),
            duration_text(LATEST),
            self._cause,
        )

    def _state(self, now: float) -> str:
        """Return since when the endpoint is away, or until when it says it is."""
        if self._until is None or self._until <= now:
            return f"has not answered for {duration_text(now - self._since)}"
        return f"asks to be left alone {_until(self._until - now)}"


def _until(seconds: float) -> str:
    """Return how long, and until when."""
    form = "%H:%M:%S" if seconds < HALF_A_DAY else "%Y-%m-%d %H:%M"
    at = time.strftime(form, time.localtime(time.time() + seconds))
    return f"for {duration_text(seconds)}, until {at}"
