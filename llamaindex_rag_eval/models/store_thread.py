"""The thread of a store: brings replies there, and takes from there what is known already.

What many tasks want and have is one exchange with the store; no event loop ever waits for it.
What the store does not take goes to a spill file at once, so that no kill can lose it, and is tried
again until the store does. While it does not answer, those who claim wait for `PATIENCE`; then
they ask as if it held nothing, and do so until it is back.

Processes that share a store and want the same wait for the one that has the lease. It renews its
leases while it lives. One of a process that died expires, or is given up at once where another
process of the same machine sees that it is gone.
"""

import asyncio
import logging
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakSet

from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.models.lease import is_dead, new_owner
from llamaindex_rag_eval.models.retry import RetryPolicy
from llamaindex_rag_eval.models.spill import StoredReply, spill, write_spilled
from llamaindex_rag_eval.models.store_tables import LEASE_SECONDS

if TYPE_CHECKING:
    from llamaindex_rag_eval.models.store import ReplyStore

logger = logging.getLogger(__name__)

FULL = 500
"""Rows, or keys, in an exchange at the most, but for keys that others are asking for."""

LINGER = 0.002
"""Seconds that an exchange waits for company, unless it is full or somebody waits for its end."""

POLL = 0.1
"""Seconds between two looks for replies that others are asking for."""

LOOK = 1.0
"""Seconds between two looks of who waits for a store that is silent."""

IDLE = 5.0
"""Seconds after which a thread with nothing to do ends."""

CHECKPOINT = 1.0
"""Seconds after which what was written goes from the log of an SQLite file into the file itself."""

PATIENCE = 20.0
"""Seconds without success after which a store counts as away: it may be restarting."""

LAST_TRY = 2.0
"""Seconds that the end of a run waits for a store that has just failed."""

LONGEST_ASKING = 900.0
"""Seconds for which a lease is renewed: who asks for longer may have been left behind."""

AGAIN = RetryPolicy(retries=None, first_wait=0.05, longest_wait=1.0, transient=lambda _: True)
"""The pauses between attempts at what fails, however long it does."""

Wanted = dict[str, list["asyncio.Future[str | None]"]]
"""Key -> those who wait for its reply; without one they are to ask."""

Answer = str | Exception | None


class Claimed(NamedTuple):
    """What became of the keys that were claimed.

    Attributes:
        replies: Those that are kept.
        leased: Keys that the one who claimed is to ask for.
        owners: Key -> who is asking for it now; of some keys it is not known.
    """

    replies: dict[str, str]
    leased: set[str]
    owners: dict[str, str]


