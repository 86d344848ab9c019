"""Workers: processes over which samples are spread, when one core is not enough.

Where rules judge, the work itself takes it. A model is waited for, which one process does for many
samples at a time; only where hundreds of calls are in flight, its core binds it. Workers keep to
the same limits together, and results are the same for any number.
"""

import logging
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing import parent_process

from llamaindex_rag_eval._sync import at_a_time
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.result import Row
from llamaindex_rag_eval.models import EmbeddedOracle, LLMOracle
from llamaindex_rag_eval.models.request import oracles_of
from llamaindex_rag_eval.runs.processes import Processes
from llamaindex_rag_eval.runs.remote_limit import dumps
from llamaindex_rag_eval.runs.shard import SAMPLES_IN_FLIGHT, Ending, score_sample

logger = logging.getLogger(__name__)

ENOUGH = 2000
"""Results by rules, of some milliseconds each, for which starting processes, some seconds, pays."""

AHEAD = 2
"""Samples for each worker at least, so that it has another one when one is scored."""

Work = Sequence[tuple[Sample, Sequence[BaseMetric]]]
"""Samples, each with the metrics that it lacks a result of."""


@dataclass(eq=False, repr=False)
class Scoring:
    """Scores samples in this process, or spreads them over several.

    Args:
        metrics: All metrics, each with its judge.
        keep: Called with each result.
        concurrency: Samples scored at a time, in all processes together.
    """

    metrics: Sequence[BaseMetric]
    keep: Callable[[Row], None]
    concurrency: int = SAMPLES_IN_FLIGHT

    def __post_init__(self) -> None:
        judges = (judge for metric in self.metrics for judge in metric.judges)
        self._oracles = [oracles_of(judge.oracle)[-1] for judge in judges]  # who answers in the end
        self._processes: Processes | None = None
        self._ending = Ending()
        self._warned: set[str] = set()

    async def score(self, work: Work, workers: int | None = None) -> Ending:
        """Score all samples.

        Args:
            work: The samples.
            workers: How many processes. With `None` it is as many as there are cores, where rules
                have to judge `ENOUGH`, else one.

        Raises:
            InputError: A judge asks by batch files, and `workers` is above 1.
            RagEvalError: Worker processes end again and again.
        """
        queue = iter(work)
        alone = all(
            isinstance(oracle, EmbeddedOracle) and oracle.embed_model is None
            for oracle in self._oracles
        )
        if workers is None:
            judged = (metric for _, metrics in work for metric in metrics if metric.judges)
            workers = _cores() if alone and sum(1 for _ in judged) >= ENOUGH else 1
        if workers > 1 and len(work) > 1:
            asking = [oracle for oracle in self._oracles if isinstance(oracle, LLMOracle)]
            if not all(oracle.connection.at_once for oracle in asking):
                raise InputError("batch files are written by one process; leave workers out")
            if not alone:
                # It finds out how the model takes a request, which then travels with the judge.
                await self._take(next(queue))
            self._start(workers)
        most = max(1, self.concurrency, AHEAD * workers if workers > 1 else 1)
        try:
            await at_a_time(most, self._take, queue)
        finally:
            await self._leave_processes()
        return self._ending

    async def _take(self, pair: tuple[Sample, Sequence[BaseMetric]]) -> None:
        """Score a sample, unless nothing more is asked."""
        if not self._ending.stopped:
            ending = await self._scored(*pair)
            self._ending += ending

    async def _scored(self, sample: Sample, metrics: Sequence[BaseMetric]) -> Ending:
        """Score a sample, in another process if there are any."""
        processes = self._processes
        if processes is not None:
            try:
                rows, ending = await processes.score(sample, [metric.spec for metric in metrics])
            except InputError as error:
                self._warn(error)
                await self._leave_processes()
            else:
                for row in rows:
                    self.keep(row)
                return ending
        return await score_sample(sample, metrics, self.keep)

    def _start(self, workers: int) -> None:
        """Start processes; if none can take the metrics, a warning says so."""
        try:
            data, limits, _ = dumps(list(self.metrics))
            self._processes = Processes(workers, data, limits)
        except (AssertionError, ImportError, InputError, NotImplementedError, OSError) as error:
            self._warn(error)

    def _warn(self, error: Exception) -> None:
        if str(error) not in self._warned:
            self._warned.add(str(error))
            logger.warning("scoring in one process: %s", error)

    async def _leave_processes(self) -> None:
        processes, self._processes = self._processes, None
        if processes is not None:
            await processes.close()


def _cores() -> int:
    from joblib import cpu_count

    return 1 if parent_process() else int(cpu_count())
