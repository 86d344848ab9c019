"""Watch live traffic: new traces become scored runs, and an alarm says when quality has fallen.

What was scored before stands in the store of runs, so that a pass reads it there and keeps nothing
else: each trace is scored once, and every pass tests the scores of all passes in their order.
"""

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any

import numpy as np

from llamaindex_rag_eval._sync import run_sync
from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.decisions.policy import Threshold
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import JudgeLike, judge_of
from llamaindex_rag_eval.judge.rules.embedding import unit_rows
from llamaindex_rag_eval.judge.similarity import VectorsOf
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.runs.evaluate import (
    Metrics,
    evaluate,
    metrics_with_judge,
    require_fields,
)
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.store.question_scores import QuestionScores
from llamaindex_rag_eval.runs.store.run_store import RunStore
from llamaindex_rag_eval.stats.alarm import FallDetector
from llamaindex_rag_eval.traces.read import DEFAULT_MASKER, read_traces

METRICS = ("faithfulness", "context_relevance", "response_relevance")
"""The metrics of live answers if none are given: those of a triad that needs no reference."""

FALSE_ALARM_EVERY = 10_000
"""A false alarm comes once in so many scored answers or more, on average."""

SETTLED = 60.0
"""Seconds after its last span from which on a trace is taken to be whole."""

USUAL = 0.95
"""Share of a golden set's questions that are as near to another of the set as usual ones are."""


@dataclass(frozen=True, slots=True)
class LimitWatch(JsonFields):
    """Whether the mean of a metric has passed its limit.

    Attributes:
        metric: The spec of the metric.
        kind: `min` or `max`.
        limit: The lowest or the highest mean that is accepted.
        scored: Answers with a score, in all passes.
        alarms: Alarms so far, in all passes.
        is_new: Whether one of them came in this pass.
        evidence: From 0 up; an alarm is raised at 1, and then it begins anew.
        recent: Answers since the change that is most likely, if there was one.
        recent_mean: Their mean; `None` without any.
    """

    _json = "metric kind limit scored alarms is_new evidence recent recent_mean"

    metric: str
    kind: str
    limit: float
    scored: int
    alarms: int
    is_new: bool
    evidence: float
    recent: int
    recent_mean: float | None

    @property
    def sentence(self) -> str:
        """What is known, for people."""
        side = "below" if self.kind == "min" else "above"
        if self.is_new:
            return (
                f"ALARM: {self.metric} is {side} its limit of {self.limit:g}: the last "
                f"{self.recent} answers have a mean of {self.recent_mean:.2f}."
            )
        seen = f"{self.scored} answers scored so far" if self.scored else "no answer scored yet"
        return f"{self.metric}: no alarm in this pass, {seen}, limit {self.limit:g}."


@dataclass(frozen=True, slots=True)
class Watched:
    """What a pass over traces brought.

    Attributes:
        run: The answers scored in this pass; `None` if there was none. It is stored.
        traces: How many traces were read.
        new: Those with a question that no pass before has scored, of the share that is scored.
        lacking: Others of that share, which lack what every metric reads, as contexts.
        unfinished: Those that may still get spans.
        limits: Whether the means have passed their limits, over all passes.
        unusual: New questions unlike those of the golden set, the least alike first.
    """

    run: Run | None
    traces: int
    new: int
    lacking: int
    unfinished: int
    limits: tuple[LimitWatch, ...]
    unusual: EvaluationDataset

    @property
    def has_alarm(self) -> bool:
        """Whether an alarm was raised in this pass."""
        return any(limit.is_new for limit in self.limits)


def watch(
    traces: Any,
    *,
    metrics: Metrics = METRICS,
    judge: JudgeLike | None = None,
    store: RunStore | None = None,
    name: str = "live",
    limits: Sequence[Threshold] = (),
    false_alarm_every: float = FALSE_ALARM_EVERY,
    share: float = 1.0,
    most: int | None = None,
    settled: float = SETTLED,
    golden: Iterable[str] = (),
    **reading_and_scoring: Any,
) -> Watched:
    """Score the traces that are new, store them as a run, and test the limits over all passes.

    Call it as often as you like, as each hour: the test allows to look at any time.

    Args:
        traces: What `read_traces` takes. Files may still be written.
        metrics: The metrics; traces hold no references, so that only those without one apply.
        judge: The judge of metrics that have none of their own.
        store: The runs; by default those of the project in this folder.
        name: The name of the runs: passes of one name belong together.
        limits: Of kind `min` or `max`, for metrics with bounds.
        false_alarm_every: A false alarm of any limit comes once in so many answers or more, on
            average; above 1.
        share: Which share of the traces is scored, in (0, 1]; the same ones in each pass.
        most: At most so many answers in a pass, the first; the others wait for the next.
        settled: Seconds after its last span from which on a trace is taken to be whole.
        golden: The questions of a golden set, to find new ones unlike them.
        reading_and_scoring: `masker`, as for `read_traces`; `progress`, `concurrency` and
            `workers`, as for `evaluate`.

    Raises:
        InputError: A number is out of range, or a limit is of a metric that is not scored.
        DatasetError: A file cannot be read, or holds no traces.
        MissingFieldError: Nothing was scored before, and no answer has what a metric reads.
        OutputError: The store cannot be read or written.
    """
    if not 0 < share <= 1:
        raise InputError(f"'share' is {share!r}, expected a number above 0, up to 1")
    store = RunStore() if store is None else store
    chosen = metrics_with_judge(metrics, judge, strict=False)
    detectors = _detectors(limits, chosen, false_alarm_every)
    earlier = store.runs(name=name)[::-1]
    known = store.question_scores(run.id for run in earlier)
    scores = [known[run.id] for run in earlier if run.id in known]
    seen = {key for run in scores for key in run.questions}
    read = read_traces(
        traces,
        keep_repeats=True,
        masker=reading_and_scoring.pop("masker", DEFAULT_MASKER),
        until=time.time() - settled,
    )
    drawn = [
        sample
        for sample in read.samples
        if isinstance(sample, SingleTurnSample)
        and sample.id not in seen
        and _is_drawn(sample.id, share)
    ]
    new = [sample for sample in drawn if any(_reads(metric, sample) for metric in chosen)]
    run, batch = None, new[:most]
    if batch:
        used = [metric for metric in chosen if any(_reads(metric, sample) for sample in batch)]
        run = evaluate(batch, metrics=used, judge=judge, name=name, **reading_and_scoring)
        if len(run := _complete(run)):
            store.add(run)
    elif drawn and not earlier:
        require_fields(chosen, drawn)
    return Watched(
        run=run,
        traces=read.traces,
        new=len(new),
        lacking=len(drawn) - len(new),
        unfinished=read.unfinished,
        limits=tuple(
            _tested(limit, metric, detector, scores, run) for limit, metric, detector in detectors
        ),
        unusual=EvaluationDataset(_unlike(batch, tuple(golden), judge)),
    )


