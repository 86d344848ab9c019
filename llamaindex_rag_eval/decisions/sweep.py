"""Sweep: settings of a pipeline race on the same questions until the best is found.

All start on a small batch of questions. Clear losers are dropped early by a test that holds over
all settings and all looks (`stats/race.py`); the others go on, until one is shown to be within a
margin of the best, or the questions end. Answers and scores are written as they come: a sweep that
was interrupted, or is repeated with more settings, pays for nothing twice.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from llamaindex_rag_eval._sync import synced
from llamaindex_rag_eval.data.dataset import EvaluationDataset, HasSamples
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.decisions.entrant import Entrant
from llamaindex_rag_eval.decisions.sweep_questions import FIRST, Schedule
from llamaindex_rag_eval.decisions.sweep_result import SweepResult
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
from llamaindex_rag_eval.judge import JudgeLike
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.registry import DEFAULT_METRICS
from llamaindex_rag_eval.models import EmbeddedOracle, Oracle
from llamaindex_rag_eval.models.request import oracles_of
from llamaindex_rag_eval.runs.clusters import Clustering
from llamaindex_rag_eval.runs.evaluate import metrics_with_judge, require_fields
from llamaindex_rag_eval.runs.provenance import MetricInfo, Provenance
from llamaindex_rag_eval.runs.replies import keeping_replies
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.paired import paired_test
from llamaindex_rag_eval.stats.planning import Planner, two_figures
from llamaindex_rag_eval.stats.race import Race
from llamaindex_rag_eval.stats.sample_values import Floats

SweepProgress = Callable[[str, int, int], None]
"""Called with a setting's name, how many questions of a batch it has answered, and of how many."""

MAX_FAILED = 0.1
"""A setting that fails on more of its questions is out: its scores are over the others only."""

MARGIN = 0.02
"""Share of the metric's range that the winner may be worse than the best."""

