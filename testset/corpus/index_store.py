"""The index on disk: what was found out about documents, on disk, so that a second run need not.

It stands in `.rag-eval/index` in the folder of the documents, or in the user's cache folder where
that cannot be written, and may be deleted at any time. It is made of units. A unit is a folder of
NumPy arrays, JSON and UTF-8 text; none of them can hold code. It is written apart and then named in
`UNIT.json` at once, so that a reader sees a whole unit or none, whoever else writes or is killed.
"""

import errno
import json
import logging
import os
import shutil
import stat
import tempfile
import time
import zlib
from collections.abc import Mapping, Sequence
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
ABANDONED = 24 * 3600
"""Seconds after which a unit that was never finished is removed."""
UNFINISHED = "tmp-"
ANY_WRITE = stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH
_PART = 1 << 20
Content = NDArray[Any] | JsonValue | bytes


class DamagedError(Exception):
    """A file of the index is not what was written."""


@dataclass(frozen=True)
class Unit:
    """A unit that was read.

    Attributes:
        folder: Where it is.
        files: File -> its size and its checksum.
    """

    folder: Path
    files: Mapping[str, Sequence[int]]

    def array(self, name: str) -> NDArray[Any]:
        """Return an array; it is read from disk as it is used."""
        path = self._checked(f"{name}.npy")
        found: NDArray[Any] = np.load(path, mmap_mode="r", allow_pickle=False)
        return found

    def json(self, name: str) -> Any:
        """Return a JSON value."""
        return json.loads(self._checked(f"{name}.json").read_bytes())

    def text(self, name: str) -> bytes:
        """Return text, in UTF-8."""
        return self._checked(f"{name}.txt").read_bytes()

    def _checked(self, name: str) -> Path:
        path = self.folder / name
        if name not in self.files or _sum_of(path) != tuple(self.files[name]):
            raise DamagedError(name)
        return path


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
        for place in self.places:
            try:
                pointer = json.loads((place / f"{unit}.json").read_bytes())
                if pointer["key"] != key:
                    continue
                folder = str(pointer["folder"])
                if os.path.basename(folder) != folder:
                    raise DamagedError(f"{unit}.json")
                return Unit(place / folder, dict(pointer["files"]))
            except OSError:
                continue
            except (ValueError, KeyError, TypeError, DamagedError) as error:
                self.damaged(error)
        return None

    def damaged(self, error: Exception) -> None:
        """Say that the index is damaged, and is made anew."""
        _LOG.warning("the index of %r is damaged (%s) and is made anew", str(self.home), error)

    def write(self, unit: str, key: str, contents: Mapping[str, Content]) -> None:
        """Write a unit in place of an earlier one; `remarks` tell where that could not be done."""
        for number, place in enumerate(self.places):
            try:
                _prepare(place)
                _write_unit(place, unit, key, contents)
            except OSError as error:
                reason = error.strerror or str(error)
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


def _write_unit(place: Path, unit: str, key: str, contents: Mapping[str, Content]) -> None:
    folder = Path(tempfile.mkdtemp(prefix=UNFINISHED, dir=place))
    try:
        paths = [_write(folder, name, content) for name, content in contents.items()]
        files = {path.name: list(_sum_of(path)) for path in paths}
        whole = folder.with_name(f"{unit}-{folder.name.removeprefix(UNFINISHED)}")
        pointer = {"key": key, "folder": whole.name, "files": files}
        path = _write_through(folder / "pointer", json.dumps(pointer).encode())
        folder = folder.rename(whole)
        os.replace(folder / path.name, place / f"{unit}.json")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    _remove_others(place, unit, folder)


def _write(folder: Path, name: str, content: Content) -> Path:
    if isinstance(content, np.ndarray):
        path = folder / f"{name}.npy"
        with path.open("wb") as file:
            np.save(file, content, allow_pickle=False)
            file.flush()
            os.fsync(file.fileno())
        return path
    if isinstance(content, bytes):
        return _write_through(folder / f"{name}.txt", content)
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    return _write_through(folder / f"{name}.json", text.encode())


def _write_through(path: Path, content: bytes) -> Path:
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    return path


def _remove_others(place: Path, unit: str, newest: Path) -> None:
    """Remove the units that the newest replaces, and what was never finished."""
    for folder in (*place.glob(f"{unit}-*"), *place.glob(f"{UNFINISHED}*")):
        unfinished = folder.name.startswith(UNFINISHED)
        try:
            age = time.time() - folder.stat().st_mtime
        except OSError:
            continue
        if folder != newest and (not unfinished or age > ABANDONED):
            shutil.rmtree(folder, ignore_errors=True)


def _sum_of(path: Path) -> tuple[int, int]:
    """Return the size of a file and its CRC-32."""
    size = found = 0
    try:
        with path.open("rb") as file:
            while part := file.read(_PART):
                size += len(part)
                found = zlib.crc32(part, found)
    except OSError as error:
        raise DamagedError(path.name) from error
    return size, found


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
