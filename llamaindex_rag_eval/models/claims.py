"""Claims on replies: found in the store, waited for, or leased to the one who is to ask.

Claims of a wave of requests are one query, made by a thread; the event loop never waits for the
store. While it does not answer, those who claim wait for `PATIENCE`; then they ask as if it held
nothing, and do so until it is back.
"""

import asyncio
import atexit
import time
import weakref
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.models.lease import is_dead, new_owner
from llamaindex_rag_eval.models.worker import Worker
from llamaindex_rag_eval.models.write_behind import PATIENCE, WriteBehind

if TYPE_CHECKING:
    from llamaindex_rag_eval.models.store import Claimed, ReplyStore

LINGER = 0.002
"""Seconds that a batch waits for company, unless it is full."""

FULL = 500
"""Keys in a batch at the most, but for those that others are asking for."""

POLL = 0.1
"""Seconds between two looks for replies that others are asking for."""

LOOK = 1.0
"""Seconds between two looks of an event loop for a store that is silent."""


class Waiting(NamedTuple):
    """One who waits for a key, in an event loop."""

    key: str
    loop: asyncio.AbstractEventLoop
    future: "asyncio.Future[str | None]"


Answer = str | Exception | None
"""A reply; an error; or nothing: the one who waited is to ask."""

_open: "weakref.WeakSet[Claims]" = weakref.WeakSet()


