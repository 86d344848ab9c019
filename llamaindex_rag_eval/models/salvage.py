"""Salvage: the replies of a damaged SQLite file, row by row, in a new file in its stead.

The damaged file is moved aside. A process that is killed meanwhile leaves it where it was.
"""

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from itertools import count
from pathlib import Path

from llamaindex_rag_eval.models.store_tables import CREATE_REPLIES

DAMAGED = re.compile(r"malformed|not a database|[Cc]ould not decode to UTF-8")
"""What SQLite says of a file whose content is not what it wrote."""

OURS = b"CREATE TABLE replies"
"""Stands on the first page of a store; a file of somebody else is never moved."""

PAGE = 4096
"""Bytes of a page, which are SQLite's default; the first one lists the tables."""

ROW = 64
"""Bytes of a row at the least: its key."""


def is_damaged(error: object, path: Path) -> bool:
    """Return whether an error says that a store is damaged."""
    if not DAMAGED.search(str(error)):
        return False
    with suppress(OSError), path.open("rb") as file:
        return OURS in file.read(PAGE)
    return False


def salvage(path: Path) -> tuple[int, Path]:
    """Put a new store with all rows that can be read in place of a damaged one.

    Returns:
        How many rows there were, and where the damaged file is now.

    Raises:
        OSError: A file cannot be moved or written.
    """
    new = path.with_name(f"{path.name}.salvaged")
    new.unlink(missing_ok=True)
    try:
        with closing(sqlite3.connect(new)) as store, store:
            store.execute(CREATE_REPLIES)
            statement = "INSERT OR IGNORE INTO replies VALUES (?, ?, ?, ?)"
            rows = store.executemany(statement, _rows(path)).rowcount
    except sqlite3.Error as error:
        raise OSError(str(error)) from error
    names = (path.with_name(f"{path.name}.damaged-{number}") for number in count(1))
    aside = next(name for name in names if not name.exists())
    path.with_name(f"{path.name}-shm").unlink(missing_ok=True)  # an index of the log, no more
    log = path.with_name(f"{path.name}-wal")
    if log.exists():  # before the file: it must never be taken for the log of the new one
        log.rename(aside.with_name(f"{aside.name}-wal"))
    path.rename(aside)
    new.rename(path)
    return max(rows, 0), aside


def _rows(path: Path) -> Iterator[list[str]]:
    """Yield the rows that can be read, one by one, without any change to the file."""
    query = "SELECT key, kind, fingerprint, reply FROM replies NOT INDEXED WHERE rowid = ?"
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as damaged:
        damaged.text_factory = bytes
        last = path.stat().st_size // ROW
        with suppress(sqlite3.DatabaseError):
            damaged.execute("PRAGMA writable_schema=ON")  # opens a file that was cut off, too
            last = damaged.execute("SELECT MAX(rowid) FROM replies").fetchone()[0] or 0
        for number in range(1, last + 1):
            # What cannot be read, is no text, or is no JSON, is damaged.
            with suppress(sqlite3.DatabaseError, ValueError, AttributeError, TypeError):
                row = [value.decode() for value in damaged.execute(query, (number,)).fetchone()]
                json.loads(row[3])
                yield row
