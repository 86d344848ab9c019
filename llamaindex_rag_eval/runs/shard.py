"""One sample scored on some metrics, as each process and each task on Ray does it."""

import asyncio
import gc
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock

from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import BudgetError, EndpointError, EngineError
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.result import Result, Row

SAMPLES_IN_FLIGHT = 64
"""Samples evaluated at a time; the oracle limits how many calls that makes."""

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

    @property
    def notes(self) -> tuple[str, ...]:
        """What to show of it with the scores, in sentences."""
        notes = {
            f"Stopped before its end: {self.stopped}.": self.stopped,
            f"{self.pending} results are pending: their judgements are asked for in batch files. "
            "Means are over the other results.": self.pending,
        }
        return tuple(note for note, applies in notes.items() if applies)

    def __add__(self, other: "Ending") -> "Ending":
        """Return how both ended."""
        return Ending(
            self.stopped or other.stopped,
            self.pending + other.pending,
            self.unreached or other.unreached,
        )


_collecting = Lock()
"""Held by the one evaluation of this process that keeps the garbage collector off the rest, and to
the end where others froze objects: to count them takes long."""


@contextmanager
def sparing_collector() -> Iterator[None]:
    """Keep the garbage collector from what was there before, and let it look seldom at the rest.

    Looking through the libraries that are loaded, and again and again through all that is in
    flight, takes a quarter of the time of an evaluation, and finds nothing. What others froze stays
    as it is.
    """
    if not _collecting.acquire(blocking=False) or gc.get_freeze_count():
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


async def score_sample(
    sample: Sample, metrics: Sequence[BaseMetric], keep: Callable[[Row], None]
) -> Ending:
    """Score a sample on metrics; each result is kept as it comes."""

    async def measure(metric: BaseMetric) -> Ending:
        result = await result_of(metric, sample)
        if result.error_type in STOPS:
            return Ending(result.reason, unreached=result.error_type == EndpointError.__name__)
        if result.status == "pending":
            return Ending(pending=1)
        keep(Row.from_result(result))
        return Ending()

    return sum(await asyncio.gather(*map(measure, metrics)), Ending())


async def result_of(metric: BaseMetric, sample: Sample) -> Result:
    """Return the result of a metric on a sample; an exception becomes a failed result."""
    if sample.error:
        reason = f"the pipeline gave no answer: {sample.error}"
        return Result.from_error(metric.spec, sample, EngineError(reason))
    try:
        return await metric.result(sample)
    except Exception as error:  # noqa: BLE001 - a user's metric may raise anything
        return Result.from_error(metric.spec, sample, error)
