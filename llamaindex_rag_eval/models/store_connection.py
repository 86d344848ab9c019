"""The databases of a store of replies: opened, read, written, and salvaged where one is damaged."""

import json
import logging
import threading
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

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
from llamaindex_rag_eval.models.store_tables import SCHEMA, in_dialect

if TYPE_CHECKING:
    from sqlalchemy import Engine

logger = logging.getLogger(__name__)

_OPENING = threading.RLock()
"""Threads that use a store for the first time open it once."""

MEMORY = "sqlite://"
"""Takes the place of a file that cannot be written."""


class StoreConnection:
    """The tables of a store in a database, and those of others that are only read.

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
        self.read_only = self._salvaged = self._opened_here = False

    def __repr__(self) -> str:
        return f"Store({shown_url(self.url)!r})"

    def open(self) -> None:
        """Open the database now, rather than at its first use."""
        with _OPENING:
            if self._engine is None:
                self._engine = self._opened()
                self._opened_here = True
                self._write_missing()

    def _write_missing(self) -> None:
        """Write what another process could not."""

    @property
    def engine(self) -> "Engine":
        """The database, opened at first use."""
        self.open()
        return self._engine  # type: ignore[return-value]  # just opened

    def checkpoint(self) -> None:
        """Bring what the log of an SQLite file holds into the file: a copy of it is then whole."""
        if self._engine is not None and self._engine.dialect.name == "sqlite":
            with suppress(OutputError):  # as on a full disk; the log keeps it
                self._execute("PRAGMA wal_checkpoint(PASSIVE)")  # waits for no other process

    def _opened(self) -> "Engine":
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

    def _dispose(self, *, close: bool = True) -> None:
        """Leave all connections; the next use opens others."""
        for engine in filter(None, (self._engine, *self._bases)):
            engine.dispose(close=close)
        self._engine, self._bases = None, []

    def _execute(self, statement: str, engine: "Engine | None" = None, **given: Any) -> Any:
        """Return the rows that a statement gives, or how many it has changed.

        Lists go as JSON. It is executed again where the file had to be salvaged.
        """
        from sqlalchemy.exc import SQLAlchemyError

        engine = engine or self.engine
        values = {n: json.dumps(v) if isinstance(v, list | tuple) else v for n, v in given.items()}
        try:
            with engine.connect() as connection:
                result = connection.execute(in_dialect(statement, engine.dialect.name), values)
                return result.all() if result.returns_rows else result.rowcount
        except SQLAlchemyError as error:
            reason = reason_of(error)
            if engine is self._engine and self._salvage(reason):
                return self._execute(statement, **given)
            done = "read" if statement.startswith("SELECT") else "written"
            raise OutputError(f"the cache {self!r} cannot be {done}: {reason}") from None

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
                    count, aside = salvage(file)
                except OSError:
                    return False
                text = "the cache %r was damaged: %d of its replies are salvaged, and the damaged "
                logger.warning(f"{text}file is %r now", self, count, str(aside))
            return True


def _inode(file: Path | None) -> int | None:
    """Return what tells a file from another that was put in its place."""
    return file.stat().st_ino if file is not None and file.exists() else None
