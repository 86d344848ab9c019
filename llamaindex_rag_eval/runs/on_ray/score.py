"""Scoring a block: its samples on every metric, and their results as one Parquet file."""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.file_system import Folder
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import DatasetError, EngineError, InputError, MissingFieldError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.result import Result, Row
from llamaindex_rag_eval.models.usage import Spent, Usage, usage_with
from llamaindex_rag_eval.runs.block_file import block_bytes, block_name, block_rows
from llamaindex_rag_eval.runs.on_ray.plan import named
from llamaindex_rag_eval.runs.on_ray.source import Block
from llamaindex_rag_eval.runs.provenance import MetricInfo, Provenance
from llamaindex_rag_eval.runs.replies import keeping_replies
from llamaindex_rag_eval.runs.shard import score_shard

OF_THE_ROW = frozenset(
    kind.__name__ for kind in (DatasetError, EngineError, InputError, MissingFieldError)
)
"""Errors that come again when a row is scored again."""


@dataclass(frozen=True, slots=True)
class BlockReport:
    """What became of a block.

    Attributes:
        number: Its number.
        results: How many results it has.
        failed: How many of them failed.
        seconds: How long it took.
        usage: Calls, tokens and money.
        judged: Metric -> kind of judgement -> who answered -> how many.
        stopped: Why it has not all results: the budget is spent; else empty.
    """

    number: int
    results: int
    failed: int
    seconds: float
    usage: Mapping[str, Any]
    judged: Mapping[str, Any]
    stopped: str = ""


class Scorer:
    """Scores blocks, and writes each to the folder of the run when it is done.

    Args:
        metrics: Each with its judge.
        folder: Of the run.
        concurrency: Samples scored at a time.
    """

    def __init__(self, metrics: Sequence[BaseMetric], folder: Folder, concurrency: int) -> None:
        self.metrics = metrics
        self.infos = tuple(MetricInfo.of(metric) for metric in metrics)
        self.folder = folder
        self.concurrency = concurrency
        self.stopped = ""

    def score(self, number: int, block: Block, again: Mapping[int, int]) -> BlockReport:
        """Score a block and write it; what an earlier attempt has scored is not scored again.

        Args:
            number: The number of the block.
            block: Its rows.
            again: Row -> which occurrence of its id it is, for all but the first.

        Raises:
            OutputError: The folder cannot be written.
        """
        if self.stopped:
            return BlockReport(number, 0, 0, 0.0, {}, {}, self.stopped)
        started = time.perf_counter()
        found = list(named(block, again))
        samples = [sample for sample, _ in found]
        good = [sample for sample, error in found if error is None]
        bad = [(sample, error) for sample, error in found if error is not None]
        earlier, usage = self._earlier(number, good)
        known = {(row.sample_id, row.metric) for row in earlier}
        scores = score_shard(self.metrics, good, known=known, concurrency=self.concurrency)
        run_sync(_flush(self.metrics))
        self.stopped = scores.ending.stopped
        rows = [*earlier, *scores.rows, *self._failures(bad)]
        report = BlockReport(
            number,
            len(rows),
            sum(row.status == "failed" for row in rows),
            time.perf_counter() - started,
            _usage_with(usage, scores.spent),
            Provenance().with_judged(rows).judged,
            self.stopped,
        )
        self._write(report, samples, rows)
        return report

    def _failures(self, bad: Sequence[tuple[Sample, DatasetError]]) -> list[Row]:
        return [
            Row.from_result(Result.from_error(info.spec, sample, error))
            for sample, error in bad
            for info in self.infos
        ]

    def _earlier(self, number: int, samples: Sequence[Sample]) -> tuple[list[Row], dict[str, Any]]:
        """Return the results of an earlier attempt that stand, and what it has spent."""
        name = block_name(number, whole=False)
        if not self.folder.has(name):
            return [], {}
        import pyarrow as pa
        from pyarrow import parquet

        table = parquet.read_table(pa.BufferReader(self.folder.read(name)))
        about = json.loads((table.schema.metadata or {}).get(b"about", b"{}"))
        known = {sample.id for sample in samples}
        rows = [
            row
            for row in block_rows(table, self.infos)
            if row.sample_id in known and row.status != "failed"
        ]
        return rows, about.get("usage", {})

    def _write(self, report: BlockReport, samples: Sequence[Sample], rows: Sequence[Row]) -> None:
        """Write a block; it is whole if scoring it again would give no other result."""
        about = {
            "usage": report.usage,
            "judged": report.judged,
            "seconds": report.seconds,
            "results": report.results,
            "failed": report.failed,
        }
        data = block_bytes(samples, self.infos, rows, about)
        whole = len(rows) == len(samples) * len(self.infos) and not any(map(_may_pass, rows))
        self.folder.write(block_name(report.number, whole=whole), data)
        if whole:
            self.folder.delete(block_name(report.number, whole=False))


async def _flush(metrics: Sequence[BaseMetric]) -> None:
    """Wait until the stores of the judges hold all replies."""
    async with keeping_replies(metrics, None):
        return


def _usage_with(earlier: dict[str, Any], spent: Sequence[Spent]) -> Mapping[str, Any]:
    """Return what an earlier attempt has spent, with more calls; empty where none was made."""
    usage = Usage()
    for one in spent:
        usage.count(one)
    return usage_with(earlier, usage) if spent else earlier


def _may_pass(row: Row) -> bool:
    """Return whether a row failed for a reason that may be gone when it is scored again."""
    return row.status == "failed" and json.loads(row.line).get("error_type") not in OF_THE_ROW