class Unsaved(NamedTuple):
    """A reply on its way to the store.

    Attributes:
        row: Of the table.
        replace: Whether it replaces another.
        kept: Called when it is on a disk, and emptied.
    """

    row: StoredReply
    replace: bool
    kept: list[Callable[[], object]]


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
        self.unsaved: dict[str, Unsaved] = {}
        self.away = self._said_away = self._ended = False
        self._change = threading.Condition()  # held while state is read or changed
        self._thread: threading.Thread | None = None
        self._wanted: Wanted = defaultdict(list)
        self._in_hand: Wanted = {}
        self._elsewhere: Wanted = defaultdict(list)
        self._watching: WeakSet[asyncio.AbstractEventLoop] = WeakSet()
        self._held: dict[str, float] = {}
        self._released: set[str] = set()
        self._spilled: set[str] = set()
        self._silent_since: float | None = None  # nothing was read since
        self._refused_since: float | None = None  # nothing was written since
        self._failures = self._flushing = 0
        self._error = "no answer"
        self._resume = self._polled = 0.0
        self._renewed = self._checkpointed = time.monotonic()
        self._opened = store.opened_before

    @cached_property
    def owner(self) -> str:
        """The name under which it holds leases."""
        return new_owner()

    async def claim(self, key: str) -> str | None:
        """Return the reply kept under a key; `None` if the caller is to ask for it.

        Waits while another process asks for it. After `None`, `put` or `release` must follow.

        Raises:
            OutputError: The store could not be opened, at its first use.
        """
        with self._change:
            if key in self.unsaved:
                return self.unsaved[key].row.reply
            if self.away:
                return None
            loop = asyncio.get_running_loop()
            reply: asyncio.Future[str | None] = loop.create_future()
            self._wanted[key].append(reply)
            self._wake()
        if loop not in self._watching:
            self._watching.add(loop)
            loop.call_later(LOOK, self._look, loop)
        try:
            return await reply
        except asyncio.CancelledError:
            if not reply.cancelled():  # it is there, and nobody takes it
                self.release(key)
            raise

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """While anybody waits in an event loop, leave a store that is silent."""
        self._leave_if_silent()
        with self._change:
            waiting = [*self._wanted.values(), *self._in_hand.values(), *self._elsewhere.values()]
        if any(not reply.done() for replies in waiting for reply in replies):
            loop.call_later(LOOK, self._look, loop)
        else:
            self._watching.discard(loop)

    def put(
        self,
        row: StoredReply,
        *,
        replace: bool = False,
        kept: Sequence[Callable[[], object]] = (),
    ) -> None:
        """Have a reply kept, soon; what is in `kept` is called when it is on a disk."""
        with self._change:
            self.unsaved[row.key] = Unsaved(row, replace, [*kept])
            self._held.pop(row.key, None)  # its lease expires: others find the reply
            self._wake()

    def release(self, key: str) -> None:
        """Give up the lease on a reply that could not be had; another may ask for it."""
        with self._change:
            if self._held.pop(key, None) is not None:
                self._released.add(key)
                self._wake()

    def flush(self) -> None:
        """Wait until all is written; what a failing store does not take is in the spill file."""
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
        if unsaved:
            where = self._spill(unsaved)
            self._said_away = True
            logger.warning("%d replies are kept %s (%s)", len(unsaved), where, self._error)

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
            with suppress(RuntimeError):  # none begins where Python ends: `flush` spills
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
        if self._held:
            at.append(self._renewed + LEASE_SECONDS / 3)
        return min(at) - time.monotonic() if at else None

    def _exchange(self) -> None:
        """Bring what there is, and take what is wanted."""
        if not self._flushing and max(len(self.unsaved), len(self._wanted)) < FULL:
            time.sleep(LINGER)
        with self._change:
            wanted = self._in_hand = self._take_wanted()
            ready = time.monotonic() >= self._resume
            batch = list(self.unsaved.values())[:FULL] if ready else []
            released = self._released - wanted.keys() if ready else set()
        self._silent_since = self._silent_since or time.monotonic()
        try:
            claimed = self._exchanged(wanted, batch, released)
        except Exception as error:  # noqa: BLE001 - whatever a driver raises, nothing may be lost
            self._fail(error, batch)
            if not self._opened:
                self._silent_since = None
                self._give(wanted, dict.fromkeys(wanted, error))
                return
            try:
                claimed = self.store.read_only_claim(wanted)
            except Exception:  # noqa: BLE001
                with self._change:
                    for key, futures in wanted.items():
                        self._wanted[key] += futures
                self._leave_if_silent()
                return
        else:
            if ready:
                self._written(batch, released)
        self._opened, self._silent_since = True, None
        self._hand_out(wanted, claimed)

    def _take_wanted(self) -> Wanted:
        """Take what is due, without those who no longer wait."""
        wanted: Wanted = {key: self._wanted.pop(key) for key in list(self._wanted)[:FULL]}
        if time.monotonic() >= self._polled + POLL:
            self._polled = time.monotonic()
            for key in list(self._elsewhere):
                wanted.setdefault(key, []).extend(self._elsewhere.pop(key))
        waiting = {key: [f for f in futures if not f.done()] for key, futures in wanted.items()}
        return {key: futures for key, futures in waiting.items() if futures}

    def _exchanged(self, wanted: Wanted, batch: list[Unsaved], released: set[str]) -> Claimed:
        """Do what is to be done over the store."""
        self.store.keep([entry.row for entry in batch if entry.replace], replace=True)
        rows = [entry.row for entry in batch if not entry.replace]
        claimed = self.store.exchange(self.owner, wanted, rows=rows, released=released)
        now = time.monotonic()
        if self._held and now >= self._renewed + LEASE_SECONDS / 3:
            with self._change:
                self._held = {key: end for key, end in self._held.items() if end > now}
                keys = set(self._held)
            self.store.renew(keys, self.owner)
            self._renewed = now
        if batch and now > self._checkpointed + CHECKPOINT:
            self.store.checkpoint()
            self._checkpointed = now
        claimed.replies.update({row.key: row.reply for row in rows if row.key in wanted})
        return claimed

    def _hand_out(self, wanted: Wanted, claimed: Claimed) -> None:
        """Give replies and leases to those who wait; others go on waiting."""
        leased = claimed.leased - claimed.replies.keys()
        elsewhere = wanted.keys() - leased - claimed.replies.keys()
        with self._change:
            self._held.update(dict.fromkeys(leased, time.monotonic() + LONGEST_ASKING))
            for key in elsewhere:
                self._elsewhere[key] += wanted[key]
        here = wanted.keys() - elsewhere
        self._give({key: wanted[key] for key in here}, claimed.replies)
        for owner in filter(is_dead, set(claimed.owners.values())):
            with suppress(OutputError):
                self.store.forget(owner)
            self._polled = 0.0

    def _give(self, wanted: Wanted, answers: Mapping[str, Answer]) -> None:
        """Answer those who wait: each event loop is woken once for all of its own."""
        by_loop: defaultdict[asyncio.AbstractEventLoop, Wanted] = defaultdict(dict)
        for key, replies in wanted.items():
            for reply in replies:
                by_loop[reply.get_loop()].setdefault(key, []).append(reply)
        for loop, own in by_loop.items():
            try:
                loop.call_soon_threadsafe(self._hand_over, own, answers)
            except RuntimeError:  # it is closed
                for key in own:
                    self.release(key)

    def _hand_over(self, wanted: Wanted, answers: Mapping[str, Answer]) -> None:
        """Give answers to those who still wait; what nobody takes, another may ask for."""
        for key, replies in wanted.items():
            waiting, answer = [reply for reply in replies if not reply.done()], answers.get(key)
            for reply in waiting:
                if isinstance(answer, Exception):
                    reply.set_exception(answer)
                else:
                    reply.set_result(answer)
            if not waiting:
                self.release(key)

    def _written(self, batch: list[Unsaved], released: set[str]) -> None:
        self._failures, self._refused_since = 0, None
        with self._change:
            for entry in batch:
                if self.unsaved.get(entry.row.key) is entry:
                    del self.unsaved[entry.row.key]
            self._released -= released
            all_written = not self.unsaved
            self._change.notify_all()
        _note_kept(batch)
        if not all_written:
            return
        missed = len(self._spilled)
        if missed:
            self._spilled.clear()
            with suppress(OutputError):  # the files stay for the next run
                write_spilled(self.store.url, self.store.keep)
        self.away = False
        if self._said_away:
            self._said_away = False
            more = f"; it has the {missed} replies it missed" if missed else ""
            logger.warning("%s is back%s", self.store, more)

    def _fail(self, error: Exception, batch: list[Unsaved]) -> None:
        """Note that the store took nothing; the next attempt has to wait."""
        self._failures += 1
        self._error = str(error)
        self._resume = time.monotonic() + (AGAIN.wait(error, self._failures) or 0.0)
        self._refused_since = self._refused_since or time.monotonic()
        self._spill(batch)
        if time.monotonic() > self._refused_since + PATIENCE:
            self._say_away()

    def _spill(self, batch: list[Unsaved]) -> str:
        """Write what no spill file has yet to one; return it in words."""
        new = [entry for entry in batch if entry.row.key not in self._spilled]
        path = spill(self.store.url, [entry.row for entry in new])
        if path is None:
            return "in memory only: no disk takes them"
        self._spilled.update(entry.row.key for entry in new)
        _note_kept(new)
        return f"in {str(path)!r}; the next run over this cache writes them to it"

    def _leave_if_silent(self) -> None:
        """Go on without a store that has not answered for too long."""
        if time.monotonic() < (self._silent_since or time.monotonic()) + PATIENCE:
            return
        self._say_away()
        with self._change:
            self.away = True
            waiting = [dict(part) for part in (self._wanted, self._in_hand, self._elsewhere)]
            self._wanted.clear()
            self._elsewhere.clear()
            self._wake()
        for wanted in waiting:
            self._give(wanted, {})

    def _say_away(self) -> None:
        """Say, once in an outage, that the run goes on without the store."""
        if not self._said_away:
            self._said_away = True
            logger.warning(
                "going on without the cache (%s); replies are kept and written when it is back",
                self._error,
            )


def _note_kept(entries: Iterable[Unsaved]) -> None:
    for entry in entries:
        while entry.kept:
            entry.kept.pop()()
