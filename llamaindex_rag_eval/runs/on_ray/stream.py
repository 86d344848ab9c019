"""What streams through Ray: blocks from tasks that read to actors that score.

Ray Data holds back the readers when the scorers are behind, and does again what a lost worker left.
"""

import json
import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.file_system import Folder, system_at
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.runs.on_ray.allowance import Allowance
from llamaindex_rag_eval.runs.on_ray.limits import SharedLimit, loads
from llamaindex_rag_eval.runs.on_ray.plan import BlockDigest, PlannedBlock, digest_of
from llamaindex_rag_eval.runs.on_ray.score import BlockReport, Scorer
from llamaindex_rag_eval.runs.on_ray.source import Block, Piece, blocks_of

if TYPE_CHECKING:
    import pyarrow as pa
    from ray.data import Dataset

__all__ = ["Workers", "digests_of", "reports_of"]

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

    def read(item: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        metrics = _metrics_in(data)
        for block in blocks_of(system_at(where)[0], Piece.from_text(item["piece"]), rows):
            yield digest_of(block, metrics).as_row()

    found = _streamed([{"piece": piece.as_text()} for piece in pieces]).flat_map(read, num_cpus=1)
    return map(BlockDigest.from_row, found.iter_rows())


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

    def read(item: Mapping[str, str]) -> Iterator[dict[str, Any]]:
        planned = map(PlannedBlock.from_line, item["wanted"].splitlines())
        by_index = {one.index: one for one in planned}
        for block in blocks_of(system_at(where)[0], Piece.from_text(item["piece"]), rows):
            if block.index in by_index:
                yield {"plan": by_index[block.index].as_line(), "data": block.as_bytes()}

    items = [
        {"piece": piece.as_text(), "wanted": "".join(one.as_line() for one in blocks)}
        for piece, blocks in wanted
    ]
    most = min(workers.most, sum(len(blocks) for _, blocks in wanted))
    allowance = _allowance(workers.limits)
    scored = (
        _streamed(items)
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
        for row in scored.iter_rows():
            yield BlockReport(**json.loads(row["report"]))
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

        planned = PlannedBlock.from_line(batch["plan"][0].as_py())
        block = Block.from_bytes(batch["data"][0].as_py())
        report = self._scorer.score(planned.number, block, planned.again)
        run_sync(_flush(self._limits))
        return pa.table({"report": [json.dumps(asdict(report), ensure_ascii=False)]})


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


def _streamed(items: Sequence[Mapping[str, str]]) -> "Dataset":
    """Return items as a data set with a block for each."""
    import ray
    from ray.data import DataContext

    context = DataContext.get_current()
    context.enable_progress_bars = False
    return ray.data.from_items(list(items), override_num_blocks=len(items))


@lru_cache(maxsize=1)
def _metrics_in(data: bytes) -> Sequence[BaseMetric]:
    """Return the metrics, to see what they need; not to ask their judge."""
    found: Sequence[BaseMetric] = loads(data, None, "")[0]
    return found
