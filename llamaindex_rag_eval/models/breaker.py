"""A circuit breaker: while an endpoint is away, all calls wait, and one at a time tries it.

Endurance is a matter of time, not of attempts: how long an outage may last is the breaker's
`patience`; the retries of a call are for faults of that call alone.
"""

import logging
import random
import time
from typing import TYPE_CHECKING

from llamaindex_rag_eval.errors import CallError, EndpointError
from llamaindex_rag_eval.models.durations import duration_text
from llamaindex_rag_eval.models.failures import BUSY, Action, failure_of

if TYPE_CHECKING:
    from llamaindex_rag_eval.models.admission import Call

logger = logging.getLogger(__name__)

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
    """Whether one endpoint answers; if not, when it is tried again. The time is passed in.

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
        self._since = self._probe_at = self._report_at = self._reported_at = 0.0
        self._open = self._probing = self._reported = False
        self._until: float | None = None
        self._cause = ""
        self._ended: tuple[float, EndpointError] | None = None

    def ask(self, call: "Call", now: float) -> float:
        """Return 0 if a call may go out now, else the seconds after which to ask again.

        Raises:
            EndpointError: Patience has just ended, or the endpoint refuses every call.
        """
        if self._ended is not None and now < self._ended[0] + RESTS:
            raise self._ended[1]
        if not self._open or call.probes:
            return 0.0
        if not self._probing and now >= self._probe_at:
            self._probing = call.probes = True
            return 0.0
        self._report(now)
        return max(self._probe_at - now, 0.0) + random.uniform(*CHECK)  # noqa: S311

    def release(self, call: "Call") -> None:
        """Let another call try the endpoint."""
        self._probing = call.probes = False

    def answered(self, call: "Call", now: float) -> None:
        """Note that a call was answered."""
        self._close(call.began, now)
        self._refusals = 0

    def failed(self, call: "Call", error: CallError, now: float) -> bool:
        """Return whether the endpoint is away, so that a call that failed waits for it.

        What fails again and again may be the call's own fault, and opens nothing where the endpoint
        was reached.

        Raises:
            EndpointError: Patience has ended, or the endpoint refuses every call.
        """
        action = self._action(error)
        if action == "end":
            asks = error.retry_after
            until = f"; it asks to be left alone {_until(asks)}" if asks else ""
            why = f"{self.name} takes no call: {error}{until}"
            raise self._end(why, now, error.status) from error
        away = self._is_away(call, error, action, now)
        if away and now >= self._since + self._patience:
            silent = duration_text(now - self._since)
            never = "" if self._answered else " once"
            why = f"{self.name} has not answered{never} for {silent}: {self._cause}"
            raise self._end(why, now) from error
        return away

    @property
    def _patience(self) -> float:
        if self.patience is not None:
            return self.patience
        return PATIENCE if self._answered or self._reached else PATIENCE_AT_FIRST

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
        asks = error.retry_after or 0.0
        if action != "retry" or asks <= LATEST:
            return action
        return "wait" if asks <= self._patience else "end"  # a quota of the day is no outage

    def _is_away(self, call: "Call", error: CallError, action: Action, now: float) -> bool:
        """Count a failure; return whether the endpoint is away, and the call is to wait."""
        asks, at_once = error.retry_after or 0.0, failure_of(error).at_once
        refused = error.status is not None and 400 <= error.status < 500
        if action != "wait" and (refused or (action == "fail" and error.status is not None)):
            self._close(call.began, now)  # it answers
        if action == "fail" or (refused and action == "retry"):
            return False
        self._reached |= error.status in BUSY
        if not self._open and (call.attempt == 1 or action == "wait" or not self._answered):
            if not self._failures:
                self._since = call.began if at_once else now  # it has been tried all the while
            self._failures += 1
            says_so = asks > RESPECTED and action == "wait"
            if self._failures >= IN_A_ROW or at_once or says_so:
                self._open, self._reported = True, False
                again = now < self._reported_at + LATEST
                self._report_at = self._since + (
                    0.0 if asks > RESPECTED and not again else FIRST_LINE
                )
        if self._open:
            self._cause = str(error)
            self._until = now + asks if asks else None
            wait = LATEST if refused else max(SOONEST, LATE_BY * (now - self._since))
            wait = min(wait, asks) if asks > RESPECTED else max(wait, asks)
            self._probe_at = min(now + min(wait, LATEST), self._since + self._patience)
            self._report(now)
        return self._open

    def _close(self, began: float, now: float) -> None:
        """Note that a call which began at a moment was answered."""
        self._answered, self._ended = True, None
        self._failures = 0
        if self._open and began < self._since:
            return  # it was on its way before the outage
        if self._reported:
            away = duration_text(now - self._since)
            logger.warning("%s answers again after %s", self.name, away)
        self._open = self._reported = False

    def _end(self, why: str, now: float, status: int | None = None) -> EndpointError:
        error = EndpointError(why, status=status)
        self._ended = now, error
        return error

    def _report(self, now: float) -> None:
        """Log that the endpoint is waited for, and since or until when it is away."""
        if now < self._report_at or self._ended is not None:
            return
        self._reported, self._reported_at = True, now
        self._report_at = self._since + max(2 * (now - self._since), LATEST)
        silent = self._until is None or self._until <= now
        since = f"has not answered for {duration_text(now - self._since)}"
        logger.warning(
            "%s %s: waiting up to %s (patience), trying it every %s at the latest "
            "(stop with Ctrl-C: everything is kept); %s",
            self.name,
            since if silent else f"asks to be left alone {_until((self._until or now) - now)}",
            duration_text(self._patience),
            duration_text(LATEST),
            self._cause,
        )


def _until(seconds: float) -> str:
    """Return how long, and until when."""
    form = "%H:%M:%S" if seconds < HALF_A_DAY else "%Y-%m-%d %H:%M"
    at = time.strftime(form, time.localtime(time.time() + seconds))
    return f"for {duration_text(seconds)}, until {at}"
