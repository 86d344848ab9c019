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

SOONEST, LATEST = 0.25, 15.0
"""Seconds between two probes: the least, and the most."""

CHECK = (0.05, 0.15)
"""Seconds between two looks of a waiting call; by chance, so that the probes take turns and not all
calls begin in one moment."""

FIRST_LINE = 2.0
"""Seconds of an outage before a line tells of it; the next ones come after twice the time."""

RESTS = 5.0
"""Seconds after the end of patience, or a refusal, in which calls fail without being tried."""

HINTS = {
    401: "; check the API key",
    402: "; check the account's balance",
    403: "; check what the API key may use",
    404: "; check the model's name and the address of the API (--base-url)",
    429: "; check the account's quota",
    None: "; check the address of the API (--base-url)",
}
"""HTTP status of a refusal, `None` for no connection -> what to look at."""


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
        self._answered = False
        self._failures = self._refusals = 0
        self._since = self._probe_at = self._tell_at = 0.0
        self._open = self._probing = self._told = False
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
                if self._refuses_all(error):
                    hint = HINTS.get(error.status, "")
                    why = f"{self.name} takes no call: {error}{hint}"
                    raise self._end(why, error.status) from error
                if not self._is_away(error, began, first=first):
                    raise
            else:
                self._close()
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
        return PATIENCE if self._answered else PATIENCE_AT_FIRST

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

    def _is_away(self, error: CallError, began: float, *, first: bool) -> bool:
        """Count a failure; return whether the endpoint is away, and the call is to wait."""
        now = time.monotonic()
        if error.status is not None and error.status < 500:
            self._close()  # it answers
            return False
        if not error.transient:
            return False
        counts = first or error.scope in ("unreached", "away", "refused")
        if not self._open and counts:
            if not self._failures:
                # A connection that does not come about has been tried all the while.
                self._since = began if error.scope == "unreached" else now
            self._failures += 1
            if self._failures >= IN_A_ROW or error.scope in ("unreached", "refused"):
                self._open, self._told, self._tell_at = True, False, self._since + FIRST_LINE
        if self._open:
            self._cause = str(error)
            wait = min(max(SOONEST, LATE_BY * (now - self._since)), LATEST)
            asked = error.retry_after or 0.0
            self._probe_at = min(now + max(wait, asked), self._since + self._patience)
        return self._open

    def _refuses_all(self, error: CallError) -> bool:
        """Return whether no call can pass, as for a wrong key.

        Of an endpoint that has answered, a refusal of one call may be for what that holds, and a
        lost name or certificate may come back.
        """
        if error.scope != "refused":
            return False
        if error.status in (401, 402, 429):
            return True
        self._refusals += error.status is not None
        return not self._answered or self._refusals >= IN_A_ROW

    def _close(self) -> None:
        if self._told:
            away = duration_text(time.monotonic() - self._since)
            logger.warning("%s answers again after %s", self.name, away)
        self._answered, self._ended = True, None
        self._open = self._told = False
        self._failures = 0

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
        away = now - self._since
        self._told, self._tell_at = True, self._since + 2 * away
        logger.warning(
            "%s has not answered for %s: waiting up to %s "
            "(stop with Ctrl-C: everything is kept); %s",
            self.name,
            duration_text(away),
            duration_text(self._patience),
            self._cause,
        )
