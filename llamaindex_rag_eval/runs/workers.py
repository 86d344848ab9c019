"""Workers: processes over which samples are spread, so that rules use every core.

Samples that a model judges go by `asking`. Where rules judge, a worker scores one shard after the
other with a judge of its own, which reads its tables once.
Results are the same for any number of workers. An interrupt reaches the parent alone: it ends the
workers, and keeps what they had returned.
"""

import asyncio
import logging
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import contextmanager
from itertools import islice
from multiprocessing import parent_process
from threading import Thread
from time import monotonic, process_time, sleep
from typing import TypeVar

from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import InputError, RagEvalError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.result import Row
from llamaindex_rag_eval.models import EmbeddedOracle
from llamaindex_rag_eval.models.usage import Spent
from llamaindex_rag_eval.runs.asking import Asking, posts_alone
from llamaindex_rag_eval.runs.crew import DEATHS, ONE_THREAD
from llamaindex_rag_eval.runs.replies import oracles_of
from llamaindex_rag_eval.runs.shard import (
    SAMPLES_IN_FLIGHT,
    Ending,
    ShardScores,
    pack_metrics,
    score_samples,
    score_shard,
)

__all__ = ["Spread", "Work", "worker_processes"]

logger = logging.getLogger(__name__)

T = TypeVar("T")

LARGEST_SHARD = 32
"""Samples in a shard at most: a killed worker loses no more than that."""

SHARDS_A_WORKER = 4
"""Shards for each worker at least, so that all end at about the same time."""

AHEAD = 2
"""Shards for each worker that are sent before their results are there."""

TRIED_SECONDS = 2.0
"""Seconds of scoring in this process, from which the work that is left is estimated."""

ENOUGH_SECONDS = 10.0
"""Seconds of computing that are left for which starting processes, a second or two each, pays."""

IDLE_SECONDS = 60
"""Seconds after which a worker without work ends."""

MOST_ASKING = 4
"""Processes that ask a model, without being told: each holds some 200 MB and makes a thousand calls
a second, which few endpoints take."""

Work = Sequence[tuple[Sample, Sequence[BaseMetric]]]
"""Samples, each with the metrics that it lacks a result of."""


