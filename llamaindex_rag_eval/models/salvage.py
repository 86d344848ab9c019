"""Salvage: the replies of a damaged SQLite file, row by row, in a new file in its stead.

The damaged file is moved aside. A process that is killed meanwhile leaves it where it was.
"""

import json
import re
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

from llamaindex_rag_eval.models.spill import StoredReply

DAMAGED = re.compile(r"malformed|not a database|[Cc]ould not decode to UTF-8")
"""What SQLite says of a file whose content is not what it wrote."""

OURS = b"CREATE TABLE replies"
"""Stands on the first page of a store; a file of somebody else is never moved."""

PAGE = 4096
"""Bytes of a page, which are SQLite's default; the first one lists the tables."""

ROW = 64
"""Bytes of a row at the least: its key."""

TOGETHER = 512
"""Rows that are read at once, where they can be."""


def is_damaged(error: object, path: Path) -> bool:
    """Return whether an error says that a store is damaged."""
    if not DAMAGED.search(str(error)):
        return False
    with suppress(OSError), path.open("rb") as file:
        return OURS in file.read(PAGE)
    return False


def salvage(path: Path, write: Callable[[Path, Sequence[StoredReply]], object]) -> tuple[int, Path]:
    """Put a new store with all rows that can be read in place of a damaged one.

    Args:
        path: The damaged file.
        write: Writes rows to a new store, and closes it.

    Returns:
        How many rows there were, and where the damaged file is now.

    Raises:
        OSError: A file cannot be moved or written.
    """
    rows, new = list(_rows(path)), path.with_name(f"{path.name}.salvaged")
    new.unlink(missing_ok=True)
    write(new, rows)
    names = (path.with_name(f"{path.name}.damaged-{number}") for number in count(1))
    aside = next(name for name in names if not name.exists())
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)  # an index of the log, no more
    log = path.with_name(f"{path.name}-wal")
    if log.exists():  # before the file: it must never be taken for the log of the new one
        log.rename(aside.with_name(f"{aside.name}-wal"))
    path.rename(aside)
    new.rename(path)
    return len(rows), aside


def _rows(path: Path) -> Iterator[StoredReply]:
    """Yield the rows that can be read, without any change to the file."""
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
        connection.text_factory = bytes
        with suppress(sqlite3.DatabaseError):
            connection.execute("PRAGMA writable_schema=ON")  # opens a file that was cut off, too
            last = _last_rowid(connection, path)
            for first in range(1, last + 1, TOGETHER):
                yield from _between(connection, first, min(first + TOGETHER - 1, last))


def _last_rowid(connection: sqlite3.Connection, path: Path) -> int:
    with suppress(sqlite3.DatabaseError):
        return int(connection.execute("SELECT MAX(rowid) FROM replies").fetchone()[0] or 0)
    return path.stat().st_size // ROW


def _between(connection: sqlite3.Connection, first: int, last: int) -> Iterator[StoredReply]:
    """Yield the rows in a range of row numbers: of a damaged one, those of its halves."""
    query = (
        "SELECT key, kind, fingerprint, reply FROM replies NOT INDEXED WHERE rowid BETWEEN ? AND ?"
    )
    try:
        rows = connection.execute(query, (first, last)).fetchall()
    except sqlite3.DatabaseError:
        if first < last:
            middle = (first + last) // 2
            yield from _between(connection, first, middle)
            yield from _between(connection, middle + 1, last)
        return
    for row in rows:
        with suppress(ValueError, AttributeError):  # what is no text, or no JSON, is damaged
            key, kind, fingerprint, reply = (value.decode() for value in row)
            json.loads(reply)
            yield StoredReply(key, kind, fingerprint, reply)
