"""A shard: some samples scored on some metrics, as one process does it.

`score_shard` is the unit of work for whatever spreads an evaluation: a function of this module
that takes and returns plain values, so that it can run in another process or on another machine.
What it returns does not depend on the other shards.
"""

import asyncio
import gc
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import BudgetError, EndpointError, EngineError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.result import Result, Row
from llamaindex_rag_eval.models.usage import Spent, current_account

SAMPLES_IN_FLIGHT = 64
"""Samples evaluated at a time; the oracle limits how many calls that makes."""

Key = tuple[str, str]
"""A sample's id and a metric's spec."""


SELDOM = (50_000, 20, 100)
"""New objects after which the garbage collector looks through them; of these looks, the one that
looks at older ones, too; and of those, the one that looks at all."""

STOPS = frozenset({BudgetError.__name__, EndpointError.__name__})
"""Errors after which nothing more is asked."""


@dataclass(frozen=True, slots=True)
class Ending:
    """How scoring ended.

    Attributes:
        stopped: Why it stopped before its end, as a spent budget; empty if it did not.
        pending: How many results wait for the replies of a batch file.
        unreached: Whether it stopped because a model took no call any more.
    """

    stopped: str = ""
    pending: int = 0
    unreached: bool = False

    def __or__(self, other: "Ending") -> "Ending":
        """Return how both ended."""
        return Ending(
            self.stopped or other.stopped,
            self.pending + other.pending,
            self.unreached or other.unreached,
        )


@dataclass(frozen=True, slots=True)
class ShardScores:
    """What came of a shard.

    Attributes:
        rows: The packed results, in the order of samples, then of metrics.
        spent: What each call has cost.
        ending: How it ended.
    """

    rows: tuple[Row, ...]
    spent: tuple[Spent, ...] = ()
    ending: Ending = Ending()


def score_shard(
    metrics: Sequence[BaseMetric],
    samples: Sequence[Sample],
    *,
    known: Collection[Key] = (),
    concurrency: int = SAMPLES_IN_FLIGHT,
) -> ShardScores:
    """Score samples on metrics.

    Args:
        metrics: Each with its judge.
        samples: The samples, with their answers.
        known: What has a result already and is left out.
        concurrency: Samples scored at a time.
    """
    rows: dict[Key, Row] = {}
    spent: list[Spent] = []

    def keep(row: Row) -> None:
        rows[row.sample_id, row.metric] = row

    work = [(s, [m for m in metrics if (s.id, m.spec) not in known]) for s in samples]
    token = current_account.set(spent.append)
    try:
        with sparing_collector():
            ending = run_sync(score_samples(work, keep, concurrency=concurrency))
    finally:
        current_account.reset(token)
    order = ((sample.id, metric.spec) for sample, rest in work for metric in rest)
    return ShardScores(tuple(rows[key] for key in order if key in rows), tuple(spent), ending)


_collecting = Lock()
"""Held by the one evaluation of this process that keeps the garbage collector off the rest."""


@contextmanager
def sparing_collector() -> Iterator[None]:
    """Keep the garbage collector from what was there before, and let it look seldom at the rest.

    Looking through the libraries that are loaded, and again and again through all that is in
    flight, takes a quarter of the time of an evaluation, and finds nothing.
    """
    if gc.get_freeze_count() or not _collecting.acquire(blocking=False):
        yield
        return
    before = gc.get_threshold()
    gc.freeze()
    if before[0]:  # else it is off
        gc.set_threshold(*(max(pair) for pair in zip(before, SELDOM, strict=True)))
    try:
        yield
    finally:
        gc.set_threshold(*before)
        gc.unfreeze()
        _collecting.release()


async def score_samples(
    work: Iterable[tuple[Sample, Sequence[BaseMetric]]],
    keep: Callable[[Row], None],
    *,
    concurrency: int = SAMPLES_IN_FLIGHT,
) -> Ending:
    """Score each sample on its metrics; results are kept as they come, in any order.

    Args:
        work: Samples with the metrics that they lack a result of; read as it is needed.
        keep: Called with each result.
        concurrency: Samples scored at a time.
    """
    queue, stopped, pending, unreached = iter(work), "", 0, False

    async def measure(metric: BaseMetric, sample: Sample) -> None:
        nonlocal stopped, pending, unreached
        result = await result_of(metric, sample)
        if result.error_type in STOPS:
            stopped = result.reason
            unreached = result.error_type == EndpointError.__name__
        elif result.status == "pending":
            pending += 1
        else:
            keep(Row.from_result(result))

    async def take() -> None:
        for sample, metrics in queue:  # shared: each takes the next sample
            await asyncio.gather(*(measure(metric, sample) for metric in metrics))
            if stopped:
                return

    await asyncio.gather(*(take() for _ in range(max(1, concurrency))))
    return Ending(stopped, pending, unreached)


async def result_of(metric: BaseMetric, sample: Sample) -> Result:
    """Return the result of a metric on a sample; an exception becomes a failed result."""
    if sample.error:
        reason = f"the pipeline gave no answer: {sample.error}"
        return Result.from_error(metric.spec, sample, EngineError(reason))
    try:
        return await metric.result(sample)
    except Exception as error:  # noqa: BLE001 - a user's metric may raise anything
        return Result.from_error(metric.spec, sample, error)
