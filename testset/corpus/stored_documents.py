"""Documents in the index on disk: their texts, so that an unchanged file is not read again.

A file is unchanged if its size, both its times and its inode are. What changed at the moment in
which it was read is read again: a clock is too coarse to tell.
"""

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import JsonValue

from llamaindex_rag_eval.errors import DocumentError
from testset.corpus.cores import on_every_core
from testset.corpus.index_store import Content, DamagedError, IndexStore, code_fingerprint
from testset.corpus.listing import Listing, Stamp
from testset.corpus.reading import read_file

UNIT = "documents"
TICK = 100_000_000
"""Nanoseconds within which a clock of files may not tick."""
COARSE_TICK = 2_000_000_000
"""The same where times are whole seconds."""
PART = 4_000_000
"""Bytes of the files that a core reads at a time."""


@dataclass
class Read:
    """What was read of a folder.

    Attributes:
        texts: Document id -> its text.
        reasons: Document id -> why it cannot be read.
        stamps: Document id -> the state of its file.
        fresh: Whether any file was read.
    """

    texts: dict[str, str] = field(default_factory=dict)
    reasons: dict[str, str] = field(default_factory=dict)
    stamps: Mapping[str, Stamp] = field(default_factory=dict)
    fresh: bool = False
    started: int = field(default_factory=time.time_ns)

    def keep(self, index: IndexStore) -> None:
        """Write what was read into the index, if it is not there."""
        if not self.fresh:
            return
        blob = [text.encode() for text in self.texts.values()]
        rows: list[JsonValue] = [[name, *self._stamp(name)] for name in self.texts]
        reasons: list[JsonValue] = [
            [name, why, *self._stamp(name)] for name, why in self.reasons.items()
        ]
        contents: dict[str, Content] = {
            "documents": rows,
            "reasons": reasons,
            "ends": np.cumsum([len(text) for text in blob], dtype=np.int64),
            "texts": b"".join(blob),
        }
        index.write(UNIT, code_fingerprint(), contents)

    def _stamp(self, name: str) -> Stamp:
        """Return the state of a file; none that is found again if it may have changed since."""
        stamp = self.stamps[name]
        tick = TICK if stamp[1] % 1_000_000_000 else COARSE_TICK
        return stamp if max(stamp[1:3]) < self.started - tick else (-1, 0, 0, 0)


def read_documents(listing: Listing, index: IndexStore) -> Read:
    """Return the texts of the listed files: those that are unchanged from the index."""
    found = Read(stamps=listing.stamps)
    known = _known(index)
    changed = [
        (doc_id, path)
        for doc_id, path in listing.files
        if known.get(doc_id, ("", "", None))[2] != listing.stamps[doc_id]
    ]
    found.fresh = bool(changed)
    read = chain.from_iterable(on_every_core(_read, _parts(changed, listing.stamps)))
    fresh = {doc_id for doc_id, _ in changed}
    for doc_id, _ in listing.files:
        text, why = next(read) if doc_id in fresh else known[doc_id][:2]
        if why:
            found.reasons[doc_id] = why
        else:
            found.texts[doc_id] = text
    return found


def _parts(
    files: Sequence[tuple[str, str]], stamps: Mapping[str, Stamp]
) -> Iterator[Sequence[tuple[str, str]]]:
    """Yield files in parts that take about as long to read: their paths, as given and absolute."""
    part: list[tuple[str, str]] = []
    size = 0
    for doc_id, path in files:
        part.append((path, os.path.abspath(path)))
        size += stamps[doc_id][0]
        if size >= PART:
            yield part
            part, size = [], 0
    if part:
        yield part


def _read(paths: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the text of each file, or else why it cannot be read."""
    found = []
    for path, absolute in paths:
        try:
            found.append((read_file(Path(absolute)), ""))
        except DocumentError as error:
            found.append(("", str(error).replace(absolute, path)))
    return found


def _known(index: IndexStore) -> dict[str, tuple[str, str, Stamp]]:
    """Return text, or why it cannot be read, and state of the files in the index."""
    unit = index.read(UNIT, code_fingerprint())
    if unit is None:
        return {}
    try:
        texts = _cut(unit.text("texts"), unit.array("ends"))
        found = {
            str(name): (text, "", _stamp_in(stamp))
            for (name, *stamp), text in zip(unit.json("documents"), texts, strict=True)
        }
        for name, why, *stamp in unit.json("reasons"):
            found[str(name)] = "", str(why), _stamp_in(stamp)
    except (DamagedError, ValueError, TypeError) as error:
        index.damaged(error)
        return {}
    return found


def _cut(blob: bytes, ends: Any) -> Iterator[str]:
    start = 0
    for end in ends.tolist():
        yield blob[start:end].decode()
        start = end


def _stamp_in(values: list[Any]) -> Stamp:
    size, content, state, inode = map(int, values)
    return size, content, state, inode