def _is_drawn(key: str, share: float) -> bool:
    return int(sha256(key.encode()).hexdigest()[:12], 16) < share * 16**12


def _reads(metric: BaseMetric, sample: SingleTurnSample) -> bool:
    """Return whether a metric has what it needs of an answer; of one that failed, it needs none."""
    return bool(sample.error) or metric.missing(sample) is None


def _complete(run: Run) -> Run:
    """Return a run without the samples that lack a result, since it was stopped before."""
    specs = [info.spec for info in run.metrics]
    kept = [s for s in run.samples if all(run.result(s.id, spec) is not None for spec in specs)]
    ids = {sample.id for sample in kept}
    return replace(run, samples=kept, results=[r for r in run.results if r.sample_id in ids])


def _detectors(
    limits: Sequence[Threshold], metrics: Sequence[BaseMetric], every: float
) -> list[tuple[Threshold, BaseMetric, FallDetector]]:
    """Return each limit with its metric and what finds that the mean has passed it.

    Raises:
        InputError: A metric is not scored or has no bounds, or a limit is outside of them.
    """
    by_spec = {metric.spec: metric for metric in metrics}
    detectors = []
    for limit in limits:
        metric = by_spec.get(limit.metric) or by_spec.get(metric_of(limit.metric).spec)
        if metric is None or limit.kind not in ("min", "max"):
            raise InputError(
                f"the limit of {limit.metric!r} is of no metric that is scored, or of an interval; "
                f"expected 'min' or 'max' of {', '.join(map(repr, by_spec))}"
            )
        low, high = metric.bounds
        if not low < limit.bound < high or not np.isfinite(high - low):
            raise InputError(
                f"the limit of {limit.metric!r} is {limit.bound:g}; an alarm needs one between "
                f"the least and the greatest score, {low:g} and {high:g}"
            )
        detectors.append(
            (limit, metric, FallDetector(_unit(limit.bound, limit, metric), every * len(limits)))
        )
    return detectors


def _unit(score: float, limit: Threshold, metric: BaseMetric) -> float:
    """Return a score as a number in [0, 1], of which the higher is on the good side of a limit."""
    low, high = metric.bounds
    scaled = (score - low) / (high - low)
    return scaled if limit.kind == "min" else 1 - scaled


def _tested(
    limit: Threshold,
    metric: BaseMetric,
    detector: FallDetector,
    earlier: Sequence[QuestionScores],
    run: Run | None,
) -> LimitWatch:
    spec = metric.spec
    before = [x for known in earlier for x in known.scores.get(spec, ()) if x is not None]
    now = [] if run is None else [*run.values(spec).values()]
    detector.see(_unit(score, limit, metric) for score in before)
    alarms = len(detector.alarms)
    detector.see(_unit(score, limit, metric) for score in now)
    new = detector.alarms[alarms:]
    recent = (before + now)[new[0][0] if new else detector.fell_at :]
    return LimitWatch(
        metric=spec,
        kind=limit.kind,
        limit=limit.bound,
        scored=detector.scores,
        alarms=len(detector.alarms),
        is_new=bool(new),
        evidence=detector.evidence,
        recent=len(recent),
        recent_mean=float(np.mean(recent)) if recent else None,
    )


def _unlike(
    samples: Sequence[SingleTurnSample], golden: Sequence[str], judge: JudgeLike | None
) -> list[SingleTurnSample]:
    """Return samples whose questions are less like any golden one than these are like each other.

    The measure is the cosine of the judge's embeddings. "Less" is below what 95 % of the golden
    questions have with the nearest other one.
    """
    by_question = {sample.query: sample for sample in samples if sample.query not in golden}
    if len(golden) < 2 or not by_question:
        return []
    request = VectorsOf(texts=(*golden, *by_question))
    reply = run_sync(judge_of(judge).ask(request))
    rows = unit_rows(np.asarray(reply.rows, dtype=np.float32))
    likeness = rows @ rows[: len(golden)].T
    np.fill_diagonal(likeness, -1.0)
    nearest = likeness.max(axis=1)
    usual = np.quantile(nearest[: len(golden)], 1 - USUAL)
    ranked = sorted(
        zip(nearest[len(golden) :], by_question.values(), strict=True), key=lambda pair: pair[0]
    )
    return [sample for near, sample in ranked if near < usual]
