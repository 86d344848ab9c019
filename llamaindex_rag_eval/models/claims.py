"""Claims on replies: found in the store, waited for, or leased to the one who is to ask.

Claims of a wave of requests are one query, made by a thread; the event loop never waits for the
store. While it does not answer, those who claim wait for `PATIENCE`; then they ask as if it held
nothing, and do so until it is back.
"""

import asyncio
import atexit
import time
import weakref
from concurrent.futures import Future, InvalidStateError
from contextlib import suppress
from typing import TYPE_CHECKING

from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.models.lease import is_dead, new_owner
from llamaindex_rag_eval.models.worker import Worker
from llamaindex_rag_eval.models.write_behind import PATIENCE, WriteBehind

if TYPE_CHECKING:
    from llamaindex_rag_eval.models.store import Claimed, ReplyStore

__all__ = ["Claims"]

LINGER = 0.001
"""Seconds that a batch waits for company, unless it is full."""

FULL = 500
"""Keys in a batch at the most, but for those that others are asking for."""

POLL = 0.1
"""Seconds between two looks for replies that others are asking for."""

Waiting = Future["str | None"]

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
        self._asked: list[tuple[str, Waiting]] = []
        self._in_hand: dict[str, list[Waiting]] = {}
        self._elsewhere: dict[str, list[Waiting]] = {}
        self._polled = 0.0
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
        future: Waiting = Future()
        with self.change:
            self._asked.append((key, future))
            self.wake()
        waiting = asyncio.wrap_future(future)
        try:
            while not (await asyncio.wait((waiting,), timeout=1.0))[0]:
                self._leave_if_silent()
            return waiting.result()
        except asyncio.CancelledError:
            if not future.cancel():
                future.add_done_callback(lambda _: self.writes.release(key))
            raise

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
            if not self._opened:
                self.succeed()
                _resolve(batch, error)
                return
            self.fail(error)
            with self.change:
                waiting = [(key, future) for key, futures in batch.items() for future in futures]
                self._asked = [entry for entry in waiting if not entry[1].done()] + self._asked
            self._leave_if_silent()
            return
        self.succeed()
        self._hand_out(batch, claimed)

    def _batch(self) -> dict[str, list[Waiting]]:
        """Take what is due, without those who no longer wait."""
        asked, self._asked = self._asked[:FULL], self._asked[FULL:]
        if time.monotonic() >= self._polled + POLL:
            self._polled = time.monotonic()
            asked += [(key, one) for key, futures in self._elsewhere.items() for one in futures]
            self._elsewhere = {}
        batch: dict[str, list[Waiting]] = {}
        for key, future in asked:
            if not future.done():
                batch.setdefault(key, []).append(future)
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
        elsewhere = {}
        for key, futures in batch.items():
            if key not in claimed.replies and key not in claimed.leased:
                elsewhere[key] = futures
                continue
            if not _resolve({key: futures}, claimed.replies.get(key)):
                self.writes.release(key)
        for owner in set(claimed.owners.values()):
            if is_dead(owner):
                with suppress(OutputError):
                    self.store.forget(owner)
                self._polled = 0.0
        with self.change:
            for key, futures in elsewhere.items():
                self._elsewhere.setdefault(key, []).extend(futures)

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
            waiting = [*self._asked, *((k, f) for k, fs in self._elsewhere.items() for f in fs)]
            waiting += [(key, f) for key, futures in self._in_hand.items() for f in futures]
            self._asked, self._elsewhere = [], {}
        for key, future in waiting:
            _resolve({key: [future]}, None)

    def close(self) -> None:
        """Write what is missing, and end the threads."""
        _open.discard(self)
        self.writes.flush()
        self.writes.end(1.0)
        self.end(1.0)


def _resolve(waiting: dict[str, list[Waiting]], value: str | Exception | None) -> int:
    """Give a value or an error to those who wait; return how many took it."""
    taken = 0
    for future in (future for futures in waiting.values() for future in futures):
        with suppress(InvalidStateError):  # it was cancelled, or has an answer
            if isinstance(value, Exception):
                future.set_exception(value)
            else:
                future.set_result(value)
            taken += 1
    return taken


@atexit.register
def _flush_all() -> None:
    for claims in list(_open):
        claims.writes.flush()
