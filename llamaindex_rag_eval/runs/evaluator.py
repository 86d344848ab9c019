"""The evaluation loop: every sample on every metric, concurrently, written as results come.

Results, and what each call has cost, are appended to a file as they come. If the process is killed,
the next evaluation reads the file and continues with the rest. A spent budget, or an endpoint that
is away for too long, ends an evaluation early: the rest stays without a result, which is not the
same as failed, and a later evaluation continues with it.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import KW_ONLY, dataclass
from itertools import chain
from pathlib import Path

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.data.lines import LinesInFile, LinesInMemory
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import EndpointError, OutputError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.result import Row
from llamaindex_rag_eval.metrics.result_table import Results, ResultTable
from llamaindex_rag_eval.models import Usage
from llamaindex_rag_eval.models.request import oracles_of
from llamaindex_rag_eval.models.usage import Spent, current_account, usage_sum
from llamaindex_rag_eval.runs.provenance import Provenance
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.run_file import (
    BEFORE_RESULT,
    head_line,
    result_line,
    sample_line,
    spent_line,
)
from llamaindex_rag_eval.runs.shard import SAMPLES_IN_FLIGHT, Ending, sparing_collector
from llamaindex_rag_eval.runs.workers import Scoring

Progress = Callable[[int, int], None]
"""Called after every result, with the number of results so far and of all there will be."""


@dataclass(eq=False, repr=False)
class Evaluator:
    """One evaluation in progress: its settings, and the results so far.

    Args:
        dataset: The samples, with their answers.
        metrics: The metrics, each with its judge.
        out: The file that results are written to; what it holds already is reused.
        name: The name of the run.
    """

    dataset: EvaluationDataset
    metrics: Sequence[BaseMetric]
    _: KW_ONLY
    out: Path | None = None
    name: str = ""

    def __post_init__(self) -> None:
        self.samples = self.dataset.samples
        self.provenance = Provenance.now(self.metrics, dataset=self.dataset.fingerprint)
        self.lines: LinesInMemory | LinesInFile = LinesInMemory()
        self.specs = [metric.spec for metric in self.metrics]
        self.table = ResultTable([sample.id for sample in self.samples], self.specs, self.lines)
        self.earlier = Provenance()
        self.ending = Ending()
        self.spent = Usage()

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
        earlier = self._earlier_run()
        if earlier is not None and self._is_whole(earlier):
            return earlier.named(self.name)
        if earlier is not None:
            self.earlier = earlier.provenance
        if self.out is not None:
            self.lines = self.table.lines = self._begun(self.out, self._earlier_rows(earlier))

        def keep(row: Row) -> None:
            start = self.lines.append(result_line(row) + b"\n")
            self.table.put_row(row, start + len(BEFORE_RESULT))
            if progress is not None:
                progress(self.table.count, len(self.samples) * len(self.metrics))

        account = current_account.set(self._spend)
        try:
            scoring = Scoring(self.metrics, keep, concurrency=concurrency)
            work = [(s, left) for s in self.samples if (left := self._remaining(s))]
            with sparing_collector():
                self.ending = await scoring.score(work, workers)
        finally:
            current_account.reset(account)
        run = self._run(time.perf_counter() - started)
        if self.out is not None:
            run.to_jsonl(self.out)
        if self.ending.unreached and not self.spent.total.calls:
            raise EndpointError(self.ending.stopped)
        return run

    def _earlier_run(self) -> Run | None:
        """Return what an earlier evaluation by the same judge has written."""
        if self.out is None or not self.out.exists() or not self.out.stat().st_size:
            return None
        earlier = Run.read(self.out, tolerant=True)
        return earlier if _same_judge(earlier.provenance, self.provenance) else None

    def _is_whole(self, earlier: Run) -> bool:
        """Return whether an earlier evaluation was the same as this one, and ended well."""
        then, now = earlier.provenance, self.provenance
        ended = then.seconds and not then.stopped
        named = self.out is not None and earlier.name == (self.name or self.out.stem)
        same = named and (then.dataset, then.metrics) == (now.dataset, now.metrics)
        done = len(earlier.rows) == len(self.samples) * len(self.metrics)
        good = done and not earlier.rows.statuses()["failed"]
        return bool(ended and same and good and all(map(_says_what_it_asks, self.metrics)))

    def _earlier_rows(self, earlier: Run | None) -> Iterator[Row]:
        """Yield the results of an earlier evaluation of the same samples by the same judge."""
        if earlier is None or earlier.provenance.dataset != self.provenance.dataset:
            return  # replies are kept: nothing is paid for twice
        stable = {metric.spec for metric in self.metrics if _says_what_it_asks(metric)}
        for row in earlier.rows:
            if row.status != "failed" and row.metric in stable:
                yield row

    def _begun(self, out: Path, rows: Iterator[Row]) -> LinesInFile:
        """Write what there is of the run, and return its file, open for the results to come."""
        begun = {"usage": self.earlier.usage, "seconds": self.earlier.seconds}
        head = head_line(self.provenance.model_copy(update=begun), self.name)
        size = 0

        def ended(line: str) -> str:
            nonlocal size
            size += len(line.encode()) + 1
            return f"{line}\n"

        def lines() -> Iterator[str]:
            yield from map(ended, chain([head], map(sample_line, self.samples)))
            for row in rows:
                self.table.put_row(row, size + len(BEFORE_RESULT))
                yield ended(result_line(row).decode())

        write_whole(out, lines())
        try:
            return LinesInFile(out, writable=True)
        except OSError as error:
            raise OutputError(f"cannot write {str(out)!r}: {error.strerror}") from error

    def _spend(self, spent: Spent) -> None:
        """Add a call to the account, in the file too: its reply is not in any result yet."""
        self.spent.count(spent)
        if self.out is not None:
            self.lines.append(spent_line(spent) + b"\n")

    def _remaining(self, sample: Sample) -> list[BaseMetric]:
        """Return the metrics for which the sample has no result yet."""
        pairs = zip(self.metrics, self.specs, strict=True)
        return [metric for metric, spec in pairs if (sample.id, spec) not in self.table]

    def _run(self, seconds: float) -> Run:
        """Return the run as it stands."""
        rows, usage = self.table.rows(), self.earlier.usage
        if usages_of(self.metrics) or self.spent.total.calls:
            usage = usage_sum(usage, self.spent.as_json())
        seconds = round(self.earlier.seconds + seconds, 3)
        results = Results(rows, {sample.id: sample for sample in self.samples})
        provenance = self.provenance.with_judged(rows).ended(self.ending, seconds, usage)
        return Run(self.samples, results, provenance, self.name)


def _says_what_it_asks(metric: BaseMetric) -> bool:
    """Return whether it is known who answers a metric; else it asks again, and replies are kept."""
    return not metric.judges or bool(metric.requests)


def usages_of(metrics: Sequence[BaseMetric]) -> list[Usage]:
    """Return the usage counters of the metrics' judges, each counter once."""
    oracles = (oracles_of(judge.oracle) for metric in metrics for judge in metric.judges)
    usages = (getattr(oracle, "usage", None) for oracle in chain.from_iterable(oracles))
    return list({id(usage): usage for usage in usages if isinstance(usage, Usage)}.values())


def _same_judge(earlier: Provenance, now: Provenance) -> bool:
    """Return whether versions are equal, and so is who answers each judgement of both runs."""
    both = earlier.answered_by.keys() & now.answered_by.keys()
    return earlier.versions == now.versions and all(
        earlier.answered_by[kind] == now.answered_by[kind] for kind in both
    )
