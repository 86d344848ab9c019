"""The databases of a store of replies: opened, read, written, and salvaged where one is damaged."""

import atexit
import json
import logging
import os
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.models.database import (
    database_url,
    file_of,
    is_read_only,
    open_database,
    open_to_read,
    reason_of,
    shown_url,
)
from llamaindex_rag_eval.models.salvage import is_damaged, salvage
from llamaindex_rag_eval.models.spill import StoredReply, write_spilled
from llamaindex_rag_eval.models.store_tables import DIALECTS, KEEP, OR_LEAVE, SCHEMA

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, TextClause

logger = logging.getLogger(__name__)

T = TypeVar("T")

_OPENING = threading.RLock()
"""Threads that use a store for the first time open it once."""

_opened: "weakref.WeakSet[StoreConnection]" = weakref.WeakSet()
"""Closed when the process ends, so that a file is whole by itself, without a log beside it."""

MEMORY = "sqlite://"
"""Takes the place of a file that cannot be written."""

CHECKPOINT = "PRAGMA wal_checkpoint(PASSIVE)"
"""Waits for no other process."""

PAGE = 1000
"""Rows that are read or written at a time where all are."""


class StoreConnection:
    """The tables of replies and leases in a database, and those of others that are only read.

    Args:
        where: As of `ReplyStore`.
        base: As of `ReplyStore`.

    Attributes:
        read_only: Whether it cannot be written; known once it is open.
    """

    def __init__(self, where: str | Path, *, base: Sequence[str | Path] = ()) -> None:
        self.url = database_url(where)
        self.base = tuple(map(database_url, base))
        self._engine: Engine | None = None
        self._read: list[Engine] = []
        self.read_only = self._salvaged = False
        self._inode: int | None = None
        self._process = os.getpid()

    def __repr__(self) -> str:
        return f"Store({shown_url(self.url)!r})"

    def open(self) -> None:
        """Open the database now, rather than at its first use."""
        assert self.engine is not None  # noqa: S101 - the property opens it

    def checkpoint(self) -> None:
        """Bring what the log of an SQLite file holds into the file: a copy of it is then whole."""
        engine = self._engine
        if engine is not None and engine.dialect.name == "sqlite":
            with suppress(OutputError):  # as on a full disk; the log keeps it
                self.use(engine, "written", partial(rows_of, statement=CHECKPOINT))

    def close(self) -> None:
        """Close the connections; the next use opens them again."""
        self._leave_parent()
        self.checkpoint()
        self._dispose()

    @property
    def engine(self) -> "Engine":
        """The database, opened at first use; what an earlier run could not write is written."""
        self._leave_parent()
        with _OPENING:
            if self._engine is None:
                self._engine = self._open()
                _opened.add(self)
                if not self.read_only:
                    write_spilled(self.url, partial(self.write, KEEP + OR_LEAVE))
            return self._engine

    def _open(self) -> "Engine":
        """Open the database, and those that are only read; salvage one that is damaged."""
        name, file = f"the cache {self!r}", file_of(self.url)
        self.read_only = file is not None and is_read_only(file)
        read = (self.url, *self.base) if self.read_only else self.base
        self._read = [open_to_read(url, name=f"the cache {shown_url(url)!r}") for url in read]
        written = MEMORY if self.read_only else self.url
        try:
            engine = open_database(written, SCHEMA, name=name)
        except OutputError as error:
            if not self._salvage(error):
                raise
            engine = open_database(written, SCHEMA, name=name)
        self._inode = _inode(file)
        return engine

    def _salvage(self, error: object) -> bool:
        """Put a new file in place of one that an error calls damaged; return whether it is there.

        Once: a disk that damages what is written at once is not to be written again and again.
        """
        file = file_of(self.url)
        with _OPENING:
            if self._salvaged or file is None or not is_damaged(error, file):
                return False
            self._salvaged = True
            self._dispose()
            if self._inode in (None, _inode(file)):  # else another process has done it
                try:
                    count, aside = salvage(file, _write_file)
                except OSError:
                    return False
                logger.warning(
                    "the cache %r was damaged: %d of its replies are salvaged, and the damaged "
                    "file is %r now",
                    self,
                    count,
                    str(aside),
                )
            return True

    def _dispose(self, *, close: bool = True) -> None:
        """Leave all connections; the next use opens others."""
        for engine in filter(None, (self._engine, *self._read)):
            engine.dispose(close=close)
        self._engine, self._read = None, []

    def _leave_parent(self) -> None:
        """Forget the connections of the process that this one was forked from."""
        if self._process != os.getpid():
            self._dispose(close=False)
            self._process = os.getpid()

    def use(self, engine: "Engine", done: str, work: "Callable[[Connection], T]") -> T:
        """Return what `work` does in a connection, again where the file had to be salvaged."""
        from sqlalchemy.exc import SQLAlchemyError

        try:
            with engine.connect() as connection:
                return work(connection)
        except SQLAlchemyError as error:
            reason = reason_of(error)
            if engine is self._engine and self._salvage(reason):
                return self.use(self.engine, done, work)
            raise OutputError(f"the cache {self!r} cannot be {done}: {reason}") from None

    def write(
        self, statement: str, rows: Sequence[StoredReply] | None = None, **given: object
    ) -> None:
        """Execute a statement, over rows if there are any."""
        given |= {} if rows is None else {"rows": rows}
        self.use(self.engine, "written", lambda it: execute(it, statement, **given))

    def select(self, statement: str, **given: object) -> Iterator[list[Any]]:
        """Yield the rows of each database, of the one that is written first."""
        for engine in (self.engine, *self._read):
            yield self.use(engine, "read", lambda it: rows_of(it, statement, **given))


def execute(connection: "Connection", statement: str, **given: object) -> Any:
    """Execute one of our statements, in the dialect of the database."""
    for name in given.keys() & {"keys", "rows"}:
        given[name] = json.dumps(given[name])
    return connection.execute(_in_dialect(statement, connection.dialect.name), given)


def rows_of(connection: "Connection", statement: str, **given: object) -> list[Any]:
    """Return the rows that a statement gives."""
    rows: list[Any] = execute(connection, statement, **given).all()
    return rows


def _write_file(path: Path, rows: Sequence[StoredReply]) -> None:
    """Write rows to a new file."""
    with closing(StoreConnection(path)) as store:
        for start in range(0, len(rows), PAGE):
            store.write(KEEP + OR_LEAVE, rows=rows[start : start + PAGE])


@atexit.register
def _close_all() -> None:
    for store in list(_opened):
        store.close()


def _inode(file: Path | None) -> int | None:
    """Return what tells a file from another that was put in its place."""
    with suppress(OSError, AttributeError):
        return file.stat().st_ino  # type: ignore[union-attr]
    return None


@lru_cache(maxsize=64)
def _in_dialect(statement: str, dialect: str) -> "TextClause":
    from sqlalchemy import text

    return text(statement.format(**DIALECTS[dialect]._asdict()))
