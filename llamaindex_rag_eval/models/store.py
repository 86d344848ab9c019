"""Replies in a database, and leases on those that are being asked for.

A program's thread (`store_thread`) brings and takes what many tasks have and want in one
`exchange`: a round trip, however many the keys.
"""

import atexit
import hashlib
import json
import os
import threading
import weakref
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic_core import to_json

from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.models import store_tables as sql
from llamaindex_rag_eval.models.database import (
    absolute_url,
    database_url,
    file_of,
    open_database,
    reason_of,
    shown_url,
)
from llamaindex_rag_eval.models.store_tables import Claimed, StoredReply
from llamaindex_rag_eval.models.store_thread import StoreThread

if TYPE_CHECKING:
    from sqlalchemy import Engine

_OPENING = threading.RLock()
"""Threads that use a store for the first time open it once."""

_stores: "weakref.WeakSet[ReplyStore]" = weakref.WeakSet()
"""Closed when the process ends, so that a file is whole by itself, without a log beside it."""


def reply_key(fingerprint: str, kind: str, request: str) -> str:
    """Return the key of a reply: who answers, which kind of request, and the request itself."""
    whole = b", ".join(map(to_json, (fingerprint, kind, request)))  # in a few microseconds
    return hashlib.sha256(b"[%b]" % whole).hexdigest()


