"""What streams through Ray: blocks from tasks that read to actors that score.

Ray Data holds back the readers when the scorers are behind, and does again what a lost worker left.
"""

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import cloudpickle

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.file_system import Folder, system_at
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.runs.on_ray.allowance import Allowance
from llamaindex_rag_eval.runs.on_ray.limits import SharedLimit, loads
from llamaindex_rag_eval.runs.on_ray.plan import BlockDigest, PlannedBlock, digest_of
from llamaindex_rag_eval.runs.on_ray.score import BlockReport, Scorer
from llamaindex_rag_eval.runs.on_ray.source import Piece, blocks_of

if TYPE_CHECKING:
    import pyarrow as pa
    from ray.data import Dataset

SCORER_CPUS = 0.9
"""Cores of an actor that scores; the rest of each is for those who read."""

READER_CPUS = 0.1


@dataclass(frozen=True, slots=True)
class Workers:
    """The actors that score.

    Attributes:
        data: The metrics with their judges, as `dumps` returned them.
        limits: The settings of the limits in them.
        folder: Of the run.
        most: How many actors.
        concurrency: Samples that each scores at a time.
    """

    data: bytes
    limits: Sequence[Mapping[str, Any]]
    folder: str
    most: int
    concurrency: int


def digests_of(
    where: str, pieces: Sequence[Piece], rows: int, data: bytes
) -> Iterator[BlockDigest]:
    """Yield the digests of all blocks of the pieces, in any order.

    Args:
        where: The input.
        pieces: Its pieces.
        rows: Of a block.
        data: The metrics, as `dumps` returned them.
    """

    def read(row: Mapping[str, bytes]) -> Iterator[dict[str, bytes]]:
        metrics = _metrics_in(data)
        for block in blocks_of(system_at(where)[0], _value(row), rows):
            yield _row(digest_of(block, metrics))

    return map(_value, _streamed(pieces).flat_map(read, num_cpus=1).iter_rows())


def reports_of(
    where: str,
    wanted: Sequence[tuple[Piece, Sequence[PlannedBlock]]],
    rows: int,
    workers: Workers,
) -> Iterator[BlockReport]:
    """Score blocks, and yield what becomes of each, in the order in which they are done.

    Args:
        where: The input.
        wanted: Pieces, each with the blocks of it that are to be scored.
        rows: Of a block.
        workers: Who scores.
    """
    import ray
    from ray.data import ActorPoolStrategy

    def read(row: Mapping[str, bytes]) -> Iterator[dict[str, bytes]]:
        piece, planned = _value(row)
        by_index = {one.index: one for one in planned}
        for block in blocks_of(system_at(where)[0], piece, rows):
            if block.index in by_index:
                yield _row((by_index[block.index], block))

    most = min(workers.most, sum(len(blocks) for _, blocks in wanted))
    allowance = _allowance(workers.limits)
    scored = (
        _streamed(wanted)
        .flat_map(read, num_cpus=READER_CPUS)
        .map_batches(
            _Actor,
            fn_constructor_args=(workers.data, allowance, workers.folder, workers.concurrency),
            batch_size=1,
            batch_format="pyarrow",
            compute=ActorPoolStrategy(min_size=1, max_size=most),
            num_cpus=SCORER_CPUS,
        )
    )
    try:
        yield from map(_value, scored.iter_rows())
    finally:
        ray.kill(allowance)


class _Actor:
    """A worker: it keeps the judge and its clients, and scores one block after another."""

    def __init__(self, data: bytes, allowance: Any, where: str, concurrency: int) -> None:
        metrics, self._limits = loads(data, allowance, uuid.uuid4().hex)
        self._scorer = Scorer(metrics, Folder(where), concurrency)

    def __call__(self, batch: "pa.Table") -> "pa.Table":
        """Score the one block in a batch, and return its report."""
        import pyarrow as pa

        planned, block = _value(batch.to_pylist()[0])
        report = self._scorer.score(planned.number, block, planned.again)
        run_sync(_flush(self._limits))
        return pa.Table.from_pylist([_row(report)])


async def _flush(limits: Sequence[SharedLimit]) -> None:
    for limit in limits:
        await limit.flush()


def _allowance(limits: Sequence[Mapping[str, Any]]) -> Any:
    """Return the actor that keeps the limits, on the driver's own node: it ends with the driver."""
    import ray
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

    here = NodeAffinitySchedulingStrategy(ray.get_runtime_context().get_node_id(), soft=True)
    maker = ray.remote(num_cpus=0)(Allowance)
    return maker.options(
        name=f"rag-eval-limits-{uuid.uuid4().hex}",
        scheduling_strategy=here,
        max_concurrency=10_000,
    ).remote(list(limits))


def _row(value: object) -> dict[str, bytes]:
    """Return a value as a row of one cell, which Ray Data never cuts in two."""
    return {"value": cloudpickle.dumps(value)}


def _value(row: Mapping[str, bytes]) -> Any:
    """Return what `_row` was given, in another process of this run: never from a file."""
    return cloudpickle.loads(row["value"])


def _streamed(values: Sequence[object]) -> "Dataset":
    """Return values as a data set with a block for each."""
    import ray
    from ray.data import DataContext

    context = DataContext.get_current()
    context.enable_progress_bars = False
    return ray.data.from_items([*map(_row, values)], override_num_blocks=len(values))


@lru_cache(maxsize=1)
def _metrics_in(data: bytes) -> Sequence[BaseMetric]:
    """Return the metrics, to see what they need; not to ask their judge."""
    found: Sequence[BaseMetric] = loads(data, None, "")[0]
    return found
