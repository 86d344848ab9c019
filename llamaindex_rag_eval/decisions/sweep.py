"""Sweep: settings of a pipeline race on the same questions until the best is found.

All start on a small batch of questions. Clear losers are dropped early by a test that holds over
all settings and all looks (`stats/race.py`); the others go on, until one is shown to be within a
margin of the best, or the questions end. Answers and scores are written as they come: a sweep that
was interrupted, or is repeated with more settings, pays for nothing twice.
"""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from llamaindex_rag_eval._sync import synced
from llamaindex_rag_eval.data.dataset import EvaluationDataset, HasSamples
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.decisions.entrant import Entrant
from llamaindex_rag_eval.decisions.sweep_questions import FIRST, Schedule
from llamaindex_rag_eval.decisions.sweep_result import SweepResult, sweep_result
from llamaindex_rag_eval.decisions.sweep_settings import Grid, settings_of
from llamaindex_rag_eval.engines.engine import EngineFactory
from llamaindex_rag_eval.engines.runner import QUESTIONS_IN_FLIGHT
from llamaindex_rag_eval.errors import (
    BudgetError,
    EndpointError,
    EngineError,
    InputError,
    MissingFieldError,
)
from llamaindex_rag_eval.judge import Judge, JudgeLike, judge_of
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS, metric_of
from llamaindex_rag_eval.models import CachedOracle, EmbeddedOracle, Store
from llamaindex_rag_eval.runs.clusters import Clustering
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.shard import SAMPLES_IN_FLIGHT
from llamaindex_rag_eval.stats.race import Race

SweepProgress = Callable[[str, int, int], None]
"""Called with a setting's name, how many questions of a batch it has answered, and of how many."""

MAX_FAILED = 0.1
"""A setting that fails on more of its questions is out: its scores are over the others only."""

MARGIN = 0.02
"""Share of the metric's range that the winner may be worse than the best."""

REPLIES = "replies.db"
"""The judge's replies, beside the answers and scores of a sweep."""


async def asweep(
    grid: Grid,
    engine_factory: EngineFactory | None,
    golden: HasSamples | Iterable[Sample],
    *,
    metrics: Sequence[BaseMetric | str] = DEFAULT_METRICS,
    judge: JudgeLike | None = None,
    margin: float | None = None,
    first: int = FIRST,
    alpha: float = 0.05,
    max_failed: float = MAX_FAILED,
    clusters: Clustering = "documents",
    seed: int = 0,
    concurrency: int = QUESTIONS_IN_FLIGHT,
    timeout: float | None = None,
    model: str | None = None,
    out: str | Path | None = None,
    progress: SweepProgress | None = None,
) -> SweepResult:
    """Find the best of many settings, and stop asking those that are clearly worse.

        sweep({"chunk_size": [256, 512], "top_k": [2, 5]}, make_engine, golden, metrics=["mrr"])

    Args:
        grid: Parameter -> its values, all combined; or a list of parameters, or of `Setting`s.
        engine_factory: Makes an engine of the parameters of a setting, given as keywords.
        golden: The questions.
        metrics: The first decides; the others are scored, too.
        judge: The judge of metrics that have none of their own.
        margin: How much worse than the best the winner may be, in the unit of the first metric; by
            default a fiftieth of its range.
        first: How many questions all settings are asked before the first look; questions that share
            a document stay together.
        alpha: The chance that a setting that is truly best is dropped, or that the winner is
            worse than the best by the margin, over the whole sweep.
        max_failed: Greatest share of its questions on which a setting may fail.
        clusters: What is not independent.
        seed: Another seed asks the questions in another order.
        concurrency: Questions asked at a time.
        timeout: Seconds that a question may take.
        model: The model that answers, to give the cost of its tokens in dollars.
        out: A folder for answers, scores, and the replies of an LLM that judges. What it holds is
            not paid for again. Use another folder when the code of an engine changes.
        progress: Called as answers come.

    Returns:
        Every setting with its scores, and the recommended one.

    Raises:
        InputError: There are no questions, no settings or no metrics, the first metric has no
            direction, a number is out of range, or no setting could be scored.
        BudgetError: The judge's budget was spent before the first batch of questions was finished.
        EndpointError: The judge's endpoint took no call any more before that.
        NeedsModelError: A metric needs an LLM, and the judge answers by rules.
        OutputError: `out` cannot be written.
    """
    settings = settings_of(grid, engine_factory)
    questions = EvaluationDataset.of(golden)
    schedule = Schedule.of(questions, first=first, clusters=clusters, seed=seed)
    chosen = [metric_of(one) if isinstance(one, str) else one for one in metrics]
    decisive = _decisive(chosen)
    if not 0 <= max_failed <= 1:
        raise InputError(f"max_failed is {max_failed}; expected a share in [0, 1]")
    race = Race(len(settings), schedule.shares, _margin(decisive, margin), alpha)
    folder = None if out is None else Path(out)
    running = _Sweep(
        entrants=[
            Entrant(one, questions, None if folder is None else folder / one.file_name)
            for one in settings
        ],
        schedule=schedule,
        race=race,
        metrics=chosen,
        judge=_judge(judge, folder),
        max_failed=max_failed,
    )
    await running.go(concurrency=concurrency, timeout=timeout, progress=progress)
    if not race.looks:
        stop = EndpointError if running.unreached else BudgetError
        raise stop(f"no batch of questions was finished; what was paid is kept. {running.stopped}")
    return sweep_result(
        running.entrants,
        race,
        schedule,
        decisive,
        metrics=[MetricInfo.of(metric) for metric in chosen],
        asked=running.asked,
        reasons=running.reasons,
        stopped=running.stopped,
        model=model,
    )


