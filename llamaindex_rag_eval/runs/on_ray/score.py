"""Scoring a block on Ray: its samples on every metric, and their results as one Parquet file."""

import asyncio
import json
import time
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.file_system import Folder
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import DatasetError, EngineError, InputError, MissingFieldError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.result import Result, Row
from llamaindex_rag_eval.models.usage import Usage, current_account, usage_sum
from llamaindex_rag_eval.runs.block_file import about_block, block_bytes, block_name
from llamaindex_rag_eval.runs.on_ray.limits import Server, use_limits_at
from llamaindex_rag_eval.runs.provenance import MetricInfo, Provenance
from llamaindex_rag_eval.runs.remote_limit import loads
from llamaindex_rag_eval.runs.replies import flush_replies
from llamaindex_rag_eval.runs.shard import sparing_collector
from llamaindex_rag_eval.runs.workers import Scoring

OF_THE_ROW = frozenset(
    kind.__name__ for kind in (DatasetError, EngineError, InputError, MissingFieldError)
)
"""Errors that come again when a row is scored again."""

Block = Sequence[tuple[Sample, DatasetError | None]]
"""Samples; with the error of its row a stand-in for one."""

Settings = tuple[bytes, Server | None, str, int]
"""Metrics as `dumps` returned them, where limits are, the folder, samples at a time."""


@lru_cache(maxsize=1)
def _opened(data: bytes, server: Server | None) -> Sequence[BaseMetric]:
    """Return the metrics, whose judges and clients stay for the next block in this process."""
    metrics: Sequence[BaseMetric]
    metrics, limits = loads(data)
    use_limits_at(server, limits)
    return metrics


def score_block(settings: Settings, number: int, block: Block) -> Mapping[str, Any]:
    """Score a block, write it into the folder of the run, and return what became of it.

    Args:
        settings: As all blocks have them.
        number: The number of the block.
        block: Its samples.

    Raises:
        OutputError: The folder cannot be written.
    """
    return run_sync(_score_block(settings, number, block))


async def _score_block(settings: Settings, number: int, block: Block) -> Mapping[str, Any]:
    data, server, where, concurrency = settings
    started = time.perf_counter()
    metrics = _opened(data, server)
    usage, rows = Usage(), _failures(block, metrics)
    current_account.set(usage.count)  # for this task alone

    def keep(row: Row) -> None:
        rows[row.sample_id, row.metric] = row

    work = [(sample, metrics) for sample, error in block if error is None]
    with sparing_collector():
        scoring = Scoring(metrics, keep, concurrency=concurrency)
        ending = await scoring.score(work, workers=1)
    await flush_replies(metrics)
    await asyncio.sleep(0)  # lets the limits know of the last calls before the loop rests
    pairs = [(sample.id, metric.spec) for sample, _ in block for metric in metrics]
    ordered = [rows[pair] for pair in pairs if pair in rows]
    about = {
        "usage": usage.as_json() if usage.total.calls else {},
        "judged": Provenance().with_judged(ordered).judged,
        "seconds": time.perf_counter() - started,
        "results": len(ordered),
        "failed": sum(row.status == "failed" for row in ordered),
    }
    samples, infos = [sample for sample, _ in block], tuple(map(MetricInfo.of, metrics))
    written = _written(Folder(where), number, samples, infos, ordered, about)
    return {**written, "number": number, "stopped": ending.stopped}


def _failures(block: Block, metrics: Sequence[BaseMetric]) -> dict[tuple[str, str], Row]:
    """Return the results of rows that describe no sample."""
    pairs = ((sample, error, m.spec) for sample, error in block for m in metrics)
    return {
        (sample.id, spec): Row.from_result(Result.from_error(spec, sample, error))
        for sample, error, spec in pairs
        if error is not None
    }


def _written(
    folder: Folder,
    number: int,
    samples: Sequence[Sample],
    metrics: Sequence[MetricInfo],
    rows: Sequence[Row],
    about: Mapping[str, Any],
) -> Mapping[str, Any]:
    """Write a block, and return what is kept of it, with what an earlier attempt has spent."""
    before = block_name(number, whole=False)
    if folder.has(before):
        earlier, usage = about_block(folder, before)["usage"], about["usage"]
        about = {**about, "usage": usage_sum(earlier, usage) if usage else earlier}
    # It is whole if scoring it again would give no other result.
    whole = len(rows) == len(samples) * len(metrics) and not any(map(_may_pass, rows))
    folder.write(block_name(number, whole=whole), block_bytes(samples, metrics, rows, about))
    if whole:
        folder.delete(before)
    return about


def _may_pass(row: Row) -> bool:
    """Return whether a row failed for a reason that may be gone when it is scored again."""
    return row.status == "failed" and json.loads(row.line).get("error_type") not in OF_THE_ROW
