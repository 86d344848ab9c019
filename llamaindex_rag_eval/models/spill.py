"""The spill file: replies that a store could not take, on a local disk until it can.

A line is a row of the store, as `Store.rows` yields it. The file is beside a store
in a file, else in `.rag-eval` of the current folder, or in the user's folder for caches where
neither can be written. Whoever opens the store next writes the rows to it.
"""

import hashlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import platformdirs

from llamaindex_rag_eval.models.database import file_of


class StoredReply(NamedTuple):
    """A row of the store.

    Attributes:
        key: Of the request and who answers it, see `reply_key`.
        kind: The type of the request.
        fingerprint: Who answered.
        reply: As JSON.
    """

    key: str
    kind: str
    fingerprint: str
    reply: str


def spill(url: str, rows: Sequence[StoredReply]) -> Path | None:
    """Append rows to the spill file of a store; return it, or `None` if no disk takes them."""
    lines = b"".join(json.dumps(row._asdict()).encode() + b"\n" for row in rows)
    for path in _spill_files(url):
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            file = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        except OSError:
            continue
        try:
            before = os.fstat(file).st_size
            if os.write(file, lines) == len(lines):
                return path
            os.ftruncate(file, before)  # the disk took a part
        except OSError:
            continue
        finally:
            os.close(file)
    return None


def write_spilled(url: str, write: Callable[[Sequence[StoredReply]], object]) -> int:
    """Give the rows of all spill files of a store to `write`, and remove them; return how many.

    Raises:
        Exception: What `write` raises; the files stay.
    """
    count = 0
    for spill_file in _spill_files(url):
        for path in _files(spill_file):
            # Under another name first: who spills now begins a new file.
            taken = spill_file.with_name(f"{spill_file.name}.{os.getpid()}")
            with suppress(OSError):  # another process took it
                path.replace(taken)
                rows = list(_rows(taken))
                write(rows)
                taken.unlink()
                count += len(rows)
    return count


def _files(spill_file: Path) -> list[Path]:
    """Return the spill file at a place, and those that were taken and never written."""
    try:
        return sorted(
            path for path in spill_file.parent.iterdir() if path.name.startswith(spill_file.name)
        )
    except OSError:
        return []


def _spill_files(url: str) -> list[Path]:
    """Return where the spill file of a store may be, the best place first."""
    from sqlalchemy import make_url

    parsed = make_url(url)
    file = file_of(url)
    if parsed.get_backend_name() == "sqlite" and parsed.database in (None, "", ":memory:"):
        return []
    if file is not None:
        beside = file.resolve()
        name = hashlib.sha256(str(beside).encode()).hexdigest()[:16]
        first = beside.with_name(f"{beside.name}.unsaved.jsonl")
    else:
        known = parsed.set(password=None).render_as_string()
        name = hashlib.sha256(known.encode()).hexdigest()[:16]
        first = Path(".rag-eval", f"unsaved-{name}.jsonl").absolute()
    return [first, Path(platformdirs.user_cache_dir("rag-eval"), f"unsaved-{name}.jsonl")]


def _rows(path: Path) -> Iterator[StoredReply]:
    """Yield the rows of a file; a line that a kill cut short is left out."""
    with path.open("rb") as lines:
        for line in lines:
            with suppress(ValueError, TypeError):
                row = StoredReply(**json.loads(line))
                if all(isinstance(value, str) for value in row):
                    yield row