class Claims(Worker):
    """The claims of one process on a store, and what it writes there.

    Args:
        store: Only the threads touch it.

    Attributes:
        writes: Takes the replies to what was claimed.
    """

    def __init__(self, store: "ReplyStore") -> None:
        super().__init__()
        self.store = store
        self.owner = new_owner()
        self.writes = WriteBehind(store, self.owner)
        self._opened = False
        self._asked: list[Waiting] = []
        self._in_hand: dict[str, list[Waiting]] = {}
        self._elsewhere: dict[str, list[Waiting]] = {}
        self._polled = 0.0
        self._looking: WeakKeyDictionary[asyncio.AbstractEventLoop, int] = WeakKeyDictionary()
        _open.add(self)

    async def claim(self, key: str) -> str | None:
        """Return the reply kept under a key; `None` if the caller is to ask for it.

        Waits while another process asks for it. After `None`, `writes.put` or `writes.release`
        must follow.

        Raises:
            OutputError: The store could not be opened, at its first use.
        """
        unsaved = self.writes.unsaved.get(key)
        if unsaved is not None:
            return unsaved[0].reply
        if self.writes.away:
            return None
        loop = asyncio.get_running_loop()
        future: asyncio.Future[str | None] = loop.create_future()
        with self.change:
            self._asked.append(Waiting(key, loop, future))
            self.wake()
        self._look_while_waiting(loop)
        try:
            return await future
        except asyncio.CancelledError:
            if not future.cancelled():  # it has an answer that nobody takes
                self.writes.release(key)
            raise
        finally:
            self._looking[loop] -= 1

    def _look_while_waiting(self, loop: asyncio.AbstractEventLoop) -> None:
        """Count one who waits; while there are any, look now and then whether the store answers."""
        if loop not in self._looking:
            self._looking[loop] = 0
            loop.call_later(LOOK, self._look, loop)
        self._looking[loop] += 1

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        if not self._looking[loop]:
            del self._looking[loop]
            return
        self._leave_if_silent()
        loop.call_later(LOOK, self._look, loop)

    def due(self) -> float | None:
        """Return when to look into the store."""
        if self._asked:
            return 0.0
        return self._polled + POLL - time.monotonic() if self._elsewhere else None

    def work(self) -> None:
        """Claim what was asked, and look again for what others are asking for."""
        if len(self._asked) < FULL:
            time.sleep(LINGER)
        with self.change:
            batch = self._in_hand = self._batch()
        if not batch:
            return
        self.begin()
        try:
            claimed = self._claimed(set(batch))
        except Exception as error:  # noqa: BLE001 - whatever a driver raises, nobody waits for ever
            if not (self._opened or self.store.opened_before):
                self.succeed()
                self._answer((one, error) for several in batch.values() for one in several)
                return
            self.fail(error)
            with self.change:
                waiting = [one for several in batch.values() for one in several]
                self._asked = [one for one in waiting if not one.future.done()] + self._asked
            self._leave_if_silent()
            return
        self.succeed()
        self._hand_out(batch, claimed)

    def _batch(self) -> dict[str, list[Waiting]]:
        """Take what is due, without those who no longer wait."""
        asked, self._asked = self._asked[:FULL], self._asked[FULL:]
        if time.monotonic() >= self._polled + POLL:
            self._polled = time.monotonic()
            asked += [one for several in self._elsewhere.values() for one in several]
            self._elsewhere = {}
        batch: dict[str, list[Waiting]] = {}
        for one in asked:
            if not one.future.done():
                batch.setdefault(one.key, []).append(one)
        return batch

    def _claimed(self, keys: set[str]) -> "Claimed":
        """Claim keys; in a store that can be read but not written, read them."""
        if not self._opened:
            self.store.open()
            self._opened = True
        try:
            return self.store.claim(keys, self.owner)
        except OutputError:
            return self.store.read_only_claim(keys)

    def _hand_out(self, batch: dict[str, list[Waiting]], claimed: "Claimed") -> None:
        """Give replies and leases to those who wait; others go on waiting."""
        if claimed.leased:
            self.writes.hold(claimed.leased)
        elsewhere = {
            key: several
            for key, several in batch.items()
            if key not in claimed.replies and key not in claimed.leased
        }
        self._answer(
            (one, claimed.replies.get(key))
            for key, several in batch.items()
            if key not in elsewhere
            for one in several
        )
        for owner in set(claimed.owners.values()):
            if is_dead(owner):
                with suppress(OutputError):
                    self.store.forget(owner)
                self._polled = 0.0
        with self.change:
            for key, several in elsewhere.items():
                self._elsewhere.setdefault(key, []).extend(several)

    def _answer(self, answers: "Iterable[tuple[Waiting, Answer]]") -> None:
        """Answer those who wait: each event loop is woken once for all of its own."""
        by_loop: dict[asyncio.AbstractEventLoop, list[tuple[Waiting, Answer]]] = {}
        for one, answer in answers:
            by_loop.setdefault(one.loop, []).append((one, answer))
        for loop, several in by_loop.items():
            try:
                loop.call_soon_threadsafe(self._hand_over, several)
            except RuntimeError:  # it is closed
                self._release({one.key for one, _ in several})

    def _hand_over(self, answers: "list[tuple[Waiting, Answer]]") -> None:
        """Give answers to those who still wait; what nobody takes, another may ask for."""
        left, taken = set(), set()
        for (key, _, future), answer in answers:
            if future.done():
                left.add(key)
                continue
            taken.add(key)
            if isinstance(answer, Exception):
                future.set_exception(answer)
            else:
                future.set_result(answer)
        self._release(left - taken)

    def _release(self, keys: set[str]) -> None:
        for key in keys:
            self.writes.release(key)

    def _leave_if_silent(self) -> None:
        """Go on without a store that has not answered for too long."""
        if self.silence < PATIENCE:
            return
        writes = self.writes
        writes.error = self.error
        writes.say_away()
        with writes.change:
            writes.away = True
            writes.wake()
        with self.change:
            waiting = list(self._asked)
            for held in (self._elsewhere, self._in_hand):
                waiting += [one for several in held.values() for one in several]
            self._asked, self._elsewhere = [], {}
        self._answer((one, None) for one in waiting)

    def close(self) -> None:
        """Write what is missing, and end the threads."""
        _open.discard(self)
        self.writes.flush()
        self.writes.end(1.0)
        self.end(1.0)


@atexit.register
def _flush_all() -> None:
    for claims in list(_open):
        claims.writes.flush()
