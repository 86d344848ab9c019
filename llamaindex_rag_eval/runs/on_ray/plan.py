"""The plan of a run: its blocks, found by reading all input once before anything is asked.

Ids must not repeat over the whole input, and a metric must find its fields somewhere in it. No
process can see all rows: each block is summed up in a few bytes a row, and the sums are compared.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from typing import Any

import numpy as np

from llamaindex_rag_eval.data.rows import content_id
from llamaindex_rag_eval.data.sample import Sample, SingleTurnSample
from llamaindex_rag_eval.errors import DatasetError, InputError, MissingFieldError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.runs.on_ray.source import Block, samples_in

HASH_BYTES = 8
"""Of an id: of a hundred million ids two collide with chance 0.03 %."""


@dataclass(frozen=True, slots=True)
class BlockDigest:
    """What the plan needs to know of a block.

    Attributes:
        piece: The number of its piece.
        index: Its place in the piece.
        rows: How many rows it has.
        ids: A hash of each id, 8 bytes each.
        contents: A hash of each sample's content; of one without an id of its own, zero.
        found: The specs of metrics that a sample of it has the fields for.
        missing: Spec -> the field that the first sample with an answer lacks, and its id.
        digest: A hash of all its samples.
        error: Why a row of it describes no sample; empty if all do.
        bad: How many describe none.
    """

    piece: int
    index: int
    rows: int
    ids: bytes
    contents: bytes
    found: tuple[str, ...]
    missing: Mapping[str, tuple[str, str]]
    digest: str
    error: str
    bad: int


@dataclass(frozen=True, slots=True)
class PlannedBlock:
    """A block of the plan.

    Attributes:
        number: Its place among all blocks.
        piece: The number of its piece.
        index: Its place in the piece.
        rows: How many rows it has.
        again: Row -> which occurrence of its id it is, for all but the first.
    """

    number: int
    piece: int
    index: int
    rows: int
    again: Mapping[int, int] = field(default_factory=dict)

    def as_line(self) -> str:
        """Return it as a line of JSON; `from_line` reads it back."""
        again = {str(row): number for row, number in self.again.items()}
        return json.dumps([self.number, self.piece, self.index, self.rows, again]) + "\n"

    @classmethod
    def from_line(cls, line: str) -> "PlannedBlock":
        """Return what `as_line` wrote."""
        number, piece, index, rows, again = json.loads(line)
        return cls(number, piece, index, rows, {int(row): n for row, n in again.items()})


def digest_of(block: Block, metrics: Sequence[BaseMetric]) -> BlockDigest:
    """Return what the plan needs to know of a block."""
    ids, contents, bad, error = bytearray(), bytearray(), 0, ""
    missing: dict[str, tuple[str, str]] = {}
    found: dict[str, None] = {}
    entries, whole = samples_in(block), blake2b()
    for place, entry in enumerate(entries):
        if isinstance(entry, DatasetError):
            bad, error = bad + 1, error or str(entry)
            ids += _hash(_place_id(block, place))
            contents += bytes(HASH_BYTES)
            continue
        text = entry.fingerprint_text()
        whole.update(text.encode("utf-8", "surrogatepass"))
        ids += _hash(entry.id or content_id(entry))
        contents += _hash(text) if entry.id else bytes(HASH_BYTES)
        if not entry.error:
            for metric in metrics:
                lacks = metric.missing(entry)
                if lacks is None:
                    found[metric.spec] = None
                else:
                    missing.setdefault(metric.spec, (lacks, entry.id))
    return BlockDigest(
        block.piece,
        block.index,
        len(entries),
        bytes(ids),
        bytes(contents),
        tuple(found),
        missing,
        whole.hexdigest(),
        error,
        bad,
    )


def planned(digests: Iterable[BlockDigest], where: str) -> list[PlannedBlock]:
    """Return the plan of blocks whose digests came in any order.

    Args:
        digests: Of all blocks.
        where: The input, for error messages.

    Raises:
        InputError: There are no samples.
        DatasetError: No row describes a sample, or two different samples have one id.
        MissingFieldError: No sample has a field that a metric needs.
    """
    ordered = sorted(digests, key=lambda one: (one.piece, one.index))
    if not sum(one.rows for one in ordered):
        raise InputError("expected at least one sample, got none")
    if all(one.bad == one.rows for one in ordered):
        raise DatasetError(f"no row describes a sample; the first: {ordered[0].error}", file=where)
    _require_fields(ordered)
    again = _again(ordered, where)
    return [
        PlannedBlock(number, one.piece, one.index, one.rows, again.get(number, {}))
        for number, one in enumerate(ordered)
    ]


def _require_fields(digests: Sequence[BlockDigest]) -> None:
    found = {spec for one in digests for spec in one.found}
    for one in digests:
        for spec, (lacks, sample_id) in one.missing.items():
            if spec not in found:
                raise MissingFieldError(spec, lacks, sample_id=sample_id)


def _again(digests: Sequence[BlockDigest], where: str) -> dict[int, dict[int, int]]:
    """Return block -> row -> occurrence, for ids that were there before.

    Raises:
        DatasetError: Two different samples have one id.
    """
    ids = np.frombuffer(b"".join(one.ids for one in digests), dtype=np.uint64)
    order = np.argsort(ids, kind="stable")
    same = np.flatnonzero(ids[order][1:] == ids[order][:-1]) + 1
    if not len(same):
        return {}
    contents = np.frombuffer(b"".join(one.contents for one in digests), dtype=np.uint64)
    ends = np.cumsum([one.rows for one in digests])
    again: dict[int, dict[int, int]] = {}
    occurrence: dict[int, int] = {}
    for place in same.tolist():
        row, before = int(order[place]), int(order[place - 1])
        block = int(np.searchsorted(ends, row, side="right"))
        inside = row - int(ends[block] - digests[block].rows)
        if contents[row] and contents[before] and contents[row] != contents[before]:
            raise DatasetError(
                f"expected ids to differ: rows {before + 1} and {row + 1} have the same id, and "
                "are different samples",
                file=where,
                field="id",
            )
        occurrence[row] = occurrence.get(before, 1) + 1
        again.setdefault(block, {})[inside] = occurrence[row]
    return again


def named(block: Block, again: Mapping[int, int]) -> Iterator[tuple[Sample, DatasetError | None]]:
    """Yield the samples of a block with their ids; for a bad row, a stand-in and the error.

    Args:
        block: The block.
        again: Row -> which occurrence of its id it is, for all but the first.
    """
    for place, entry in enumerate(samples_in(block)):
        if isinstance(entry, DatasetError):
            yield SingleTurnSample(id=_place_id(block, place), error=str(entry)), entry
            continue
        base = entry.id or content_id(entry)
        name = f"{base}~{again[place]}" if place in again else base
        yield (entry if name == entry.id else entry.model_copy(update={"id": name})), None


def _place_id(block: Block, place: int) -> str:
    return f"{block.file.path}#{block.piece}.{block.index}.{place}"


def _hash(text: str) -> Any:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=HASH_BYTES).digest()
