"""The index on disk: what was found out about documents, so that a second run need not.

It is the SQLite file `.rag-eval/index/index.sqlite` in the folder of the documents, and may be
deleted at any time. It holds units and vectors. A unit is arrays of numbers under one key; none of
them can hold code. It is written in one transaction, so that a reader sees a whole unit or none,
whoever else writes or is killed. A vector is what an embedding model made of a text; none is paid
for twice.
"""

import errno
import json
import logging
import os
import sqlite3
import stat
import zlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

T = TypeVar("T")
Arrays = Mapping[str, NDArray[Any]]

_LOG = logging.getLogger("llamaindex_rag_eval.index")
INDEX = Path(".rag-eval", "index")
FILE = "index.sqlite"
WAIT = 60.0
"""Seconds to wait while another process writes."""
ANY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_TABLES = (
    """CREATE TABLE IF NOT EXISTS contents (
    unit TEXT, key TEXT, name TEXT, dtype TEXT, shape TEXT, content BLOB, checksum INTEGER,
    PRIMARY KEY (unit, name)
)""",
    "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, content BLOB) WITHOUT ROWID",
)


class IndexStore:
    """The index of a folder of documents.

    Args:
        home: The folder, or the file, of the documents.
        folder: Where the index is, if not in that folder.

    Attributes:
        remark: Why it could not be written; empty if it could.
    """

    def __init__(self, home: Path, folder: Path | None = None) -> None:
        self.home, whole = home, home.resolve()
        beside = (whole if whole.is_dir() else whole.parent) / INDEX
        self._file = (folder or beside) / FILE
        self.remark = ""
        self._unwritten: dict[str, tuple[str, Callable[[], Arrays]]] = {}

    def read(self, unit: str, key: str, load: Callable[[Arrays], T]) -> T | None:
        """Return what `load` makes of the arrays of a unit, which cannot be written.

        Returns:
            `None` if there is no unit of this key, or it is damaged.
        """
        query = "SELECT name, dtype, shape, content, checksum FROM contents WHERE unit=? AND key=?"
        rows = self._select(query, (unit, key))
        try:
            return load({row[0]: _array(*row) for row in rows}) if rows else None
        except (KeyError, TypeError, ValueError) as error:
            self._damaged(error)
            return None

    def write(self, unit: str, key: str, arrays: Arrays) -> None:
        """Write a unit in place of an earlier one; `remark` says why that could not be done."""
        self.keep(unit, key, lambda: arrays)
        self.flush()

    def keep(self, unit: str, key: str, arrays: Callable[[], Arrays]) -> None:
        """Let a unit be written by the next `flush`, which asks for its arrays."""
        self._unwritten[unit] = key, arrays

    def flush(self) -> None:
        """Write the units that are not written yet."""
        while self._unwritten:
            unit, (key, arrays) = self._unwritten.popitem()
            rows = [(unit, key, *_row(*entry)) for entry in arrays().items()]
            self._execute(
                ("DELETE FROM contents WHERE unit = ?", [(unit,)]),
                ("INSERT INTO contents VALUES (?, ?, ?, ?, ?, ?, ?)", rows),
            )

    def vectors(self, keys: Sequence[bytes]) -> dict[bytes, NDArray[np.float32]]:
        """Return the vectors that are known of these keys."""
        marks = ", ".join("?" * len(keys))
        rows = self._select(f"SELECT key, content FROM vectors WHERE key IN ({marks})", keys)  # noqa: S608 - only marks
        return {key: np.frombuffer(content, dtype=np.float32) for key, content in rows}

    def write_vectors(self, vectors: Mapping[bytes, NDArray[np.float32]]) -> None:
        """Write vectors beside those that are known."""
        rows = [(key, vector.tobytes()) for key, vector in vectors.items()]
        self._execute(("INSERT OR REPLACE INTO vectors VALUES (?, ?)", rows))

    def _select(self, query: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """Return the rows of the database; none if it is not there, or damaged."""
        try:
            if not self._file.is_file():
                return []
            uri = f"{self._file.absolute().as_uri()}?mode=ro"
            with closing(sqlite3.connect(uri, uri=True, timeout=WAIT)) as connection:
                return connection.execute(query, values).fetchall()
        except (OSError, sqlite3.OperationalError):
            return []
        except sqlite3.DatabaseError as error:
            self._damaged(error)
            with suppress(OSError):
                self._file.unlink()
            return []

    def _execute(self, *statements: tuple[str, Sequence[tuple[object, ...]]]) -> None:
        """Execute statements in one transaction."""
        try:
            _prepare(self._file.parent)
            with closing(sqlite3.connect(self._file, timeout=WAIT)) as connection, connection:
                for table in _TABLES:
                    connection.execute(table)
                for statement, rows in statements:
                    connection.executemany(statement, rows)
        except (OSError, OverflowError, sqlite3.Error) as error:
            reason = getattr(error, "strerror", None) or str(error)
            self.remark = f"no index of {str(self.home)!r} is kept: {reason}"
            _LOG.info(self.remark)

    def _damaged(self, error: Exception) -> None:
        """Say that the index is damaged, and is made anew."""
        _LOG.warning("the index of %r is damaged (%s) and is made anew", str(self.home), error)


def _prepare(folder: Path) -> None:
    """Make the folder, and mark it as a cache: for version control, and for backups.

    A folder that nobody may write into is left alone, also by an administrator, who could.
    """
    above = next(existing for existing in (folder, *folder.parents) if existing.exists())
    if not above.stat().st_mode & ANY_WRITE:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(above))
    folder.mkdir(parents=True, exist_ok=True)
    marks = {
        ".gitignore": "*\n",
        "CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n# Safe to delete.\n",
    }
    for name, text in marks.items():
        if not (folder / name).exists():
            (folder / name).write_text(text, encoding="utf-8")


def _row(name: str, array: NDArray[Any]) -> tuple[object, ...]:
    """Return name, type of the numbers, shape, content and checksum of what is to be written."""
    numbers = np.ascontiguousarray(array).data
    return name, array.dtype.str, json.dumps(array.shape), numbers, zlib.crc32(numbers)


def _array(name: str, dtype: str, shape: str, content: bytes, checksum: int) -> NDArray[Any]:
    """Return the array of such a row."""
    if zlib.crc32(content) != checksum:
        raise ValueError(name)
    return np.frombuffer(content, dtype=np.dtype(dtype)).reshape(json.loads(shape))


def packed(value: object) -> NDArray[np.uint8]:
    """Return the JSON of a value as an array.

    Example:
        >>> unpacked(packed(["ä", 1]))
        ['ä', 1]
    """
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return np.frombuffer(text.encode("utf-8", "surrogatepass"), dtype=np.uint8)


def unpacked(array: NDArray[np.uint8]) -> Any:
    """Return the value of its JSON."""
    return json.loads(array.tobytes())


@cache
def code_fingerprint() -> str:
    """Return a hash of the code that reads, cuts and counts: after a change all is made anew."""
    from llamaindex_rag_eval.judge import rules

    digest = sha256()
    for folder in (Path(__file__).parent, Path(rules.__file__).parent):
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.toml")]):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
