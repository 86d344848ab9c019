"""Replies on their way to a store: written in batches by a thread, and never lost to it.

What the store does not take goes to a spill file at once, so that no kill can lose it, and is
tried again until the store does.
"""

import logging
import time
from contextlib import suppress
from typing import TYPE_CHECKING

from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.models.lease import LEASE_SECONDS
from llamaindex_rag_eval.models.spill import StoredReply, spill, write_spilled
from llamaindex_rag_eval.models.worker import Worker

if TYPE_CHECKING:
    from llamaindex_rag_eval.models.store import ReplyStore

logger = logging.getLogger(__name__)

FULL = 500
"""Rows in a batch at the most."""

LINGER = 0.01
"""Seconds that a batch waits for company, unless it is full or somebody waits for it."""

PATIENCE = 20.0
"""Seconds without success after which a store counts as away: it may be restarting."""

LAST_TRY = 2.0
"""Seconds that the end of a run waits for a store that has just failed."""

LONGEST_ASKING = 900.0
"""Seconds for which a lease is renewed: who asks for longer may have been left behind."""


class WriteBehind(Worker):
    """Writes replies to a store, and renews and releases the leases of this process.

    Attributes:
        unsaved: Key -> the row that is not in the store yet, and whether it replaces another.
        said: Whether a line has said that the store is away.
        away: Whether reading has given up; the store is then tried until it answers.
    """

    def __init__(self, store: "ReplyStore", owner: str) -> None:
        super().__init__()
        self.store = store
        self.owner = owner
        self.unsaved: dict[str, tuple[StoredReply, bool]] = {}
        self.away = self.said = False
        self._held: dict[str, float] = {}
        self._released: set[str] = set()
        self._spilled: set[str] = set()
        self._renewed = time.monotonic()
        self._flushing = 0

    def due(self) -> float | None:
        """Return when to write or renew."""
        if self.unsaved or self._released or self.away:
            return 0.0
        return self._renewed + LEASE_SECONDS / 3 - time.monotonic() if self._held else None

    def put(self, row: StoredReply, *, replace: bool = False) -> None:
        """Have a reply kept, soon."""
        with self.change:
            self.unsaved[row.key] = (row, replace)
            self._held.pop(row.key, None)  # its lease expires: others find the reply
            self.wake()

    def hold(self, keys: set[str]) -> None:
        """Renew leases on these keys from now on."""
        with self.change:
            self._held.update(dict.fromkeys(keys, time.monotonic() + LONGEST_ASKING))
            self.wake()

    def release(self, key: str) -> None:
        """Give up the lease on a reply that could not be had; another may ask for it."""
        with self.change:
            if self._held.pop(key, None) is not None:
                self._released.add(key)
                self.wake()

    def work(self) -> None:
        """Write a batch; if that fails, to the spill file."""
        if not self._flushing and len(self.unsaved) < FULL:
            time.sleep(LINGER)
        with self.change:
            batch = dict(list(self.unsaved.items())[:FULL])
            released = set(self._released)
        self.begin()
        try:
            for replace in (False, True):
                self.store.keep([row for row, new in batch.values() if new is replace], replace)
            self.store.release(released, self.owner)
            self._renew()
            if self.away and not batch:
                self.store.find(())
        except Exception as error:  # noqa: BLE001 - whatever a driver raises, nothing may be lost
            self.fail(error)
            self._spill([row for row, _ in batch.values()])
            if self.silence > PATIENCE:
                self.say_away()
            return
        self._written(batch, released)

    def _renew(self) -> None:
        now = time.monotonic()
        if now < self._renewed + LEASE_SECONDS / 3:
            return
        with self.change:
            self._held = {key: end for key, end in self._held.items() if end > now}
            keys = set(self._held)
        self.store.renew(keys, self.owner)
        self._renewed = now

    def _written(self, batch: dict[str, tuple[StoredReply, bool]], released: set[str]) -> None:
        self.succeed()
        with self.change:
            for key, entry in batch.items():
                if self.unsaved.get(key) is entry:
                    del self.unsaved[key]
            self._released -= released
            all_written = not self.unsaved
            self.change.notify_all()
        if not all_written:
            return
        missed = len(self._spilled)
        if missed:
            self._spilled.clear()
            with suppress(OutputError):  # the files stay for the next run
                write_spilled(self.store.url, self.store.keep)
        self.away = False
        if self.said:
            self.said = False
            told = f"; it has the {missed} replies it missed" if missed else ""
            logger.warning("%s is back%s", self.store, told)

    def _spill(self, rows: list[StoredReply]) -> str:
        """Write what no spill file has yet to one; return it in words."""
        new = [row for row in rows if row.key not in self._spilled]
        path = spill(self.store.url, new)
        if path is None:
            return "in memory only: no disk takes them"
        self._spilled.update(row.key for row in new)
        return f"in {str(path)!r}; the next run over this cache writes them to it"

    def say_away(self) -> None:
        """Say, once in an outage, that the run goes on without the store."""
        if not self.said:
            self.said = True
            logger.warning(
                "going on without the cache (%s); replies are kept and written when it is back",
                self.error,
            )

    def flush(self) -> None:
        """Wait until all is written; what a failing store does not take is in the spill file."""
        begun = time.monotonic()
        with self.change:
            self._flushing += 1
            self.wake()
            while self.unsaved or self._released:
                most = LAST_TRY if self.failures else PATIENCE
                left = begun + most - time.monotonic()
                if left <= 0:
                    break
                self.change.wait(min(left, 0.1))  # a failure shortens it
            self._flushing -= 1
            rows = [row for row, _ in self.unsaved.values()]
        if rows:
            where = self._spill(rows)
            self.said = True
            logger.warning("%d replies are kept %s (%s)", len(rows), where, self.error)
