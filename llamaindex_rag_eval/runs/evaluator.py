"""The evaluation loop: every sample on every metric, concurrently, written as results come.

Results, and what each call has cost, are appended to a file one by one. If the process is killed,
the next evaluation reads the file and continues with the rest. A spent budget, or an endpoint that
is away for too long, ends an evaluation early: the rest stays without a result, which is not the
same as failed, and a later evaluation continues with it.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import BinaryIO

from pydantic import JsonValue

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import EndpointError, OutputError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.result import Results, Row
from llamaindex_rag_eval.models import Usage
from llamaindex_rag_eval.models.usage import Spent, current_account, usage_with
from llamaindex_rag_eval.runs.known import KnownResults
from llamaindex_rag_eval.runs.provenance import Provenance
from llamaindex_rag_eval.runs.replies import oracles_of
from llamaindex_rag_eval.runs.run import Run, read_entries, result_line, run_of, spent_line
from llamaindex_rag_eval.runs.shard import SAMPLES_IN_FLIGHT, Ending, Key
from llamaindex_rag_eval.runs.workers import Spread

__all__ = ["Evaluator", "Progress", "usages_of"]

Progress = Callable[[int, int], None]
"""Called after every result, with the number of results so far and of all there will be."""


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
        self.ending = Ending()
        self.spent = Usage()
        self._file: BinaryIO | None = None

    async def evaluate(
        self,
        *,
        concurrency: int = SAMPLES_IN_FLIGHT,
        workers: int | None = None,
        progress: Progress | None = None,
    ) -> Run:
        """Evaluate what has no result yet, and return the whole run.

        Args:
            concurrency: Samples evaluated at a time, in each process.
            workers: How many processes; `None` for as many as there are cores, if there is work
                for more than one.
            progress: Called after every result.

        Raises:
            EndpointError: The model takes no call, and no call was answered before.
        """
        started = time.perf_counter()
        self._reuse_results()
        self._take_known()

        def keep(row: Row) -> None:
            self.rows[row.sample_id, row.metric] = row
            self._append(result_line(row))
            if progress is not None:
                progress(len(self.rows), len(self.samples) * len(self.metrics))

        with ExitStack() as stack:
            self._file = self._open(stack)
            token = current_account.set(self._spend)
            stack.callback(current_account.reset, token)
            spread = Spread(self.metrics, keep, self._spend, concurrency=concurrency)
            work = [(one, left) for one in self.samples if (left := self._remaining(one))]
            self.ending = await spread.score(work, workers)
        usage = self.earlier.usage
        if usages_of(self.metrics) or self.spent.total.calls:
            usage = usage_with(usage, self.spent)
        run = self._run(time.perf_counter() - started, usage)
        if self.out is not None:
            run.to_jsonl(self.out)
        if self.ending.unreached and not self.spent.total.calls:
            raise EndpointError(self.ending.stopped)
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
        """Write a line; a disk that is full must not fail what was paid for."""
        if self._file is not None:
            try:
                self._file.write(f"{line}\n".encode())
            except OSError:  # the end writes the whole of it, and says why if it cannot
                self._file = None

    def _spend(self, spent: Spent) -> None:
        """Add a call to the account, in the file too: its reply is not in any result yet."""
        self.spent.count(spent)
        self._append(spent_line(spent))

    def _remaining(self, sample: Sample) -> list[BaseMetric]:
        """Return the metrics for which the sample has no result yet."""
        return [m for m in self.metrics if (sample.id, m.spec) not in self.rows]

    def _run(self, seconds: float, usage: Mapping[str, JsonValue]) -> Run:
        """Return the run as it stands, in the order of samples and metrics."""
        keys = ((sample.id, metric.spec) for sample in self.samples for metric in self.metrics)
        rows = tuple(self.rows[key] for key in keys if key in self.rows)
        provenance = self.provenance.with_judged(rows)
        notes = provenance.notes
        if self.ending.stopped:
            notes = (*notes, f"Stopped before its end: {self.ending.stopped}.")
        if self.ending.pending:
            notes = (
                *notes,
                f"{self.ending.pending} results are pending: their judgements are asked for in "
                "batch files. Means are over the other results.",
            )
        update = {
            "seconds": round(self.earlier.seconds + seconds, 3),
            "usage": usage,
            "notes": notes,
            "stopped": self.ending.stopped,
            "unreached": self.ending.unreached,
        }
        return Run(
            samples=self.samples,
            results=Results(rows, {sample.id: sample for sample in self.samples}),
            provenance=provenance.model_copy(update=update),
            name=self.name,
        )


def usages_of(metrics: Sequence[BaseMetric]) -> list[Usage]:
    """Return the usage counters of the metrics' judges, each counter once."""
    found: dict[int, Usage] = {}
    for metric in metrics:
        for oracle in oracles_of(metric.judge.oracle) if metric.requests else ():
            usage = getattr(oracle, "usage", None)
            if isinstance(usage, Usage):
                found[id(usage)] = usage
    return list(found.values())


def _same_judge(earlier: Provenance, now: Provenance) -> bool:
    """Return whether versions are equal, and so is who answers each judgement of both runs."""
    both = earlier.answered_by.keys() & now.answered_by.keys()
    return earlier.versions == now.versions and all(
        earlier.answered_by[kind] == now.answered_by[kind] for kind in both
    )
