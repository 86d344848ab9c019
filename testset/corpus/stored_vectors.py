"""Vectors in the index on disk: what an embedding model made of texts; none is paid for twice."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from itertools import islice
from pathlib import Path

import numpy as np
from llama_index.core.base.embeddings.base import BaseEmbedding
from numpy.typing import NDArray

from testset.corpus.index_store import WAIT
from testset.corpus.passages import Passage

AT_ONCE = 256
"""Passages whose vectors are asked for, and kept, at a time; a kill loses no more."""


def embedded(
    passages: Sequence[Passage], model: BaseEmbedding, database: Path | None
) -> NDArray[np.float32]:
    """Return the vectors of passages: those known from the database, the others from the model.

    Args:
        passages: The passages.
        model: The embedding model.
        database: Where its vectors are kept; `None` for nowhere.
    """
    if database is None:
        parts = (model.get_text_embedding_batch(texts) for texts in _texts(passages))
        rows = [np.asarray(row, dtype=np.float32) for part in parts for row in part]
        return np.array(rows, dtype=np.float32).reshape(len(rows), -1)
    try:
        return _kept(passages, model, database)
    except sqlite3.DatabaseError:
        database.unlink(missing_ok=True)  # damaged: it is a cache
        return _kept(passages, model, database)


def _kept(passages: Sequence[Passage], model: BaseEmbedding, database: Path) -> NDArray[np.float32]:
    name = f"{model.class_name()}/{model.model_name}"
    found: list[NDArray[np.float32]] = []
    with closing(sqlite3.connect(database, timeout=WAIT)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute(
            "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, row BLOB) WITHOUT ROWID"
        )
        for texts in _texts(passages):
            keys = [sha256(f"{name}\0{text}".encode()).digest() for text in texts]
            known = _rows(connection, keys)
            new = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
            if new:
                rows = np.asarray(model.get_text_embedding_batch([*new.values()]), np.float32)
                made = dict(zip(new, rows, strict=True))
                with connection:
                    connection.executemany(
                        "INSERT OR REPLACE INTO vectors VALUES (?, ?)",
                        [(key, row.tobytes()) for key, row in made.items()],
                    )
                known |= made
            found += [known[key] for key in keys]
    return np.array(found, dtype=np.float32).reshape(len(found), -1)


def _rows(
    connection: sqlite3.Connection, keys: Sequence[bytes]
) -> dict[bytes, NDArray[np.float32]]:
    query = "SELECT row FROM vectors WHERE key = ?"
    found = ((key, connection.execute(query, (key,)).fetchone()) for key in keys)
    return {key: np.frombuffer(row[0], dtype=np.float32) for key, row in found if row}


def _texts(passages: Sequence[Passage]) -> Iterator[list[str]]:
    everything = iter(passages)
    while part := [passage.shown for passage in islice(everything, AT_ONCE)]:
        yield part
