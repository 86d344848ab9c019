"""The index on disk: what was found out about documents, so that a second run need not.

It is the SQLite file `.rag-eval/index/index.sqlite` in the folder of the documents, or in the
user's cache folder where that cannot be written, and may be deleted at any time. It holds units. A
unit is arrays, JSON and UTF-8 text under one key; none of them can hold code. It is written in one
transaction, so that a reader sees a whole unit or none, whoever else writes or is killed.
"""

import errno
import json
import logging
import os
import shutil
import sqlite3
import stat
import zlib
from collections.abc import Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import JsonValue

_LOG = logging.getLogger("llamaindex_rag_eval.index")
INDEX = Path(".rag-eval", "index")
FILE = "index.sqlite"
WAIT = 60.0
"""Seconds to wait while another process writes."""
ANY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_TABLE = """CREATE TABLE IF NOT EXISTS contents (
    unit TEXT, key TEXT, name TEXT, dtype TEXT, shape TEXT, content BLOB, checksum INTEGER,
    PRIMARY KEY (unit, name)
)"""
Content = NDArray[Any] | JsonValue | bytes


class DamagedError(Exception):
    """A part of the index is not what was written."""


@dataclass(frozen=True)
class Unit:
    """A unit that was read.

    Attributes:
        contents: Name -> type of the numbers, shape, content and checksum.
    """

    contents: Mapping[str, tuple[str, str, bytes, int]]

    def array(self, name: str) -> NDArray[Any]:
        """Return an array, which cannot be written."""
        content = self.text(name)
        dtype, shape = self.contents[name][:2]
        return np.frombuffer(content, dtype=np.dtype(dtype)).reshape(json.loads(shape))

    def json(self, name: str) -> Any:
        """Return a JSON value."""
        return json.loads(self.text(name))

    def text(self, name: str) -> bytes:
        """Return text, in UTF-8."""
        content, checksum = self.contents.get(name, ("", "", b"", -1))[2:]
        if zlib.crc32(content) != checksum:
            raise DamagedError(name)
        return content


class IndexStore:
    """The index of a folder of documents.

    Args:
        home: The folder, or the file, of the documents.
        place: Where the index is, if not in that folder.

    Attributes:
        remarks: What a person may want to know of where it was written, each once.
    """

    def __init__(self, home: Path, place: Path | None = None) -> None:
        self.home, self._place = home, place
        self.remarks: list[str] = []

    @property
    def places(self) -> tuple[Path, ...]:
        """Where it may be, the best place first."""
        if self._place is not None:
            return (self._place,)
        home = self.home.resolve()
        folder = home if home.is_dir() else home.parent
        key = sha256(str(home).encode()).hexdigest()[:16]
        return folder / INDEX, _cache_folder() / key

    def read(self, unit: str, key: str) -> Unit | None:
        """Return a unit; `None` if there is none of this key."""
        query = "SELECT name, dtype, shape, content, checksum FROM contents WHERE unit=? AND key=?"
        for place in self.places:
            path = place / FILE
            try:
                if not path.is_file():
                    continue
                uri = f"{path.absolute().as_uri()}?mode=ro"
                with closing(sqlite3.connect(uri, uri=True, timeout=WAIT)) as connection:
                    rows = connection.execute(query, (unit, key)).fetchall()
            except (OSError, sqlite3.OperationalError):
                continue
            except sqlite3.DatabaseError as error:
                self.damaged(error)
                with suppress(OSError):
                    path.unlink()
                continue
            if rows:
                return Unit({name: tuple(rest) for name, *rest in rows})
        return None

    def damaged(self, error: Exception) -> None:
        """Say that the index is damaged, and is made anew."""
        _LOG.warning("the index of %r is damaged (%s) and is made anew", str(self.home), error)

    def write(self, unit: str, key: str, contents: Mapping[str, Content]) -> None:
        """Write a unit in place of an earlier one; `remarks` tell where that could not be done."""
        for number, place in enumerate(self.places):
            try:
                _prepare(place)
                with closing(sqlite3.connect(place / FILE, timeout=WAIT)) as connection, connection:
                    connection.execute(_TABLE)
                    connection.execute("DELETE FROM contents WHERE unit = ?", (unit,))
                    connection.executemany(
                        "INSERT INTO contents VALUES (?, ?, ?, ?, ?, ?, ?)",
                        ((unit, key, *_row(*entry)) for entry in contents.items()),
                    )
            except (OSError, OverflowError, sqlite3.Error) as error:
                reason = getattr(error, "strerror", None) or str(error)
                continue
            if number:
                self._remark(
                    f"{str(self.home)!r} cannot be written; the index is in {str(place)!r}"
                )
            return
        self._remark(f"no index of {str(self.home)!r} is kept: {reason}")

    def _remark(self, text: str) -> None:
        if text not in self.remarks:
            self.remarks.append(text)
            _LOG.info(text)

    def database(self, name: str) -> Path | None:
        """Return the path of a database in the first place that can be written."""
        for place in self.places:
            try:
                _prepare(place)
                if os.access(place, os.W_OK):
                    return place / name
            except OSError:
                continue
        return None


def _prepare(place: Path) -> None:
    """Make the folder, and mark it as a cache: for version control, and for backups.

    A folder that nobody may write into is left alone, also by an administrator, who could.
    """
    above = next(folder for folder in (place, *place.parents) if folder.exists())
    if not above.stat().st_mode & ANY_WRITE:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), str(above))
    place.mkdir(parents=True, exist_ok=True)
    marks = {
        ".gitignore": "*\n",
        "CACHEDIR.TAG": "Signature: 8a477f597d28d172789f06886806bc55\n# Safe to delete.\n",
    }
    for name, text in marks.items():
        if not (place / name).exists():
            (place / name).write_text(text, encoding="utf-8")
    for unit in ("documents", "passages"):  # as 0.1 kept them
        (place / f"{unit}.json").unlink(missing_ok=True)
        for folder in place.glob(f"{unit}-*"):
            shutil.rmtree(folder, ignore_errors=True)


def _row(name: str, content: Content) -> tuple[str, str, str, Any, int]:
    """Return name, type of the numbers, shape, content and checksum of what is to be written."""
    if isinstance(content, np.ndarray):
        numbers = np.ascontiguousarray(content).data
        return name, content.dtype.str, json.dumps(content.shape), numbers, zlib.crc32(numbers)
    text = content if isinstance(content, bytes) else json.dumps(content).encode()
    return name, "", "", text, zlib.crc32(text)


def _cache_folder() -> Path:
    from platformdirs import user_cache_dir

    return Path(user_cache_dir("rag-eval"), "index")


@cache
def code_fingerprint() -> str:
    """Return a hash of the code that reads, cuts and counts: after a change all is made anew."""
    from llamaindex_rag_eval.judge import rules

    found = sha256()
    for folder in (Path(__file__).parent, Path(rules.__file__).parent):
        for path in sorted(folder.rglob("*.py")):
            found.update(path.read_bytes())
    return found.hexdigest()[:16]
