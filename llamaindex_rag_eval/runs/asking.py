"""Samples that a model judges: scored in this process, and in others when one core is not enough.

One process waits for many calls at a time. What binds it, where hundreds are in flight, is the
core on which it makes them: then processes are started that do the same, within the same limits.
"""

import asyncio
import logging
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from time import monotonic, process_time

from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.result import Row
from llamaindex_rag_eval.models import EmbeddedOracle, LLMOracle
from llamaindex_rag_eval.models.classes import is_openai
from llamaindex_rag_eval.models.usage import Spent
from llamaindex_rag_eval.runs.crew import Crew
from llamaindex_rag_eval.runs.packing import dumps
from llamaindex_rag_eval.runs.replies import oracles_of
from llamaindex_rag_eval.runs.shard import Ending, score_samples

__all__ = ["Asking", "posts_alone"]

logger = logging.getLogger(__name__)

LOOK_SECONDS = 3.0
"""Seconds over which it is measured how busy this process is."""

BUSY = 0.9
"""Share of a core from which on calls wait for it."""

ENOUGH_SECONDS = 20.0
"""Seconds of computing that are left for which starting processes, three seconds each, pays."""

Work = Sequence[tuple[Sample, Sequence[BaseMetric]]]


class Asking:
    """Scores samples by a model.

    Args:
        metrics: All metrics, each with its judge.
        keep: Called with each result.
        spend: Called with what each call in another process has cost.
        concurrency: Samples scored at a time, in all processes together.
    """

    def __init__(
        self,
        metrics: Sequence[BaseMetric],
        keep: Callable[[Row], None],
        spend: Callable[[Spent], None],
        *,
        concurrency: int,
    ) -> None:
        self.metrics, self.keep, self.spend = metrics, keep, spend
        self.concurrency = concurrency
        self._crew: Crew | None = None
        self._ending = Ending()
        self._done = 0
        self._at_once = False
        self._warned: set[str] = set()

    async def score(self, work: Work, workers: int, *, at_once: bool) -> Ending:
        """Score all samples.

        Args:
            work: The samples.
            workers: How many processes.
            at_once: Start them at once, and not when this one is seen to be busy.

        Raises:
            RagEvalError: Worker processes end again and again.
        """
        self._at_once, queue = at_once, iter(work)
        if at_once:
            # It finds out how the model takes a request, which then travels with the judge.
            await self._take(islice(queue, 1))
            self._start(workers)
        tasks = [asyncio.ensure_future(self._take(queue)) for _ in range(max(1, self.concurrency))]
        watching = asyncio.ensure_future(self._start_when_busy(workers, len(work)))
        try:
            await asyncio.gather(*tasks)
        finally:
            for task in (watching, *tasks):
                task.cancel()
            await asyncio.gather(watching, *tasks, return_exceptions=True)
            await self._leave_crew()
        return self._ending

    async def _take(self, queue: Iterator[tuple[Sample, Sequence[BaseMetric]]]) -> None:
        """Score one sample after another."""
        for sample, metrics in queue:
            self._ending |= await self._scored(sample, metrics)
            self._done += 1
            if self._ending.stopped:
                return

    async def _scored(self, sample: Sample, metrics: Sequence[BaseMetric]) -> Ending:
        """Score a sample, in another process if there are any."""
        crew = self._crew
        if crew is not None and (self._at_once or crew.is_ready):
            try:
                scores = await crew.score(sample, [metric.spec for metric in metrics])
            except InputError as error:
                self._warn(error)
                await self._leave_crew()
            else:
                for row in scores.rows:
                    self.keep(row)
                return scores.ending
        return await score_samples([(sample, metrics)], self.keep, concurrency=1)

    async def _start_when_busy(self, workers: int, count: int) -> None:
        """Start processes once this one is busy, and is going to be for a while."""
        begun = process_time()
        while self._crew is None and workers > 1:
            used, since = process_time(), monotonic()
            await asyncio.sleep(LOOK_SECONDS)
            busy = (process_time() - used) / (monotonic() - since)
            each = (process_time() - begun) / max(1, self._done)
            if each * (count - self._done) < ENOUGH_SECONDS:
                return
            if busy >= BUSY:
                logger.info("calls keep a core busy: %d processes make the others", workers)
                self._start(workers)
                return

    def _start(self, workers: int) -> None:
        """Start processes; if none can take the metrics, a warning says so."""
        try:
            data, limits, _ = dumps(list(self.metrics))
        except Exception as error:  # noqa: BLE001 - a user's metric may raise anything
            self._warn(InputError(f"the metrics cannot be sent to another process: {error}"))
            return
        try:
            self._crew = Crew(workers, data, limits, self.spend)
        except (ImportError, NotImplementedError, OSError) as error:
            self._warn(error)

    def _warn(self, error: Exception) -> None:
        if str(error) not in self._warned:
            self._warned.add(str(error))
            logger.warning("scoring in one process: %s", error)

    async def _leave_crew(self) -> None:
        crew, self._crew = self._crew, None
        if crew is not None:
            await crew.close()


def posts_alone(metrics: Sequence[BaseMetric]) -> bool:
    """Return whether judges are rules, or models that this process only sends requests to.

    A model that computes in this process would do so once more in each other.
    """
    asked = [oracles_of(metric.judge.oracle)[-1] for metric in metrics if metric.requests]
    return all(
        is_openai(one.llm) and one.embed_model is None and one.batch is None
        if isinstance(one, LLMOracle)
        else isinstance(one, EmbeddedOracle) and one.embed_model is None
        for one in asked
    )