PRICES = ("cost", "tokens", "latency")
"""By what settings are cheaper than others: the first that is known of all."""

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
    out: str | Path | None = None,
    progress: SweepProgress | None = None,
) -> SweepResult:
    """Find the best of many settings, and stop asking those that are clearly worse.

        sweep({"chunk_size": [256, 512], "top_k": [2, 5]}, make_engine, golden, metrics=["mrr"])

    Args:
        grid: Parameter -> its values, all combined; or a list of parameters, or of `Setting`s.
        engine_factory: Makes an engine of the parameters of a setting, given as keywords.
        golden: The questions.
        metrics: The first decides; the others are scored at the end, of those not dropped.
        judge: The judge of metrics that have none of their own.
        margin: How much worse than the best the winner may be, in the unit of the first metric; by
            default a fiftieth of its range.
        first: How many questions all settings are asked before the first look; questions that share
            a document stay together.
        alpha: The chance that no setting within the margin of the best is left, or that the winner
            is worse than the best by the margin, over the whole sweep.
        max_failed: Greatest share of its questions on which a setting may fail.
        clusters: What is not independent.
        seed: Another seed asks the questions in another order.
        concurrency: Questions asked at a time.
        timeout: Seconds that a question may take.
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
    chosen = metrics_with_judge(metrics, judge, strict=False)
    infos = [MetricInfo.of(metric) for metric in chosen]
    low, high = infos[0].bounds
    margin = _margin(infos, margin)
    race = Race(len(settings), schedule.shares, margin, alpha, width=high - low)
    if not 0 <= max_failed <= 1:
        raise InputError(f"max_failed is {max_failed}; expected a share in [0, 1]")
    folder = None if out is None else Path(out)
    entrants = [Entrant(setting, questions, folder) for setting in settings]

    async def go_on(entrant: Entrant, ids: Sequence[str]) -> None:
        await entrant.ask(ids, concurrency=concurrency, timeout=timeout, progress=progress)
        errors = [error for answer in entrant.answers_to(ids) if (error := answer.error)]
        if len(errors) > max_failed * len(ids):
            count = f"{len(errors)} of {len(ids)}"
            raise EngineError(f"{count} questions failed, as with: {errors[0]}")
        await entrant.score(judging[:1])

    replies = None if folder is None else folder / REPLIES
    async with keeping_replies(chosen, replies, keeps=_asks) as judging:
        cut_off = await _run_race(race, entrants, schedule, infos, judging, go_on)
    why = "" if cut_off is None else cut_off.stopped or "results are missing"
    stopped = f"Stopped before its end: {why}." if why else ""
    if cut_off is not None and not race.looks:
        stop = EndpointError if cut_off.unreached else BudgetError
        raise stop(f"no batch of questions was finished; what was paid is kept. {stopped}")
    return _result(race, entrants, schedule, infos, stopped)


sweep = synced(asweep)
"""Find the best of many settings: `asweep`, with its arguments, where no `await` is."""


async def _run_race(
    race: Race,
    entrants: Sequence[Entrant],
    schedule: Schedule,
    infos: Sequence[MetricInfo],
    metrics: Sequence[BaseMetric],
    go_on: Callable[[Entrant, Sequence[str]], Awaitable[None]],
) -> Provenance | None:
    """Ask batch after batch, until there is a winner or the questions end; then score what is left.

    Returns:
        How the run was made that was stopped before its end; `None` if none was.
    """
    for look in schedule.looks:
        ids = schedule.ids[:look]
        for number in list(race.left):
            entrant = entrants[number]
            try:
                await go_on(entrant, ids)
                require_fields(metrics, entrant.answers_to(ids))
            except (EngineError, MissingFieldError) as error:
                entrant.leave("out", str(error))
                race.withdraw(number)
                continue
            if (run := entrant.run) is not None and not _is_complete(run, ids, infos[:1]):
                return run.provenance
        if not race.left:
            why = next(entrant.reason for entrant in entrants if entrant.reason)
            raise InputError(f"no setting could be scored; the first: {why}")
        clusters = [schedule.clusters[key] for key in ids]
        costs = [entrant.prices(ids) for entrant in entrants]
        price = _price([costs[number] for number in race.left])
        prices = [cost.get(price, np.inf) for cost in costs]
        race.look(_scores(entrants, infos[0], ids), clusters, prices if price else None)
        for drop in race.drops:
            ahead = entrants[drop.winner].setting.name
            gap = f"{ahead} by {drop.difference:.3f} on {drop.questions} questions"
            reason = f"{'worse than' if drop.worse else 'behind'} {gap}"
            entrants[drop.loser].leave("dropped", reason)
        if race.winner is not None or race.hopeless:
            break
    runs = [await entrants[number].score(metrics) for number in race.left]
    cut_off = (run.provenance for run in runs if not _is_complete(run, run.ids, infos))
    return next(cut_off, None)


def _price(costs: Sequence[Mapping[str, float]]) -> str:
    """Return by what settings are cheaper than others; empty where that is not known of all."""
    return next((p for p in PRICES if all(p in cost for cost in costs)), "")


def _is_complete(run: Run, ids: Sequence[str], infos: Sequence[MetricInfo]) -> bool:
    """Return whether every question has a result on every metric."""
    return all(run.result(key, info.spec) is not None for key in ids for info in infos)


def _scores(entrants: Sequence[Entrant], info: MetricInfo, ids: Sequence[str]) -> Floats:
    """Return the scores of each entrant, a row each, so that higher is better; NaN for none."""
    sign = -1.0 if info.direction == "lower" else 1.0
    table = [entrant.values(info.spec, ids) for entrant in entrants]
    return sign * np.array(table, dtype=np.float64)


def _result(
    race: Race,
    entrants: Sequence[Entrant],
    schedule: Schedule,
    infos: Sequence[MetricInfo],
    stopped: str,
) -> SweepResult:
    """Return what a race has shown after its last look.

    Raises:
        InputError: No setting that is left has a score.
    """
    # A batch that a spent budget left unfinished is paid for, and not looked at.
    last = schedule.looks[race.looks - 1]
    clusters = [schedule.clusters[key] for key in schedule.ids[:last]]
    if not np.isfinite(race.scores[race.left]).any():
        raise InputError(f"no setting has a score of {infos[0].spec!r}")
    counted = [schedule.ids[: min(entrant.questions, last)] for entrant in entrants]
    level = 1 - 0.05 / len(entrants)
    settings = [
        entrant.result(ids, infos, schedule.clusters, level=level)
        for entrant, ids in zip(entrants, counted, strict=True)
    ]
    within = race.within_margin
    costs = [entrant.prices(ids) for entrant, ids in zip(entrants, counted, strict=True)]
    price = _price([costs[number] for number in within])
    best = min(within, key=lambda k: costs[k].get(price, 0.0), default=race.leader)
    settings[best] = replace(settings[best], state="recommended")
    return SweepResult(
        settings=tuple(settings),
        metric=infos[0],
        metrics=tuple(info.spec for info in infos),
        margin=race.margin,
        worse_by=race.worse_by(best),
        best=best in race.ahead_by(0.0, sides=2),
        within=len(within),
        price=price if len(within) > 1 else "",
        more=None if within else _more(race, best, clusters),
        questions=len(schedule.ids),
        clusters=len(set(schedule.clusters.values())),
        looks=schedule.looks[: race.looks],
        answers=sum(entrant.questions for entrant in entrants),
        calls=sum(_calls(setting.run) for setting in settings),
        stopped=stopped,
    )


def _calls(run: Run | None) -> int:
    calls = 0 if run is None else run.provenance.usage.get("calls", 0)
    return calls if isinstance(calls, int) else 0


def _more(race: Race, best: int, clusters: Sequence[int]) -> int | None:
    """Return how many more questions would show that none left is better by the margin.

    That is if those left are alike; `None` where that is not known.
    """
    needed = []
    for rival in race.left:
        gaps = race.scores[best] - race.scores[rival]
        both = np.isfinite(gaps)
        if rival != best and both.sum() > 1:
            labels = [label for label, known in zip(clusters, both, strict=True) if known]
            test = paired_test(gaps[both], clusters=labels, width=race.width)
            needed.append(Planner(test).needed(race.margin, to="rule out"))
    counts = [count for count in needed if count is not None]
    if not counts or len(counts) < len(needed):
        return None
    return two_figures(max(0, max(counts) - race.scores.shape[1])) or None


def _asks(oracle: Oracle) -> bool:
    """Return whether somebody else is asked than rules."""
    return not isinstance(oracles_of(oracle)[-1], EmbeddedOracle)


def _margin(infos: Sequence[MetricInfo], margin: float | None) -> float:
    """Return how much worse the winner may be on the first metric, which decides."""
    spec, width = infos[0].spec, infos[0].bounds[1] - infos[0].bounds[0]
    if infos[0].direction == "neither":
        raise InputError(f"{spec!r} decides, but no direction of it is better; name another")
    if margin is None and width == float("inf"):
        raise InputError(f"{spec!r} has no bounds; give a margin in its unit")
    if margin is not None and not 0 < margin < width:
        raise InputError(f"margin is {margin}; expected more than 0, within the metric's range")
    return MARGIN * width if margin is None else margin
