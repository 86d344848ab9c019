"""The evaluation loop: every sample on every metric, concurrently, written as results come.

Results, and what each call has cost, are appended to a file one by one. If the process is killed,
the next evaluation reads the file and continues with the rest. A spent budget ends an evaluation
early: the rest stays without a result, which is not the same as failed, and a later evaluation
continues with it.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from pydantic import JsonValue

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import BudgetError, EngineError, OutputError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.result import Result, Results, Row
from llamaindex_rag_eval.models import Usage
from llamaindex_rag_eval.models.usage import Spent, current_account, usage_with
from llamaindex_rag_eval.runs.known import KnownResults
from llamaindex_rag_eval.runs.provenance import Provenance
from llamaindex_rag_eval.runs.run import Run, read_entries, result_line, run_of, spent_line

__all__ = ["SAMPLES_IN_FLIGHT", "Evaluator", "Progress", "usages_of"]

Progress = Callable[[int, int], None]
"""Called after every result, with the number of results so far and of all there will be."""

SAMPLES_IN_FLIGHT = 64
"""Samples evaluated at a time; the oracle limits how many calls that makes."""

Key = tuple[str, str]
"""A sample's id and a metric's spec."""


class Evaluator:
    """One evaluation in progress: its settings, and the results so far.

    Args:
        dataset: The samples, with their answers.
        metrics: The metrics, each with its judge.
        out: The file that results are written to; what it holds already is reused.
        name: The name of the run.
        known: Results of other pipelines, which serve where the answer is the same.
    """

    def __init__(
        self,
        dataset: EvaluationDataset,
        metrics: Sequence[BaseMetric],
        *,
        out: Path | None = None,
        name: str = "",
        known: KnownResults | None = None,
    ) -> None:
        self.samples = dataset.samples
        self.known = known
        self.metrics = metrics
        self.out = out
        self.name = name
        self.provenance = Provenance.now(metrics, dataset=dataset.fingerprint)
        self.rows: dict[Key, Row] = {}
        self.earlier = Provenance()
        self.stopped = ""
        self.pending = 0
        self.spent = Usage()
        self._file: BinaryIO | None = None

    async def evaluate(
        self, *, concurrency: int = SAMPLES_IN_FLIGHT, progress: Progress | None = None
    ) -> Run:
        """Evaluate what has no result yet, and return the whole run."""
        started = time.perf_counter()
        self._reuse_results()
        self._take_known()
        with ExitStack() as stack:
            self._file = self._open(stack)
            token = current_account.set(self._spend)
            stack.callback(current_account.reset, token)
            queue = iter([sample for sample in self.samples if self._remaining(sample)])

            async def work() -> None:
                for sample in queue:  # shared: each worker takes the next sample
                    if self.stopped:
                        return
                    await self._evaluate(sample, progress)

            workers = max(1, min(concurrency, len(self.samples)))
            await asyncio.gather(*(work() for _ in range(workers)))
        usage = self.earlier.usage
        if usages_of(self.metrics) or self.spent.total.calls:
            usage = usage_with(usage, self.spent)
        run = self._run(time.perf_counter() - started, usage)
        if self.out is not None:
            run.to_jsonl(self.out)
        return run

    def _reuse_results(self) -> None:
        """Take the results of an earlier evaluation for the same sample, metric and judge."""
        if self.out is None or not self.out.exists():
            return
        entries = read_entries(self.out, tolerant=True)
        if not entries:
            return
        earlier = run_of(entries, file=str(self.out))
        if not _same_judge(earlier.provenance, self.provenance):
            return
        known = {sample.id: sample.fingerprint_text() for sample in earlier.samples}
        same = {s.id for s in self.samples if known.get(s.id) == s.fingerprint_text()}
        specs = {metric.spec for metric in self.metrics}
        for row in earlier.rows:
            if row.sample_id in same and row.metric in specs and row.status != "failed":
                self.rows[row.sample_id, row.metric] = row
        self.earlier = earlier.provenance

    def _take_known(self) -> None:
        """Take the results of other pipelines where the answer is the same."""
        if self.known is None:
            return
        for sample in self.samples:
            for metric in self._remaining(sample):
                row = self.known.find(sample, metric.spec, metric.needs)
                if row is not None:
                    self.rows[sample.id, metric.spec] = row

    def _open(self, stack: ExitStack) -> BinaryIO | None:
        """Write the results so far to the file, and open it to append the others.

        It has no buffer: a line that is written survives the process.
        """
        if self.out is None:
            return None
        self._run(0.0, self.earlier.usage).to_jsonl(self.out)
        try:
            return stack.enter_context(self.out.open("ab", buffering=0))
        except OSError as error:
            raise OutputError(f"cannot write {str(self.out)!r}: {error.strerror}") from error

    def _append(self, line: str) -> None:
        if self._file is not None:
            self._file.write(f"{line}\n".encode())

    def _spend(self, spent: Spent) -> None:
        """Add a call to the account, in the file too: its reply is not in any result yet."""
        self.spent.count(spent)
        self._append(spent_line(spent))

    def _remaining(self, sample: Sample) -> list[BaseMetric]:
        """Return the metrics for which the sample has no result yet."""
        return [m for m in self.metrics if (sample.id, m.spec) not in self.rows]

    async def _evaluate(self, sample: Sample, progress: Progress | None) -> None:
        """Add the results of a sample, on all metrics at once."""

        async def measure(metric: BaseMetric) -> None:
            result = await result_of(metric, sample)
            if result.error_type == BudgetError.__name__:
                self.stopped = result.reason
                return
            if result.status == "pending":
                self.pending += 1
                return
            row = self.rows[sample.id, metric.spec] = Row.from_result(result)
            self._append(result_line(row))
            if progress is not None:
                progress(len(self.rows), len(self.samples) * len(self.metrics))

        await asyncio.gather(*(measure(metric) for metric in self._remaining(sample)))

    def _run(self, seconds: float, usage: Mapping[str, JsonValue]) -> Run:
        """Return the run as it stands, in the order of samples and metrics."""
        keys = ((sample.id, metric.spec) for sample in self.samples for metric in self.metrics)
        rows = tuple(self.rows[key] for key in keys if key in self.rows)
        provenance = self.provenance.with_judged(rows)
        notes = provenance.notes
        if self.stopped:
            notes = (*notes, f"Stopped before its end: {self.stopped}.")
        if self.pending:
            notes = (
                *notes,
                f"{self.pending} results are pending: their judgements are asked for in batch "
                "files. Means are over the other results.",
            )
        update = {
            "seconds": round(self.earlier.seconds + seconds, 3),
            "usage": usage,
            "notes": notes,
        }
        return Run(
            samples=self.samples,
            results=Results(rows, {sample.id: sample for sample in self.samples}),
            provenance=provenance.model_copy(update=update),
            name=self.name,
        )


async def result_of(metric: BaseMetric, sample: Sample) -> Result:
    """Return the result of a metric on a sample; an exception becomes a failed result."""
    if sample.error:
        reason = f"the pipeline gave no answer: {sample.error}"
        return Result.from_error(metric.spec, sample, EngineError(reason))
    try:
        return await metric.result(sample)
    except Exception as error:  # noqa: BLE001 - a user's metric may raise anything
        return Result.from_error(metric.spec, sample, error)


def usages_of(metrics: Sequence[BaseMetric]) -> list[Usage]:
    """Return the usage counters of the metrics' judges, each counter once."""
    found: dict[int, Usage] = {}
    for metric in metrics:
        oracle: object = metric.judge.oracle if metric.requests else None
        while oracle is not None:
            usage = getattr(oracle, "usage", None)
            if isinstance(usage, Usage):
                found[id(usage)] = usage
            oracle = getattr(oracle, "inner", None)
    return list(found.values())


def _same_judge(earlier: Provenance, now: Provenance) -> bool:
    """Return whether versions are equal, and so is who answers each judgement of both runs."""
    both = earlier.answered_by.keys() & now.answered_by.keys()
    return earlier.versions == now.versions and all(
        earlier.answered_by[kind] == now.answered_by[kind] for kind in both
    )
