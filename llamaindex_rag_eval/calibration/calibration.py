"""Calibration: a judge against people, metric by metric, and means corrected by their labels.

labels = read_labels("labels.csv", metrics=[info.spec for info in run.metrics])
for metric in calibrate(run, labels).metrics:
    print(metric.spec, metric.agreement.kappa, metric.corrected)
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from llamaindex_rag_eval.calibration.agreement import (
    Agreement,
    Bin,
    Measured,
    agreement_of,
    reliability_of,
)
from llamaindex_rag_eval.calibration.labels import OVERALL, HumanLabel
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.interval import DEFAULT_LEVEL, Interval

__all__ = [
    "Calibration",
    "CorrectedMean",
    "MetricCalibration",
    "Miss",
    "calibrate",
    "corrected_mean",
]


MISSES = 10
"""Worst misses kept of a metric: as many as a person reads."""


@dataclass(frozen=True, slots=True)
class Miss:
    """A sample on which judge and people are far apart.

    Attributes:
        sample_id: Which.
        score: The judge's.
        label: People's, in the unit of the score.
        feedback: What the judge's metric said of it.
    """

    sample_id: str
    score: float
    label: float
    feedback: str

    @property
    def gap(self) -> float:
        """How far apart they are."""
        return abs(self.score - self.label)


@dataclass(frozen=True, slots=True)
class CorrectedMean:
    """A metric's mean as people would have it, and what it rests on.

    Attributes:
        value: The mean, within the metric's bounds.
        interval: Its confidence interval; `None` below two random labels.
        judged: The judge's own mean over the same samples.
        weight: How much the judge is relied on, in [0, 1]; 0 is people alone.
        labels: Labels of samples chosen at random, on which it rests.
        unlabelled: The other samples, which the judge scored.
        effective_n: Random labels that people alone would need for an interval as short.
    """

    value: float
    interval: Interval | None
    judged: float
    weight: float
    labels: int
    unlabelled: int
    effective_n: float | None


@dataclass(frozen=True, slots=True)
class MetricCalibration:
    """One metric of a judge against people.

    Attributes:
        metric: Which.
        agreement: On samples that were labelled at random.
        reliability: The same in bins of the score.
        misses: The samples furthest apart, furthest first; doubtful ones among them.
        judged: The judge's mean over all samples it scored, with its interval.
        corrected: The mean as people would have it; `None` without a random label.
        unjudged: Labelled samples for which the metric has no score; they count nowhere.
    """

    metric: MetricInfo
    agreement: Agreement
    reliability: tuple[Bin, ...]
    misses: tuple[Miss, ...]
    judged: Measured
    corrected: CorrectedMean | None
    unjudged: tuple[str, ...] = ()

    @property
    def spec(self) -> str:
        """The metric's label."""
        return self.metric.spec


@dataclass(frozen=True, slots=True)
class Calibration:
    """A run's judge against people.

    Attributes:
        metrics: One for each metric that has labels, in the order of the run.
        unmatched: Labelled samples that the run does not have.
        unknown: Metrics that labels name and the run does not have.
        unbounded: Metrics without finite bounds, with which an overall label cannot be compared.
    """

    metrics: tuple[MetricCalibration, ...]
    unmatched: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    unbounded: tuple[str, ...] = ()

    def of(self, metric: str) -> MetricCalibration | None:
        """Return the calibration of one metric, or `None` if it has no labels."""
        return next((one for one in self.metrics if one.spec == metric), None)


def calibrate(
    run: Run,
    labels: Sequence[HumanLabel],
    *,
    threshold: float | None = None,
    seed: int = 0,
    level: float = DEFAULT_LEVEL,
) -> Calibration:
    """Compare a run's scores with people's labels of the same samples.

    Args:
        run: The samples with the judge's scores.
        labels: See `read_labels`. An overall label, where 1 is good, is held against every
            metric of which a direction is better.
        threshold: From which score on the judge says yes; by default the metric's own threshold,
            and without one the middle of its bounds. Labels say yes from the middle on.
        seed: Same seed, same intervals.
        level: Confidence of the intervals, in (0, 1).

    Raises:
        InputError: No label is about a sample and a metric of the run.
    """
    samples = {sample.id for sample in run.samples}
    matched = [label for label in labels if label.sample_id in samples]
    found = []
    unbounded = []
    for info in run.metrics:
        own = _labels_of(info, matched)
        if own and not all(map(math.isfinite, info.bounds)):
            unbounded.append(info.spec)
        elif own:
            found.append(_calibrated(run, info, own, threshold, seed, level))
    if not found:
        raise InputError(
            f"none of {len(labels)} labels is about a sample and a metric of the run {run.name!r}; "
            f"it has {', '.join(repr(info.spec) for info in run.metrics)}"
        )
    known = {info.spec for info in run.metrics} | {OVERALL}
    return Calibration(
        metrics=tuple(found),
        unmatched=tuple(dict.fromkeys(x.sample_id for x in labels if x.sample_id not in samples)),
        unknown=tuple(dict.fromkeys(x.metric for x in labels if x.metric not in known)),
        unbounded=tuple(unbounded),
    )


