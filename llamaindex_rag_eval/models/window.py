"""How many calls are in flight: fewer after refusals, more again after successes."""

import asyncio
from collections import deque
from contextlib import suppress

GROWTH = 0.25
"""Calls that the window grows by for each success while it is below the maximum."""

CHANCE_REFUSALS = 0.1
"""Share of refused calls that is taken for chance: an overloaded endpoint refuses more."""


class Window:
    """The calls in flight in one event loop, and how many there may be."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.size = float(most)
        self.in_flight = 0
        self._epoch = 0
        self._done = self._refused = 0
        self._waiting: deque[asyncio.Future[None]] = deque()

    def has_room(self) -> bool:
        """Return whether there is a place that nobody waits for."""
        return not self._waiting and self.in_flight < int(self.size)

    async def enter(self) -> int:
        """Wait for a place; return the epoch in which it was given."""
        if self.has_room():
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
