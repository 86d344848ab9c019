"""The databases of a store of replies: opened, read, written, and salvaged where one is damaged."""

import json
import logging
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import partial
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
from llamaindex_rag_eval.models.store_tables import KEEP, OR_LEAVE, OR_REPLACE, SCHEMA, in_dialect

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

logger = logging.getLogger(__name__)

T = TypeVar("T")

_OPENING = threading.RLock()
"""Threads that use a store for the first time open it once."""

MEMORY = "sqlite://"
"""Takes the place of a file that cannot be written."""

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
        self.url, self.base = database_url(where), tuple(map(database_url, base))
        self._begin()

    def _begin(self) -> None:
        """Begin with nothing open: connections belong to their process."""
        self._engine: Engine | None = None
        self._bases: list[Engine] = []
        self._inode: int | None = None
        self.read_only = self._salvaged = False

    def __repr__(self) -> str:
        return f"Store({shown_url(self.url)!r})"

    def keep(self, rows: Sequence[StoredReply], replace: bool = False) -> None:
        """Keep replies; of keys that are there already only if they are to be replaced."""
        if rows:
            self._write(KEEP + (OR_REPLACE if replace else OR_LEAVE), rows=rows)

    def checkpoint(self) -> None:
        """Bring what the log of an SQLite file holds into the file: a copy of it is then whole."""
        if self._engine is not None and self._engine.dialect.name == "sqlite":
            with suppress(OutputError):  # as on a full disk; the log keeps it
                self._write("PRAGMA wal_checkpoint(PASSIVE)")  # waits for no other process

    def open(self) -> None:
        """Open the database now, rather than at its first use; write what a run could not."""
        with _OPENING:
            if self._engine is None:
                self._engine = self._open()
                if not self.read_only:
                    write_spilled(self.url, self.keep)

    @property
    def engine(self) -> "Engine":
        """The database, opened at first use."""
        self.open()
        return self._engine  # type: ignore[return-value]  # just opened

    def _open(self) -> "Engine":
        """Open the database, and those that are only read; salvage one that is damaged."""
        name, file = f"the cache {self!r}", file_of(self.url)
        self.read_only = file is not None and is_read_only(file)
        read = (self.url, *self.base) if self.read_only else self.base
        self._bases = [open_to_read(url, name=f"the cache {shown_url(url)!r}") for url in read]
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
                text = "the cache %r was damaged: %d of its replies are salvaged, and the damaged "
                logger.warning(f"{text}file is %r now", self, count, str(aside))
            return True

    def _dispose(self, *, close: bool = True) -> None:
        """Leave all connections; the next use opens others."""
        for engine in filter(None, (self._engine, *self._bases)):
            engine.dispose(close=close)
        self._engine, self._bases = None, []

    def _use(self, engine: "Engine", done: str, work: "Callable[[Connection], T]") -> T:
        """Return what `work` does in a connection, again where the file had to be salvaged."""
        from sqlalchemy.exc import SQLAlchemyError

        try:
            with engine.connect() as connection:
                return work(connection)
        except SQLAlchemyError as error:
            reason = reason_of(error)
            if engine is self._engine and self._salvage(reason):
                return self._use(self.engine, done, work)
            raise OutputError(f"the cache {self!r} cannot be {done}: {reason}") from None

    def _write(self, statement: str, **given: object) -> int:
        """Execute a statement in the database that is written; return how many rows it changed."""
        work = partial(execute, statement=statement, given=given)
        return int(self._use(self.engine, "written", work).rowcount)

    def _select(self, statement: str, **given: Any) -> Iterator[list[Any]]:
        """Yield the rows of each database, of the one that is written first."""
        for engine in (self.engine, *self._bases):
            yield self._use(engine, "read", partial(rows_of, statement=statement, **given))


def rows_of(connection: "Connection", statement: str, **given: object) -> list[Any]:
    """Return the rows that a statement gives."""
    rows: list[Any] = execute(connection, statement, given).all()
    return rows


def execute(connection: "Connection", statement: str, given: dict[str, Any]) -> Any:
    """Execute one of our statements; lists go as JSON."""
    values = {n: json.dumps(v) if isinstance(v, list | tuple) else v for n, v in given.items()}
    return connection.execute(in_dialect(statement, connection.dialect.name), values)


def _write_file(path: Path, rows: Sequence[StoredReply]) -> None:
    """Write rows to a new file."""
    store = StoreConnection(path)
    for start in range(0, len(rows), PAGE):
        store.keep(rows[start : start + PAGE])
    store.checkpoint()
    store._dispose()


def _inode(file: Path | None) -> int | None:
    """Return what tells a file from another that was put in its place."""
    with suppress(OSError, AttributeError):
        return file.stat().st_ino  # type: ignore[union-attr]
    return None