class Spread:
    """Scores samples in this process, or spreads them over several.

    Args:
        metrics: All metrics, each with its judge.
        keep: Called with each result.
        spend: Called with what each call in another process has cost.
        concurrency: Samples scored at a time, in each process.
    """

    def __init__(
        self,
        metrics: Sequence[BaseMetric],
        keep: Callable[[Row], None],
        spend: Callable[[Spent], None],
        *,
        concurrency: int = SAMPLES_IN_FLIGHT,
    ) -> None:
        self.metrics = metrics
        self.keep = keep
        self.spend = spend
        self.concurrency = concurrency

    async def score(self, work: Work, workers: int | None = None) -> Ending:
        """Score all samples.

        Args:
            work: The samples.
            workers: How many processes. With `None` it is as many as there are cores, if the first
                samples show that there is enough to compute, and `MOST_ASKING` at most for a model.

        Raises:
            InputError: A judge asks by batch files, and `workers` is above 1.
            RagEvalError: Worker processes end again and again.
        """
        if not by_rules_alone(self.metrics):
            return await self._asked(work, workers)
        queue, ending = iter(work), Ending()
        if workers is None:
            workers = _cores()
            if workers > 1:
                begun = process_time()
                ending = await self._here(_for_seconds(TRIED_SECONDS, queue))
                left = list(queue)
                each = (process_time() - begun) / max(1, len(work) - len(left))
                workers = workers if each * len(left) >= ENOUGH_SECONDS else 1
                queue = iter(left)
        packed = self._packed(workers) if workers > 1 and not ending.stopped else None
        if packed is None:
            last = await self._here(iter(() if ending.stopped else queue))
        else:
            last = await self._in_processes(list(queue), packed, workers)
        return ending | last

    async def _asked(self, work: Work, workers: int | None) -> Ending:
        """Score samples that a model judges, within its limits."""
        asking = Asking(self.metrics, self.keep, self.spend, concurrency=self.concurrency)
        at_once = workers is not None and workers > 1 and len(work) > 1
        if workers is None:
            workers = min(_cores(), MOST_ASKING) if posts_alone(self.metrics) else 1
        elif at_once and _by_batch_files(self.metrics):
            raise InputError("batch files are written by one process; leave workers out")
        return await asking.score(work, workers, at_once=at_once)

    def _packed(self, workers: int) -> bytes | None:
        """Return the metrics as another process reads them; `None`, with a warning, if none can."""
        try:
            with worker_processes(workers):  # none is started before it has work
                return pack_metrics(self.metrics)
        except (InputError, ImportError, NotImplementedError, OSError) as error:
            logger.warning("scoring in one process: %s", error)
            return None

    async def _here(self, work: Iterator[tuple[Sample, Sequence[BaseMetric]]]) -> Ending:
        return await score_samples(work, self.keep, concurrency=self.concurrency)

    async def _in_processes(self, work: Work, packed: bytes, workers: int) -> Ending:
        """Score samples in processes; those that a killed process held are given to another."""
        left, ending = dict(enumerate(_shards(work, workers))), Ending()
        before, deaths = len(left), 0
        while left and not ending.stopped:
            try:
                with worker_processes(workers) as pool:
                    ending |= await self._score_shards(pool, left, packed, workers)
            except BrokenExecutor:
                before, deaths = len(left), deaths + 1 if len(left) == before else 1
                if deaths == DEATHS:
                    raise RagEvalError(
                        "worker processes are killed, for lack of memory perhaps; what was scored "
                        "is kept: run it again with fewer workers to go on"
                    ) from None
                logger.warning("a worker process was killed; its samples are given to another")
        return ending

    async def _score_shards(
        self, pool: Executor, left: dict[int, Work], packed: bytes, workers: int
    ) -> Ending:
        """Score shards, and take those that are done from `left`."""
        running: dict[asyncio.Future[ShardScores], int] = {}
        waiting, ending = iter(tuple(left)), Ending()
        try:
            while True:
                free = AHEAD * workers - len(running)
                for number in islice(waiting, 0 if ending.stopped else free):
                    running[asyncio.wrap_future(self._submit(pool, left[number], packed))] = number
                if not running:
                    return ending
                done, _ = await asyncio.wait(running, return_when=asyncio.FIRST_COMPLETED)
                for future in done:
                    ending |= self._keep_all(future.result())
                    del left[running.pop(future)]
        finally:
            for future in running:
                if not future.cancel() and not future.cancelled():
                    future.exception()  # marks it as seen

    def _keep_all(self, scores: ShardScores) -> Ending:
        for spent in scores.spent:
            self.spend(spent)
        for row in scores.rows:
            self.keep(row)
        return scores.ending

    def _submit(self, pool: Executor, shard: Work, packed: bytes) -> Future[ShardScores]:
        samples = [sample for sample, _ in shard]
        known = frozenset(
            (sample.id, metric.spec)
            for sample, metrics in shard
            if len(metrics) < len(self.metrics)
            for metric in self.metrics
            if metric not in metrics
        )
        return pool.submit(score_shard, packed, samples, known=known, concurrency=self.concurrency)


@contextmanager
def worker_processes(workers: int) -> Iterator[Executor]:
    """Give processes that take work; they wait for more when the block ends, but not for long.

    If it ends with an exception, they are killed at once. They start without a guard around the
    caller's main module.
    """
    from joblib.externals.loky import get_reusable_executor  # slow to import

    pool: Executor = get_reusable_executor(
        max_workers=workers,
        timeout=IDLE_SECONDS,
        initializer=_begin,
        initargs=(os.getpid(),),
        env=ONE_THREAD,
    )
    try:
        yield pool
    except BaseException:
        pool.shutdown(kill_workers=True)  # type: ignore[call-arg]  # of this kind of pool
        raise


def by_rules_alone(metrics: Sequence[BaseMetric]) -> bool:
    """Return whether every judge that is asked is rules, without a model."""
    asked = [oracles_of(metric.judge.oracle)[-1] for metric in metrics if metric.requests]
    return all(isinstance(one, EmbeddedOracle) and one.embed_model is None for one in asked)


def _by_batch_files(metrics: Sequence[BaseMetric]) -> bool:
    found = (oracles_of(metric.judge.oracle)[-1] for metric in metrics if metric.requests)
    return any(getattr(one, "batch", None) is not None for one in found)


def _cores() -> int:
    from joblib import cpu_count

    return 1 if parent_process() else int(cpu_count())


def _begin(parent: int) -> None:
    """Leave interrupts to the parent, and end with it, however it ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    Thread(target=_end_after, args=(parent,), daemon=True).start()


def _end_after(parent: int) -> None:
    while os.getppid() == parent:
        sleep(1)
    os._exit(0)


def _for_seconds(seconds: float, queue: Iterator[T]) -> Iterator[T]:
    """Yield from a queue, and leave what is behind when the time is over."""
    end = monotonic() + seconds
    while monotonic() < end and (entry := next(queue, None)) is not None:
        yield entry


def _shards(work: Work, workers: int) -> list[Work]:
    size = max(1, min(LARGEST_SHARD, len(work) // (SHARDS_A_WORKER * workers)))
    return [work[start : start + size] for start in range(0, len(work), size)]
