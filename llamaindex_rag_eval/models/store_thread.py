"""The thread of a store: brings replies there, and takes from there what is known already.

What many tasks want and have is one exchange with the store; no event loop ever waits for it.
What the store does not take stays in memory, and beside a file, and is tried again until the store
does. While it does not answer, those who claim wait for `PATIENCE`; then they ask as if it held
nothing, and do so until it is back.

Processes that share a store and want the same wait for the one that has the lease. It renews its
leases while it lives. One of a process that died expires, or is given up at once where another
process of the same machine sees that it is gone.
"""

import asyncio
import logging
import random
import threading
import time
from collections import defaultdict
from collections.abc import Mapping
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING

from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.models.owner import is_dead, new_owner
from llamaindex_rag_eval.models.store_tables import LEASE_SECONDS, Claimed, StoredReply

if TYPE_CHECKING:
    from llamaindex_rag_eval.models.store import ReplyStore

logger = logging.getLogger(__name__)

FULL = 500
"""Rows, or keys, in an exchange at the most, but for keys that others are asking for."""

LINGER = 0.002
"""Seconds that an exchange waits for company, unless it is full or somebody waits for its end."""

LOOK = 1.0
"""Seconds between two looks of those who wait: the thread itself may hang in a connection."""

POLL = 0.1
"""Seconds between two looks for replies that others are asking for."""

IDLE = 5.0
"""Seconds after which a thread with nothing to do ends."""

PATIENCE = 20.0
"""Seconds without success after which a store counts as away: it may be restarting."""

LAST_TRY = 2.0
"""Seconds that the end of a run waits for a store that has just failed."""

LONGEST_ASKING = 900.0
"""Seconds for which a lease is renewed: who asks for longer may have been left behind."""

FIRST_WAIT, LONGEST_WAIT = 0.05, 1.0
"""Seconds between attempts at what fails, however long it does: doubled each time."""

Answer = str | Exception | None
"""A reply; without one, whoever waits is to ask."""


