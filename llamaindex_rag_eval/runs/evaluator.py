"""A session: one evaluation while it goes on, with what is known, what is left, and where it goes.

Results are appended to the file as they come; a session that was killed is taken up where it
stopped. A budget that is spent ends it early: what is left stays without a result, which is not
the same as failed, and a later session goes on with it.
"""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TextIO

from pydantic import JsonValue

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import BudgetError, EngineError, OutputError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.result import Result, Results, Row
from llamaindex_rag_eval.models import Usage
from llamaindex_rag_eval.runs.provenance import Provenance
from llamaindex_rag_eval.runs.run import Run, read_entries, result_line, run_of

__all__ = ["SAMPLES_IN_FLIGHT", "Progress", "Session", "usages_of"]

Progress = Callable[[int, int], None]
"""Called with how many results there are, and how many there will be."""

SAMPLES_IN_FLIGHT = 64
"""Samples evaluated at a time; how many calls that makes is the oracle's to limit."""

Place = tuple[str, str]
"""A sample's id and a metric's label."""


class Session:
    """Evaluate samples on metrics.

    Args:
        dataset: The samples, with their answers.
        metrics: Each with its judge.
        out: Where results are streamed to, and taken up from.
        name: Under which the run is shown.
    """

    def __init__(
        self,
        dataset: EvaluationDataset,
        metrics: Sequence[BaseMetric],
        *,
        out: Path | None = None,
        name: str = "",
    ) -> None:
        self.samples = dataset.samples
        self.metrics = metrics
        self.out = out
        self.name = name
        self.provenance = Provenance.now(metrics, dataset=dataset.fingerprint)
        self.rows: dict[Place, Row] = {}
        self.earlier = Provenance()
        self.stopped = ""

    async def go(
        self, *, concurrency: int = SAMPLES_IN_FLIGHT, progress: Progress | None = None
    ) -> Run:
        """Evaluate what is not known yet, and return the whole run."""
        started = time.perf_counter()
        usages = usages_of(self.metrics)
        before = [usage.as_json() for usage in usages]
        self._take_up()
        with ExitStack() as stack:
            file = self._open(stack)
            queue = iter([sample for sample in self.samples if self._left(sample)])

            async def work() -> None:
                for sample in queue:  # shared: each worker takes the next sample
                    if self.stopped:
                        return
                    await self._evaluate(sample, file, progress)

            workers = max(1, min(concurrency, len(self.samples)))
            await asyncio.gather(*(work() for _ in range(workers)))
        spent = dict(self.earlier.usage)
        for usage, then in zip(usages, before, strict=True):
            spent = combined(spent, combined(usage.as_json(), then, sign=-1))
        run = self._run(time.perf_counter() - started, spent)
        if self.out is not None:
            run.to_jsonl(self.out)
        return run

    def _take_up(self) -> None:
        """Keep what an earlier session wrote for the same sample, metric and judge."""
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
        labels = {metric.spec for metric in self.metrics}
        for row in earlier.rows:
            if row.sample_id in same and row.metric in labels and row.status != "failed":
                self.rows[row.sample_id, row.metric] = row
        self.earlier = earlier.provenance

    def _open(self, stack: ExitStack) -> TextIO | None:
        """Open the file anew with what is known: from here on it only grows."""
        if self.out is None:
            return None
        self._run(0.0, self.earlier.usage).to_jsonl(self.out)
        try:
            return stack.enter_context(self.out.open("a", encoding="utf-8"))
        except OSError as error:
            raise OutputError(f"cannot write {str(self.out)!r}: {error.strerror}") from error

    def _left(self, sample: Sample) -> list[BaseMetric]:
        return [m for m in self.metrics if (sample.id, m.spec) not in self.rows]

    async def _evaluate(
        self, sample: Sample, file: TextIO | None, progress: Progress | None
    ) -> None:
        async def measure(metric: BaseMetric) -> None:
            result = await isolated(metric, sample)
            if result.error_type == BudgetError.__name__:
                self.stopped = result.reason
                return
            row = self.rows[sample.id, metric.spec] = Row.from_result(result)
            if file is not None:
                file.write(result_line(row) + "\n")
            if progress is not None:
                progress(len(self.rows), len(self.samples) * len(self.metrics))

        await asyncio.gather(*(measure(metric) for metric in self._left(sample)))
        if file is not None:
            file.flush()

    def _run(self, seconds: float, usage: Mapping[str, JsonValue]) -> Run:
        places = ((sample.id, metric.spec) for sample in self.samples for metric in self.metrics)
        notes = self.provenance.notes
        if self.stopped:
            notes = (*notes, f"Stopped before its end: {self.stopped}.")
        made = {
            "seconds": round(self.earlier.seconds + seconds, 3),
            "usage": usage,
            "notes": notes,
        }
        return Run(
            samples=self.samples,
            results=Results(
                (self.rows[place] for place in places if place in self.rows),
                {sample.id: sample for sample in self.samples},
            ),
            provenance=self.provenance.model_copy(update=made),
            name=self.name,
        )


async def isolated(metric: BaseMetric, sample: Sample) -> Result:
    """Return the result, or a failed one: what breaks here must not touch other results."""
    if sample.error:
        reason = f"the pipeline gave no answer: {sample.error}"
        return Result.from_error(metric.spec, sample, EngineError(reason))
    try:
        return await metric.result(sample)
    except Exception as broken:  # noqa: BLE001 - a user's metric may raise anything
        return Result.from_error(metric.spec, sample, broken)


def usages_of(metrics: Sequence[BaseMetric]) -> list[Usage]:
    """Return where the metrics' judges count what they spend, each place once."""
    found: dict[int, Usage] = {}
    for metric in metrics:
        oracle: object = metric.judge.oracle if metric.requests else None
        while oracle is not None:
            usage = getattr(oracle, "usage", None)
            if isinstance(usage, Usage):
                found[id(usage)] = usage
            oracle = getattr(oracle, "inner", None)
    return list(found.values())


def combined(
    left: Mapping[str, JsonValue], right: Mapping[str, JsonValue], *, sign: int = 1
) -> dict[str, JsonValue]:
    """Return two counts of usage added, or with `sign=-1` subtracted, name by name.

    Example:
        >>> combined({"calls": 3, "by_model": {"m": {"calls": 3}}}, {"calls": 1}, sign=-1)
        {'calls': 2, 'by_model': {'m': {'calls': 3}}}
    """
    total: dict[str, JsonValue] = {}
    for name in [*left, *(name for name in right if name not in left)]:
        a, b = left.get(name, 0), right.get(name, 0)
        if isinstance(a, dict) or isinstance(b, dict):
            parts = (a if isinstance(a, dict) else {}, b if isinstance(b, dict) else {})
            total[name] = combined(*parts, sign=sign)
        elif isinstance(a, int | float) and isinstance(b, int | float):
            total[name] = round(a + sign * b, 6)
        else:  # a price that is not known stays unknown
            total[name] = None
    return total


def _same_judge(earlier: Provenance, now: Provenance) -> bool:
    """Return whether kinds of judgement that both runs ask for are answered by the same."""
    both = earlier.answered_by.keys() & now.answered_by.keys()
    return earlier.versions == now.versions and all(
        earlier.answered_by[kind] == now.answered_by[kind] for kind in both
    )