class ReplyStore:
    """Replies by key, in a table of a database. Several processes may share one.

    Args:
        where: A file for SQLite, or the SQLAlchemy URL of a database of SQLite or PostgreSQL, as
            `postgresql+psycopg://host/name`.

    Attributes:
        was_opened: Whether it was open once, here or where it was sent from: if it does not answer,
            it is away, and may come back.
        thread: Reads and writes for the event loops of this process, and goes on where it cannot.

    Raises:
        OutputError: The database cannot be opened, read or written.
    """

    def __init__(self, where: str | Path) -> None:
        self.url = database_url(where)
        self.was_opened = False
        self._begin()

    def _begin(self) -> None:
        """Begin with nothing open: connections and threads belong to their process."""
        self._engine: Engine | None = None
        self.thread = StoreThread(self)
        _stores.add(self)

    def __repr__(self) -> str:
        return f"Store({shown_url(self.url)!r})"

    def __getstate__(self) -> dict[str, object]:
        """Return the address, for processes in other folders."""
        return {"url": absolute_url(self.url), "was_opened": self.was_opened}

    def __setstate__(self, state: dict[str, object]) -> None:
        """Take the address, with nothing open."""
        self.__dict__.update(state)
        self._begin()

    def open(self) -> None:
        """Open the database now, not at its first use."""
        with _OPENING:
            if self._engine is None:
                self._engine = open_database(self.url, sql.tables(), name=f"the cache {self!r}")
                self.was_opened = True
                self.take_spilled()

    @property
    def engine(self) -> "Engine":
        """The database, opened at first use."""
        self.open()
        return self._engine  # type: ignore[return-value]  # just opened

    def get(self, key: str) -> str | None:
        """Return the reply kept under this key, or `None`."""
        self.flush()
        return self.find([key]).get(key)

    def put(self, key: str, kind: str, fingerprint: str, reply: str) -> None:
        """Keep a reply, in place of one that is there already."""
        self.keep([StoredReply(key, kind, fingerprint, reply)])

    def find(self, keys: Collection[str]) -> dict[str, str]:
        """Return the replies that are kept under these keys."""
        return dict(self._execute(sql.FIND, keys=sorted(keys)))

    def keep(self, rows: Sequence[StoredReply]) -> None:
        """Keep replies, the last one of each key, in place of those that are there already."""
        if not rows:
            return
        self._execute(sql.KEEP, rows=list({row.key: row for row in rows}.values()))

    def spill(self, rows: Sequence[StoredReply]) -> None:
        """Write what a file does not take beside it: a full disk may have room for so little."""
        if self._beside is not None:
            lines = [f"{json.dumps(row._asdict())}\n" for row in rows]
            with suppress(OSError), self._beside.open("a", encoding="ascii") as file:
                file.writelines(lines)

    def take_spilled(self) -> None:
        """Keep what this or an earlier run has spilled; if it cannot be kept, it stays there."""
        if self._beside is None or not self._beside.exists():
            return
        rows = []
        for line in self._beside.read_text("ascii", "replace").splitlines():
            with suppress(ValueError, TypeError):  # a kill has cut it short
                rows.append(StoredReply(**json.loads(line)))
        with suppress(OutputError):
            self.keep(rows)
            self._beside.unlink(missing_ok=True)

    @property
    def _beside(self) -> Path | None:
        file = file_of(self.url)
        return file and file.with_name(f"{file.name}.unsaved.jsonl")

    def exchange(
        self,
        owner: str,
        wanted: Collection[str] = (),
        *,
        rows: Sequence[StoredReply] = (),
        released: Collection[str] = (),
    ) -> Claimed:
        """Keep replies, give up leases, and claim keys, each in one statement for all.

        Args:
            owner: Who leases, of what is wanted, the keys that nobody asks for yet.
            wanted: Keys to be found or leased.
            rows: Replies to be kept.
            released: Keys whose replies could not be had. Leases on what is kept expire.
        """
        self.keep(rows)
        if released:
            self._execute(sql.RELEASE, keys=sorted(released), owner=owner)
        replies = self.find(wanted)  # of nothing, too: it shows whether the store answers
        missing = sorted(set(wanted) - replies.keys())
        alone = self.engine.dialect.name == "sqlite" and file_of(self.url) is None
        if not missing or alone:  # else other processes may ask for them
            return Claimed(replies, {*missing}, {})
        self._execute(sql.LEASE, keys=missing, owner=owner, seconds=sql.LEASE_SECONDS)
        owners = dict(map(tuple, self._execute(sql.OWNERS, keys=missing)))
        leased = {key for key in missing if owners.get(key) == owner}
        return Claimed(replies, leased, {key: owners[key] for key in owners.keys() - leased})

    def renew(self, keys: Collection[str], owner: str) -> None:
        """Make leases hold for `LEASE_SECONDS` from now, and remove those that expired long ago."""
        self._execute(sql.RENEW, keys=sorted(keys), owner=owner, seconds=sql.LEASE_SECONDS)
        self.forget("")

    def forget(self, owner: str) -> None:
        """Remove the leases of a process that died."""
        self._execute(sql.FORGET, owner=owner, seconds=sql.LEASE_SECONDS)

    def count(self) -> dict[str, int]:
        """Return how many replies are kept, by kind of request."""
        self.flush()
        return dict(self._execute("SELECT kind, COUNT(*) FROM replies GROUP BY kind"))

    def rows(self) -> Iterator[dict[str, str]]:
        """Iterate over all rows, by key: key, kind, fingerprint of who answered, reply."""
        self.flush()
        for row in self._execute(sql.ALL):
            yield StoredReply(*map(str, row))._asdict()

    def clear(self) -> int:
        """Forget all replies and leases; return how many replies there were."""
        self.flush()
        self._execute("DELETE FROM reply_leases")
        return int(self._execute("DELETE FROM replies"))

    def flush(self) -> None:
        """Wait until what was answered is in the store; a line says what it does not take."""
        self.thread.flush()
        self.checkpoint()

    def close(self) -> None:
        """Write what is missing and close the connections; the next use opens them again."""
        thread, self.thread = self.thread, StoreThread(self)
        thread.close()
        self.checkpoint()
        self._dispose()

    def checkpoint(self) -> None:
        """Bring what the log of an SQLite file holds into the file: a copy of it is then whole."""
        if self._engine is not None and self._engine.dialect.name == "sqlite":
            with suppress(OutputError):  # as on a full disk; the log keeps it
                self._execute("PRAGMA wal_checkpoint(PASSIVE)")  # waits for no other process

    def _dispose(self, *, close: bool = True) -> None:
        """Leave all connections; the next use opens others."""
        if self._engine is not None:
            self._engine.dispose(close=close)
        self._engine = None

    def _execute(self, statement: str, **given: Any) -> Any:
        """Return the rows that a statement gives, or how many it has changed.

        Lists go as JSON.
        """
        from sqlalchemy.exc import SQLAlchemyError

        engine = self.engine
        values = {n: json.dumps(v) if isinstance(v, list | tuple) else v for n, v in given.items()}
        try:
            with engine.connect() as connection:
                result = connection.execute(sql.in_dialect(statement, engine.dialect.name), values)
                return result.all() if result.returns_rows else result.rowcount
        except SQLAlchemyError as error:
            done = "read" if statement.startswith("SELECT") else "written"
            reason = reason_of(error)
            raise OutputError(f"the cache {self!r} cannot be {done}: {reason}") from None


@atexit.register
def _close_all() -> None:
    for store in list(_stores):
        store.close()


def _leave_parent() -> None:
    """Forget, in a process that was forked, the connections and threads of its parent."""
    for store in list(_stores):
        store._dispose(close=False)
        store._begin()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_parent)


Store = ReplyStore
"""The public name of `ReplyStore`."""