sweep = synced(asweep)
"""Find the best of many settings: `asweep`, with its arguments, where no `await` is."""


class _Sweep:
    """One sweep in progress: who is left, why others are out, and how far each got."""

    def __init__(
        self,
        *,
        entrants: Sequence[Entrant],
        schedule: Schedule,
        race: Race,
        metrics: Sequence[BaseMetric],
        judge: Judge,
        max_failed: float,
    ) -> None:
        self.entrants = entrants
        self.schedule = schedule
        self.race = race
        self.metrics = metrics
        self.judge = judge
        self.max_failed = max_failed
        self.asked = [0] * len(entrants)
        self.reasons: dict[int, str] = {}
        self.stopped = ""
        self.unreached = False

    async def go(
        self, *, concurrency: int, timeout: float | None, progress: SweepProgress | None
    ) -> None:
        """Ask batch after batch, until there is a winner or the questions end."""
        import numpy as np

        info = MetricInfo.of(self.metrics[0])
        sign, width = (-1.0 if info.direction == "lower" else 1.0), info.bounds[1] - info.bounds[0]
        for look in self.schedule.looks:
            ids = self.schedule.ids[:look]
            for place in list(self.race.left):
                await self._go_on(place, ids, concurrency, timeout, progress)
                if self.stopped:
                    return
            if not self.race.left:
                first = next(iter(self.reasons.values()))
                raise InputError(f"no setting could be scored; the first: {first}")
            table = [entrant.values(info.spec, ids) for entrant in self.entrants]
            self.race.look(
                sign * np.array(table, dtype=np.float64),
                [self.schedule.clusters[one] for one in ids],
                width=width,
            )
            for place in set(range(len(self.entrants))) - set(self.race.left):
                self.entrants[place].release()
            if self.race.winner is not None:
                return

    async def _go_on(
        self,
        place: int,
        ids: Sequence[str],
        concurrency: int,
        timeout: float | None,
        progress: SweepProgress | None,
    ) -> None:
        """Ask and score one setting, or take it out with its reason."""
        entrant = self.entrants[place]
        try:
            await entrant.ask(ids, concurrency=concurrency, timeout=timeout, progress=progress)
            self.asked[place] = len(ids)
            errors = entrant.errors(ids)
            if len(errors) > self.max_failed * len(ids):
                self._take_out(
                    place, f"{len(errors)} of {len(ids)} questions failed, as with: {errors[0]}"
                )
                return
            await entrant.score(self.metrics, self.judge, concurrency=SAMPLES_IN_FLIGHT)
        except (EngineError, MissingFieldError) as error:
            self._take_out(place, str(error))
            return
        if not entrant.complete(ids, [metric.spec for metric in self.metrics]):
            assert entrant.run is not None  # noqa: S101 - it was scored just now
            made = entrant.run.provenance
            self.stopped = f"Stopped before its end: {made.stopped or 'results are missing'}."
            self.unreached = made.unreached

    def _take_out(self, place: int, reason: str) -> None:
        self.reasons[place] = reason
        self.race.withdraw(place)


def _decisive(metrics: Sequence[BaseMetric]) -> MetricInfo:
    """Return the metric that decides."""
    if not metrics:
        raise InputError("a sweep needs at least one metric; `rag-eval metrics` lists them")
    info = MetricInfo.of(metrics[0])
    if info.direction == "neither":
        raise InputError(f"{info.spec!r} decides, but no direction of it is better; name another")
    return info


def _margin(info: MetricInfo, margin: float | None) -> float:
    low, high = info.bounds
    if margin is not None:
        if not 0 < margin < high - low:
            raise InputError(f"margin is {margin}; expected more than 0, within the metric's range")
        return margin
    if high - low == float("inf"):
        raise InputError(f"{info.spec!r} has no bounds; give a margin in its unit")
    return MARGIN * (high - low)


def _judge(judge: JudgeLike | None, folder: Path | None) -> Judge:
    """Return the judge; replies of a model that has no cache on disk are kept in the folder."""
    found = judge_of(judge)
    cached = found.oracle
    if folder is None or not isinstance(cached, CachedOracle) or cached.store is not None:
        return found
    if isinstance(cached.inner, EmbeddedOracle):
        return found  # rules cost nothing
    return Judge(CachedOracle(cached.inner, Store(folder / REPLIES)))