def _labels_of(info: MetricInfo, labels: Sequence[HumanLabel]) -> list[HumanLabel]:
    """Return the labels of a metric in its unit; one of its own goes first."""
    low, high = info.bounds
    own = {label.sample_id: label for label in labels if label.metric == info.spec}
    if info.direction != "neither":
        good_is_low = info.direction == "lower"
        for label in labels:
            if label.metric == OVERALL and label.sample_id not in own:
                value = 1 - label.value if good_is_low else label.value
                own[label.sample_id] = replace(label, value=value)
    return [replace(label, value=low + (high - low) * label.value) for label in own.values()]


def _calibrated(
    run: Run,
    info: MetricInfo,
    labels: Sequence[HumanLabel],
    threshold: float | None,
    seed: int,
    level: float,
) -> MetricCalibration:
    from llamaindex_rag_eval.stats.bootstrap import bootstrap_mean

    scores = run.values(info.spec)
    judged = [label for label in labels if label.sample_id in scores]
    random = [label for label in judged if label.chosen == "random"]
    values = [scores[label.sample_id] for label in random]
    people = [label.value for label in random]
    middle = sum(info.bounds) / 2
    own = middle if info.threshold is None else info.threshold
    mean = sum(scores.values()) / len(scores) if scores else None
    return MetricCalibration(
        metric=info,
        agreement=agreement_of(
            values,
            people,
            threshold=own if threshold is None else threshold,
            cut=middle,
            seed=seed,
            level=level,
        ),
        reliability=reliability_of(values, people, bounds=info.bounds),
        misses=_misses(run, info.spec, judged, scores),
        judged=Measured(mean, bootstrap_mean(list(scores.values()), seed=seed, level=level)),
        corrected=corrected_mean(scores, judged, bounds=info.bounds, level=level),
        unjudged=tuple(label.sample_id for label in labels if label.sample_id not in scores),
    )


def _misses(
    run: Run, metric: str, labels: Sequence[HumanLabel], scores: dict[str, float]
) -> tuple[Miss, ...]:
    misses = []
    for label in labels:
        result = run.result(label.sample_id, metric)
        feedback = "" if result is None else result.feedback or ""
        misses.append(Miss(label.sample_id, scores[label.sample_id], label.value, feedback))
    ordered = sorted(misses, key=lambda miss: (-miss.gap, miss.sample_id))
    return tuple(miss for miss in ordered[:MISSES] if miss.gap > 0)


def corrected_mean(
    scores: Mapping[str, float],
    labels: Sequence[HumanLabel],
    *,
    bounds: tuple[float, float] = (0.0, 1.0),
    level: float = DEFAULT_LEVEL,
) -> CorrectedMean | None:
    """Return the mean label over all samples, by prediction-powered inference (PPI++).

    Labels of doubtful samples do not enter: these were picked because they look wrong, and would
    make the judge look worse than it is. The estimate is cut to the bounds, which no mean can
    leave. Source: Angelopoulos, Duchi and Zrnic (2023), https://arxiv.org/abs/2311.01453.

    Args:
        scores: Sample id -> the judge's score, all samples.
        labels: Of some of these samples, values in the unit of the scores.
        bounds: The least and the greatest value.
        level: Confidence, in (0, 1).

    Returns:
        The estimate; `None` without a random label, for nothing then speaks for the samples that
        nobody looked at.
    """
    from llamaindex_rag_eval.stats.ppi import ppi_mean

    random = [label for label in labels if label.chosen == "random"]
    drawn = {label.sample_id for label in random}
    unlabelled = [score for sample_id, score in scores.items() if sample_id not in drawn]
    estimate = ppi_mean(
        [label.value for label in random],
        [scores[label.sample_id] for label in random],
        unlabelled,
        level=level,
    )
    if estimate is None:
        return None
    low, high = bounds
    ends = estimate.interval
    return CorrectedMean(
        value=_within(estimate.value, low, high),
        interval=None
        if ends is None
        else Interval(_within(ends.low, low, high), _within(ends.high, low, high), level),
        judged=sum(scores.values()) / len(scores),
        weight=estimate.weight,
        labels=len(random),
        unlabelled=len(unlabelled),
        effective_n=estimate.effective_n,
    )


def _within(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)
