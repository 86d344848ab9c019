"""Passages in the index on disk: what planning and searching know of them."""

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from testset.corpus.counts import Names, TermCounts
from testset.corpus.digest import Digest
from testset.corpus.index_store import Content, DamagedError, IndexStore, Unit

UNIT = "passages"


@dataclass(frozen=True)
class Findings:
    """What was found out about the passages of a corpus.

    Attributes:
        digest: The passages; of one that was read, without signatures and sentences.
        kept: The numbers of the passages that are no near-duplicates.
        topics: The number of the topic of each document.
        labels: The topics.
        boilerplate: The hashes of sentences that stand in several documents.
        features: Term × dimension of the lexical vectors; a sparse matrix by rows.
        scales: What brings the lexical vector of each passage to length 1.
    """

    digest: Digest
    kept: NDArray[np.int64]
    topics: NDArray[np.int32]
    labels: list[str]
    boilerplate: NDArray[np.uint64]
    features: Any
    scales: NDArray[np.float32]


PLAIN = ("passages", "spans", "lengths", "rows", "headings")
"""What is kept of a digest beside its counts."""
OWN = ("kept", "topics", "boilerplate", "scales")


def write_findings(index: IndexStore, key: str, found: Findings) -> None:
    """Write findings into the index."""
    digest = found.digest
    contents: dict[str, Content] = {name: getattr(digest, name) for name in PLAIN}
    contents |= {name: getattr(found, name) for name in OWN}
    contents |= _parts("times", digest.counts.times) | _parts("features", found.features)
    contents |= {"names": digest.counts.names.text, "labels": list(found.labels)}
    index.write(UNIT, key, contents)


def read_findings(index: IndexStore, key: str) -> Findings | None:
    """Return the findings of a key; `None` if the index has none, or they are damaged."""
    unit = index.read(UNIT, key)
    if unit is None:
        return None
    try:
        return _findings(unit)
    except (DamagedError, ValueError, TypeError, OSError) as error:
        index.damaged(error)
        return None


def _findings(unit: Unit) -> Findings:
    names = Names(unit.text("names"))
    plain = {name: unit.array(name) for name in PLAIN}
    count, width = len(plain["spans"]), len(names)
    if int(plain["passages"].sum()) != count:
        raise DamagedError("passages")
    counts = TermCounts(names, _matrix(unit, "times", (count, width), by_rows=False))
    empty: dict[str, Any] = {field.name: np.zeros(0) for field in fields(Digest)}
    digest = Digest(**{**empty, **plain, "counts": counts})
    own: dict[str, Any] = {name: unit.array(name) for name in OWN}
    labels = [str(label) for label in unit.json("labels")]
    features = _matrix(unit, "features", (width, int(unit.array("features_width")[0])))
    found = Findings(digest, labels=labels, features=features, **own)
    inside = found.kept.size == 0 or 0 <= found.kept.min() <= found.kept.max() < count
    named = found.topics.size == 0 or 0 <= found.topics.min() <= found.topics.max() < len(labels)
    if not inside or not named or len(found.topics) != len(plain["passages"]):
        raise DamagedError("topics")
    return found


def _parts(name: str, matrix: Any) -> dict[str, Content]:
    return {
        f"{name}_data": matrix.data,
        f"{name}_indices": matrix.indices,
        f"{name}_ends": matrix.indptr,
        f"{name}_width": np.array([matrix.shape[1]]),
    }


def _matrix(unit: Unit, name: str, shape: tuple[int, int], *, by_rows: bool = True) -> Any:
    from scipy.sparse import csc_array, csr_array

    parts = [unit.array(f"{name}_{part}") for part in ("data", "indices", "ends")]
    matrix = (csr_array if by_rows else csc_array)(tuple(parts), shape=shape)
    matrix.check_format(full_check=True)
    return matrix