class StoreThread:
    """What one process has for a store, and wants from it.

    Args:
        store: Only the thread touches it.

    Attributes:
        unsaved: Key -> the reply that is not in the store yet.
        away: Whether reading has given up; the store is then tried until it answers.
    """

    def __init__(self, store: "ReplyStore") -> None:
        self.store = store
        self.unsaved: dict[str, StoredReply] = {}
        self._spilled: set[str] = set()  # of these, keys of those that stand beside the store
        self.away = self._said_away = self._ended = False
        self._change = threading.Condition()  # held while state is read or changed
        self._thread: threading.Thread | None = None
        self._waiting: defaultdict[str, list[asyncio.Future[str | None]]] = defaultdict(list)
        self._wanted: dict[str, None] = {}  # keys to be looked up, in order
        self._elsewhere: set[str] = set()  # keys that other processes are asking for
        self._leases: dict[str, float] = {}  # until when they are renewed
        self._released: set[str] = set()  # their replies could not be had
        self._silent_since: float | None = None  # nothing was read since
        self._refused_since: float | None = None  # nothing was written since
        self._failures = self._flushing = 0
        self._error = "no answer"
        self._resume = self._polled = 0.0
        self._renewed = time.monotonic()

    @cached_property
    def _owner(self) -> str:
        return new_owner()

    async def claim(self, key: str) -> str | None:
        """Return the reply kept under a key; `None` if the caller is to ask for it.

        Waits while another process asks for it. After `None`, `put` or `release` must follow.

        Raises:
            OutputError: The store could not be opened, at its first use.
        """
        with self._change:
            if key in self.unsaved:
                return self.unsaved[key].reply
            if self.away:
                return None
            reply: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
            self._waiting[key].append(reply)
            if key not in self._elsewhere:
                self._wanted[key] = None
            self._wake()
        try:
            while not (await asyncio.wait({reply}, timeout=LOOK))[0]:
                self._leave_if_silent()
            return reply.result()
        except asyncio.CancelledError:
            if not reply.cancel():  # it is there, and nobody takes it
                self.release(key)
            raise

    def put(self, row: StoredReply) -> None:
        """Have a reply kept, soon."""
        with self._change:
            self.unsaved[row.key] = row
            self._leases.pop(row.key, None)  # it expires: others find the reply
            self._wake()

    def release(self, key: str) -> None:
        """Give up the lease on a reply that could not be had; another may ask for it."""
        with self._change:
            if self._leases.pop(key, None):
                self._released.add(key)
                self._wake()

    def flush(self) -> None:
        """Wait until all is written; a line says what a failing store does not take."""
        begun = time.monotonic()
        with self._change:
            self._flushing += 1
            if self.unsaved or self._released:
                self._wake()
            while self._thread is not None and (self.unsaved or self._released):
                left = begun + (LAST_TRY if self._failures else PATIENCE) - time.monotonic()
                if left <= 0:
                    break
                self._change.wait(min(left, 0.1))  # a failure shortens it
            self._flushing -= 1
            unsaved = list(self.unsaved.values())
        if unsaved and self._thread is None:  # none can begin where Python ends
            with suppress(OutputError):
                self.store.keep(unsaved)
                self._written(unsaved, set())
        if self.unsaved:
            self._spill(unsaved)
            self._said_away = True
            lost = "%d replies are not in the cache (%s): what needs them later may be asked again"
            logger.warning(lost, len(self.unsaved), self._error)

    def close(self) -> None:
        """Write what is missing, and end the thread."""
        self.flush()
        with self._change:
            self._ended, thread = True, self._thread
            self._change.notify_all()
        if thread is not None:
            thread.join(1.0)

    def _wake(self) -> None:
        """Look for something to do; `_change` is held."""
        if self._thread is None and not self._ended:
            thread = threading.Thread(target=self._run, name="store", daemon=True)
            with suppress(RuntimeError):  # none begins where Python ends: `flush` writes
                thread.start()
                self._thread = thread
        self._change.notify_all()

    def _run(self) -> None:
        idle = False
        while True:
            with self._change:
                seconds = self._due()
                if self._ended or (idle and seconds is None):
                    self._thread = None
                    return
                if seconds is None or seconds > 0:
                    woken = self._change.wait(IDLE if seconds is None else seconds)
                    idle = seconds is None and not woken
                    continue
            self._exchange()

    def _due(self) -> float | None:
        """Return in how many seconds there is something to do; `None` if there is nothing."""
        at = []
        if self._wanted:
            at.append(0.0 if self._silent_since is None else self._resume)
        if self.unsaved or self._released or self.away:
            at.append(self._resume)
        if self._elsewhere:
            at.append(self._polled + POLL)
        if self._leases:
            at.append(self._renewed + LEASE_SECONDS / 3)
        return min(at) - time.monotonic() if at else None

    def _exchange(self) -> None:
        """Bring what there is, and take what is wanted."""
        if not self._flushing and max(len(self.unsaved), len(self._wanted)) < FULL:
            time.sleep(LINGER)
        now = time.monotonic()
        with self._change:
            ready = now >= self._resume
            poll = now >= self._polled + POLL
            keys = self._keys(poll=poll)
            batch = list(self.unsaved.values())[:FULL] if ready else []
            released = self._released.difference(keys) if ready else set()
        self._polled = now if poll else self._polled
        self._silent_since = self._silent_since or now
        try:
            claimed: Claimed | None = self._exchanged(keys, batch, released)
        except Exception as error:  # noqa: BLE001 - whatever a driver raises, nothing may be lost
            self._fail(error, batch)
            claimed = self._read(keys, error)
        else:
            if ready:
                self._written(batch, released)
        if claimed is not None:
            self._silent_since = None
            self._hand_out(keys, claimed)

    def _keys(self, *, poll: bool) -> list[str]:
        """Return the keys to look up now, but for those that nobody waits for; `_change` is held.

        Args:
            poll: Whether to look again for those that others are asking for.
        """
        keys = list(self._wanted)[:FULL]
        for key in keys:
            del self._wanted[key]
        if poll:
            keys += self._elsewhere
            self._elsewhere.clear()
        for key in keys:
            if all(reply.done() for reply in self._waiting[key]):
                del self._waiting[key]
        return [key for key in keys if key in self._waiting]

    def _exchanged(self, keys: list[str], batch: list[StoredReply], released: set[str]) -> Claimed:
        """Do what is to be done over the store."""
        claimed = self.store.exchange(self._owner, keys, rows=batch, released=released)
        now = time.monotonic()
        if self._leases and now >= self._renewed + LEASE_SECONDS / 3:
            self._renewed = now
            with self._change:
                self._leases = {key: end for key, end in self._leases.items() if end > now}
                renewed = list(self._leases)
            self.store.renew(renewed, self._owner)
        return claimed

    def _read(self, keys: list[str], error: Exception) -> Claimed | None:
        """Return what can be read of a store that takes nothing; `None` if that cannot be, either.

        Where the store was never opened, those who wait get the error.
        """
        if not self.store.was_opened:
            self._silent_since = None
            self._answer(dict.fromkeys(keys, error))
            return None
        try:
            replies = self.store.find(keys)
            return Claimed(replies, {*keys} - replies.keys(), {})
        except Exception:  # noqa: BLE001 - as above
            with self._change:
                self._wanted.update(dict.fromkeys(keys))
            self._leave_if_silent()
            return None

    def _hand_out(self, keys: list[str], claimed: Claimed) -> None:
        """Give replies and leases to those who wait; others go on waiting."""
        leased = claimed.leased - claimed.replies.keys()
        answered = leased | claimed.replies.keys()
        with self._change:
            self._leases.update(dict.fromkeys(leased, time.monotonic() + LONGEST_ASKING))
            self._elsewhere.update(key for key in keys if key not in answered)
        self._answer({key: claimed.replies.get(key) for key in answered})
        for owner in filter(is_dead, set(claimed.owners.values())):
            with suppress(OutputError):
                self.store.forget(owner)
            self._polled = 0.0

    def _answer(self, answers: Mapping[str, Answer]) -> None:
        """Answer those who wait, each in its event loop."""
        with self._change:
            waiting = [
                (reply, key, answer)
                for key, answer in answers.items()
                for reply in self._waiting.pop(key, ())
            ]
        for reply, key, answer in waiting:
            try:
                reply.get_loop().call_soon_threadsafe(self._hand_over, reply, key, answer)
            except RuntimeError:  # the loop is closed
                self.release(key)

    def _hand_over(self, reply: asyncio.Future[str | None], key: str, answer: Answer) -> None:
        if reply.done():  # nobody waits any more
            self.release(key)
        elif isinstance(answer, Exception):
            reply.set_exception(answer)
        else:
            reply.set_result(answer)

    def _written(self, batch: list[StoredReply], released: set[str]) -> None:
        self._failures, self._refused_since = 0, None
        with self._change:
            self._released -= released
            for row in batch:
                if self.unsaved.get(row.key) is row:
                    del self.unsaved[row.key]
            self._change.notify_all()
        if self.unsaved:
            return
        self.away = False
        if self._spilled:
            self._spilled.clear()
            self.store.take_spilled()
        if self._said_away:
            self._said_away = False
            logger.warning("%s is back, and has all replies", self.store)

    def _spill(self, rows: list[StoredReply]) -> None:
        new = [row for row in rows if row.key not in self._spilled]
        self.store.spill(new)
        self._spilled.update(row.key for row in new)

    def _fail(self, error: Exception, batch: list[StoredReply]) -> None:
        """Note that the store took nothing; the next attempt has to wait."""
        now = time.monotonic()
        self._failures += 1
        self._error = str(error)
        wait = min(LONGEST_WAIT, FIRST_WAIT * 2.0 ** min(self._failures - 1, 64))
        self._resume = now + wait * random.uniform(0.5, 1.0)  # noqa: S311 - no secret
        self._refused_since = self._refused_since or now
        self._spill(batch)
        if now > self._refused_since + PATIENCE:
            self._say_away()

    def _leave_if_silent(self) -> None:
        """Go on without a store that has not answered for too long: let all who wait ask."""
        if time.monotonic() < (self._silent_since or time.monotonic()) + PATIENCE:
            return
        self._say_away()
        with self._change:
            self.away = True
            self._wanted.clear()
            self._elsewhere.clear()
            self._answer(dict.fromkeys(self._waiting))
            self._wake()

    def _say_away(self) -> None:
        """Say, once in an outage, that the run goes on without the store."""
        if not self._said_away:
            self._said_away = True
            logger.warning(
                "going on without the cache (%s); replies are kept and written when it is back",
                self._error,
            )
