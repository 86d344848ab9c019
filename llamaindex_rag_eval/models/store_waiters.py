"""Those who wait for replies of a store, in the event loops of one process."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from threading import Condition

Answer = str | Exception | None
"""A reply; without one, whoever waits is to ask."""

LOOK = 1.0
"""Seconds between two looks of those who wait."""

Futures = dict[str, list["asyncio.Future[str | None]"]]


class Waiters:
    """Who waits for the reply under which key.

    Args:
        lock: Held while it is read or changed.
        untaken: Called with a key whose answer nobody waited for any more.
        look: Called once a second by each who waits.

    Attributes:
        wanted: Keys to be looked up.
        elsewhere: Keys that other processes are asking for.
    """

    def __init__(
        self, lock: Condition, untaken: Callable[[str], None], look: Callable[[], None]
    ) -> None:
        self.wanted: dict[str, None] = {}  # in order
        self.elsewhere: set[str] = set()
        self._lock, self._untaken, self._look = lock, untaken, look
        self._futures: Futures = defaultdict(list)

    def add(self, key: str) -> "asyncio.Future[str | None]":
        """Return where the answer goes; the lock is held."""
        reply: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._futures[key].append(reply)
        reply.get_loop().call_later(LOOK, self._look_at, reply)
        if key not in self.elsewhere:
            self.wanted[key] = None
        return reply

    def _look_at(self, reply: "asyncio.Future[str | None]") -> None:
        if not reply.done():
            self._look()
            reply.get_loop().call_later(LOOK, self._look_at, reply)

    def take(self, most: int, *, poll: bool) -> list[str]:
        """Return the keys to look up now, without those that nobody waits for.

        Args:
            most: New keys.
            poll: Whether to look again for those that others are asking for.
        """
        keys = list(self.wanted)[:most]
        for key in keys:
            del self.wanted[key]
        if poll:
            keys += self.elsewhere
            self.elsewhere.clear()
        return [key for key in keys if self._waits(key)]

    def _waits(self, key: str) -> bool:
        if any(not reply.done() for reply in self._futures.get(key, ())):
            return True
        self._futures.pop(key, None)
        return False

    def look_up(self, keys: Iterable[str]) -> None:
        """Have keys looked up again."""
        with self._lock:
            self.wanted.update(dict.fromkeys(key for key in keys if self._waits(key)))

    def send_away(self) -> None:
        """Let all who wait ask."""
        with self._lock:
            self.wanted.clear()
            self.elsewhere.clear()
            self.answer(dict.fromkeys(list(self._futures)))

    def answer(self, answers: Mapping[str, Answer]) -> None:
        """Answer those who wait; each event loop is woken once for all of its own."""
        by_loop: defaultdict[asyncio.AbstractEventLoop, Futures] = defaultdict(dict)
        with self._lock:
            for key in answers:
                replies = self._futures.pop(key, ())
                for reply in replies:
                    by_loop[reply.get_loop()].setdefault(key, []).append(reply)
                if not replies:
                    self._untaken(key)
        for loop, own in by_loop.items():
            try:
                loop.call_soon_threadsafe(self._hand_over, own, answers)
            except RuntimeError:  # it is closed
                for key in own:
                    self._untaken(key)

    def _hand_over(self, own: Futures, answers: Mapping[str, Answer]) -> None:
        for key, replies in own.items():
            waiting, answer = [reply for reply in replies if not reply.done()], answers[key]
            for reply in waiting:
                if isinstance(answer, Exception):
                    reply.set_exception(answer)
                else:
                    reply.set_result(answer)
            if not waiting:
                self._untaken(key)
