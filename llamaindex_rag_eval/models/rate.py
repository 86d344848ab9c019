"""A rate that is smooth: so many a minute in every minute, the first one too, and no burst."""

import asyncio
import time

BURST = 1.0
"""Seconds' worth that may go out at once after a pause: a sixtieth of a minute's."""


class Rate:
    """Keep to so many units a minute, in any 60 seconds, by giving each a time to start.

    Units are requests, or tokens. This is the generic cell rate algorithm (ITU-T I.371): units are
    `(60 + BURST) / per_minute` seconds apart, and may come up to `BURST` seconds early.

    Args:
        per_minute: The most units in any 60 seconds, above 0.
    """

    def __init__(self, per_minute: float) -> None:
        self.per_minute = per_minute
        self._apart = (60.0 + BURST) / per_minute
        self._next = 0.0

    def take(self, units: float = 1.0) -> float:
        """Take units and return the seconds until they may be used.

        More than a minute's units count as a minute's: they would never fit into one.
        """
        now = time.monotonic()
        start = max(self._next, now - BURST)
        self._next = start + min(units, self.per_minute) * self._apart
        return max(0.0, start - now)

    async def wait(self, units: float = 1.0) -> None:
        """Take units, and wait until they may be used."""
        seconds = self.take(units)
        if seconds:
            await asyncio.sleep(seconds)
