"""Those who wait for replies of a store, in the event loops of one process."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from threading import Condition

Answer = str | Exception | None
"""A reply; without one, whoever waits is to ask."""

Future = asyncio.Future[str | None]

LOOK = 1.0
"""Seconds between two looks of those who wait: the thread itself may hang in a connection."""


class Waiters:
    """Who waits for the reply under which key.

    Args:
        lock: Held while it is read or changed.
        untaken: Called with a key whose answer nobody waited for any more.
        look: Called once a second by each who waits.

    Attributes:
        wanted: Keys to be looked up, in order.
        elsewhere: Keys that other processes are asking for.
    """

    def __init__(
        self, lock: Condition, untaken: Callable[[str], None], look: Callable[[], None]
    ) -> None:
        self.wanted: dict[str, None] = {}
        self.elsewhere: set[str] = set()
        self._lock, self._untaken, self._look = lock, untaken, look
        self._futures: defaultdict[str, list[Future]] = defaultdict(list)

    def add(self, key: str) -> Future:
        """Return where the answer goes; the lock is held."""
        reply: Future = asyncio.get_running_loop().create_future()
        self._futures[key].append(reply)
        reply.get_loop().call_later(LOOK, self._look_at, reply)
        if key not in self.elsewhere:
            self.wanted[key] = None
        return reply

    def _look_at(self, reply: Future) -> None:
        if not reply.done():
            self._look()
            reply.get_loop().call_later(LOOK, self._look_at, reply)

    def take(self, most: int, *, poll: bool) -> list[str]:
        """Return the keys to look up now, without those that nobody waits for; the lock is held.

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
        for key in keys:
            if all(reply.done() for reply in self._futures.get(key, ())):
                self._futures.pop(key, None)
        return [key for key in keys if key in self._futures]

    def send_away(self) -> None:
        """Let all who wait ask; the lock is held."""
        self.wanted.clear()
        self.elsewhere.clear()
        self.answer(dict.fromkeys(self._futures))

    def answer(self, answers: Mapping[str, Answer]) -> None:
        """Answer those who wait; each event loop is woken once for all of its own."""
        by_loop: defaultdict[asyncio.AbstractEventLoop, list[tuple[str, Future, Answer]]]
        by_loop = defaultdict(list)
        with self._lock:
            for key, answer in answers.items():
                for reply in self._futures.pop(key, ()):
                    by_loop[reply.get_loop()].append((key, reply, answer))
        for loop, own in by_loop.items():
            try:
                loop.call_soon_threadsafe(self._hand_over, own)
            except RuntimeError:  # it is closed
                for key, _, _ in own:
                    self._untaken(key)

    def _hand_over(self, own: Iterable[tuple[str, Future, Answer]]) -> None:
        for key, reply, answer in own:
            if reply.done():  # nobody waits any more
                self._untaken(key)
            elif isinstance(answer, Exception):
                reply.set_exception(answer)
            else:
                reply.set_result(answer)
