"""Documents in the index on disk: their texts, so that an unchanged file is not read again.

A file is unchanged if its size, both its times and its inode are. What changed at the moment in
which it was read is read again: a clock is too coarse to tell.
"""

import os
import time
from collections.abc import Sequence
from functools import partial
from itertools import chain
from operator import itemgetter
from pathlib import Path

from llamaindex_rag_eval.errors import DocumentError
from testset.corpus.cores import in_parts, on_every_core
from testset.corpus.index_store import Arrays, IndexStore, code_fingerprint, packed, unpacked
from testset.corpus.listing import Listing, Stamp
from testset.corpus.reading import installed, read_file

UNIT = "documents"
TICK = 100_000_000
"""Nanoseconds within which a clock of files may not tick."""
COARSE_TICK = 2_000_000_000
"""The same where times are whole seconds."""
PART = 4_000_000
"""Bytes of the files that a core reads at a time."""
UNKNOWN: Stamp = (-1, 0, 0, 0)
ReadFile = tuple[str, str, Stamp]
"""The text of a file, why it cannot be read or what is left out of it, and the state of the file;
none that is seen again if it may have changed while it was read."""


def read_documents(
    listing: Listing, index: IndexStore, encoding: str | None = None
) -> dict[str, ReadFile]:
    """Return what was read of the listed files by their ids: of unchanged ones from the index.

    What was read is kept for the next `flush` of the index.

    Args:
        listing: The files.
        index: Of an earlier reading.
        encoding: Of plain text that does not tell its own.
    """
    made_by = f"{code_fingerprint()} {encoding} {installed()}"
    known, started = index.read(UNIT, made_by, _known) or {}, time.time_ns()
    changed = [
        (doc_id, path)
        for doc_id, path in listing.files.items()
        if known.get(doc_id, ("", "", UNKNOWN))[2] != listing.stamps[doc_id]
    ]
    paths = [(path, os.path.abspath(path), listing.stamps[doc_id][0]) for doc_id, path in changed]
    parts = in_parts(paths, itemgetter(2), PART)
    texts = chain.from_iterable(on_every_core(partial(_read, encoding=encoding), parts))
    fresh = {
        doc_id: (*text, _surely(listing.stamps[doc_id], started))
        for (doc_id, _), text in zip(changed, texts, strict=True)
    }
    files = {doc_id: fresh.get(doc_id) or known[doc_id] for doc_id in listing.files}
    if fresh:
        index.keep(UNIT, made_by, lambda: {"files": packed(list(files.items()))})
    return files


def _read(paths: Sequence[tuple[str, str, int]], *, encoding: str | None) -> list[tuple[str, str]]:
    """Return the text of each file and what is left out of it, or else why it cannot be read."""
    texts = []
    for path, absolute, _ in paths:
        try:
            texts.append(read_file(Path(absolute), encoding))
        except DocumentError as error:
            texts.append(("", str(error).replace(absolute, path)))
    return texts


def _surely(stamp: Stamp, started: int) -> Stamp:
    """Return the state of a file; none that is seen again if it may have changed since."""
    tick = TICK if stamp[1] % 1_000_000_000 else COARSE_TICK
    return stamp if max(stamp[1:3]) < started - tick else UNKNOWN


def _known(arrays: Arrays) -> dict[str, ReadFile]:
    files = unpacked(arrays["files"])
    return {name: (text, why, tuple(stamp)) for name, (text, why, stamp) in files}
