"""Calibration: a judge against people, metric by metric, and means corrected by labels.

labels = read_labels("labels.csv", metrics=[info.spec for info in run.metrics])
for metric in calibrate(run, labels).metrics:
print(metric.spec, metric.agreement.kappa, metric.corrected)
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.data.sample import Sample, SingleTurnSample
from llamaindex_rag_eval.decisions.agreement import Agreement, agreement_of
from llamaindex_rag_eval.decisions.labels import OVERALL, HumanLabel, answer_digest
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.answerers import judge_changes
from llamaindex_rag_eval.runs.clusters import SampleClusters, clusters_of
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.inference import mean_estimate
from llamaindex_rag_eval.stats.interval import DEFAULT_LEVEL, Estimate
from llamaindex_rag_eval.stats.ppi import PPIMean, ppi_mean

WIDTH = 0.05
"""The half width of an interval that is asked for, as a share of the metric's range."""

FEWEST_FOR_WIDTH = 5
"""Labels drawn at random from which on it is said how many more there should be."""

MANY_MORE = 10
"""Times as many answers that are judged show what a judge saves of labels."""

MISSES = 10
"""Misses kept of each metric: as many as a person may read."""


@dataclass(frozen=True, slots=True)
class Miss:
    """A sample on which judge and people are far apart.

    Attributes:
        sample_id: The id of the sample.
        score: The score by the judge.
        label: The label by people, in the unit of the score.
        feedback: The feedback of the metric's result.
    """

    sample_id: str
    score: float
    label: float
    feedback: str

    @property
    def gap(self) -> float:
        """The distance of score and label, in the unit of the score."""
        return abs(self.score - self.label)


@dataclass(frozen=True, slots=True)
class MetricCalibration(JsonFields):
    """One metric of a judge, compared with people's labels.

    Attributes:
        metric: The metric.
        agreement: On the samples that were chosen at random.
        misses: The samples with the largest gap, largest first, including doubtful ones.
        judged: The mean of the judge's scores over all samples, with its interval.
        corrected: The estimated mean label over all samples, by prediction-powered inference
            (PPI++); `None` without a random label, since nothing then represents the others.
        unjudged: Ids of labelled samples without a score; they count nowhere.
        changes: What of the judge is another than when the labels were given, in words.
    """

    _json = (
        "metric=spec labels=agreement.n threshold=agreement.threshold "
        "accuracy=agreement.accuracy kappa=agreement.kappa auc=agreement.auc "
        "spearman=agreement.spearman confusion=agreement.confusion judged corrected unjudged "
        "judge_changes=changes width"
    )

    metric: MetricInfo
    agreement: Agreement
    misses: tuple[Miss, ...]
    judged: Estimate
    corrected: PPIMean | None
    unjudged: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()

    @property
    def spec(self) -> str:
        """The metric with its settings, as `faithfulness(graded=True)`."""
        return self.metric.spec

    @property
    def changed(self) -> str:
        """What of the judge has changed since the labels were given; empty if nothing."""
        what = "; ".join(self.changes)
        return what and f"{self.spec}: the judge has changed since the labels were given: {what}."

    @property
    def width(self) -> str:
        """How many labels the mean by people takes, as a sentence; empty with very few."""
        if self.corrected is None or self.corrected.n < FEWEST_FOR_WIDTH:
            return ""
        scored = self.corrected.n + self.corrected.unlabelled
        return width_sentence(self.corrected, self.metric.bounds, scored)


@dataclass(frozen=True, slots=True)
class Calibration(JsonFields):
    """The judge of a run, compared with people's labels.

    Attributes:
        metrics: One entry per metric that has labels, in the order of the run.
        unmatched: Ids of labelled samples that the run does not have, or has another answer of.
        unknown: Metrics in the labels that the run does not have.
        unbounded: Metrics without finite bounds, which cannot be compared with labels.
    """

    _json = "metrics unmatched unknown unbounded"

    metrics: tuple[MetricCalibration, ...]
    unmatched: tuple[str, ...] = ()
    unknown: tuple[str, ...] = ()
    unbounded: tuple[str, ...] = ()

    def of(self, metric: str) -> MetricCalibration | None:
        """Return the calibration of one metric, or `None` if it has no labels."""
        return next((entry for entry in self.metrics if entry.spec == metric), None)


def calibrate(
    run: Run,
    labels: Sequence[HumanLabel],
    *,
    threshold: float | None = None,
    level: float = DEFAULT_LEVEL,
) -> Calibration:
    """Compare a run's scores with people's labels of the same samples.

    Args:
        run: The samples with the judge's scores.
        labels: See `read_labels`. An overall label, where 1 is good, is compared with every
            metric that has a better direction.
        threshold: A score at or above it is a yes of the judge; by default the one that was set
            for the run, or else the metric's own. A label is a yes from the metric's own on: of
            `answer_verdict`, if people say right.
        level: Confidence of the intervals, in (0, 1).

    Raises:
        InputError: No label belongs to a sample and a metric of the run.
    """
    matched, unmatched = matched_labels(run, labels)
    calibrated = []
    unbounded = []
    for info in run.metrics:
        own = labels_of(info, matched)
        if own and not all(map(math.isfinite, info.bounds)):
            unbounded.append(info.spec)
        elif own:
            calibrated.append(_metric_calibration(run, info, own, threshold, level))
    if not calibrated:
        raise InputError(
            f"none of {len(labels)} labels is about a sample and a metric of the run {run.name!r}; "
            f"it has {', '.join(repr(info.spec) for info in run.metrics)}"
        )
    known = {info.spec for info in run.metrics} | {OVERALL}
    return Calibration(
        metrics=tuple(calibrated),
        unmatched=tuple(dict.fromkeys(label.sample_id for label in unmatched)),
        unknown=tuple(dict.fromkeys(x.metric for x in labels if x.metric not in known)),
        unbounded=tuple(unbounded),
    )


def matched_labels(
    run: Run, labels: Sequence[HumanLabel]
) -> tuple[list[HumanLabel], list[HumanLabel]]:
    """Return the labels of answers that a run has, and the others."""
    answers = {sample.id: digest_of(sample) for sample in run.samples}
    matched: list[HumanLabel] = []
    unmatched: list[HumanLabel] = []
    for label in labels:
        own = answers.get(label.sample_id)
        (matched if own and label.answer in ("", own) else unmatched).append(label)
    return matched, unmatched


def drawn_at_random(labels: Iterable[HumanLabel]) -> list[HumanLabel]:
    """Return the labels of samples that were drawn at random."""
    return [label for label in labels if label.chosen == "random"]


def all_labelled(ids: Iterable[str], labels: Iterable[HumanLabel]) -> bool:
    """Return whether every sample has a label, so that none had to be chosen."""
    return {*ids} <= {label.sample_id for label in labels}


def digest_of(sample: Sample) -> str:
    """Return what stands for the answer of a sample in a file of labels."""
    return answer_digest(sample.response if isinstance(sample, SingleTurnSample) else "")


def labels_of(info: MetricInfo, labels: Sequence[HumanLabel]) -> list[HumanLabel]:
    """Return the labels for a metric in its unit; its own labels go before overall ones."""
    low, high = info.bounds
    own = {label.sample_id: label for label in labels if label.metric == info.spec}
    if info.direction != "neither":
        good_is_low = info.direction == "lower"
        for label in labels:
            if label.metric == OVERALL and label.sample_id not in own:
                value = 1 - label.value if good_is_low else label.value
                own[label.sample_id] = replace(label, value=value)
    return [replace(label, value=low + (high - low) * label.value) for label in own.values()]


def _metric_calibration(
    run: Run,
    info: MetricInfo,
    labels: Sequence[HumanLabel],
    threshold: float | None,
    level: float,
) -> MetricCalibration:
    scores = run.values(info.spec)
    judged = [label for label in labels if label.sample_id in scores]
    # Doubtful samples were chosen because their scores look wrong, and are not typical.
    typical = judged if all_labelled(scores, judged) else drawn_at_random(judged)
    random = {label.sample_id: label.value for label in typical}
    values, people = [scores[key] for key in random], [*random.values()]
    clusters, cut = clusters_of(run.samples), info.default_threshold
    cut = sum(info.bounds) / 2 if cut is None else cut
    own = cut if info.threshold is None else info.threshold
    return MetricCalibration(
        metric=info,
        agreement=agreement_of(
            values,
            people,
            threshold=own if threshold is None else threshold,
            cut=cut,
            clusters=clusters.of(random),
            level=level,
        ),
        misses=_misses(run, info.spec, judged, scores),
        judged=mean_estimate(
            list(scores.values()), clusters=clusters.of(scores), bounds=info.bounds, level=level
        ),
        corrected=corrected_mean(scores, random, info, clusters, level=level),
        unjudged=tuple(label.sample_id for label in labels if label.sample_id not in scores),
        changes=changes_since(judged, judged_by(run, info.spec)),
    )


def corrected_mean(
    scores: Mapping[str, float],
    people: Mapping[str, float],
    info: MetricInfo,
    clusters: SampleClusters,
    *,
    weights: Mapping[str, float] | None = None,
    level: float = DEFAULT_LEVEL,
) -> PPIMean | None:
    """Return the mean label over all samples; `None` without a label.

    Args:
        scores: Those of the judge.
        people: The labels, in the unit of the scores, of a random choice of the samples.
        info: The metric.
        clusters: Of the samples.
        weights: For how many samples each label stands, where that is not the same for all.
        level: Confidence of the interval.
    """
    labelled = [key for key in scores if key in people]
    others = [key for key in scores if key not in people]
    return ppi_mean(
        [people[key] for key in labelled],
        [scores[key] for key in labelled],
        [scores[key] for key in others],
        bounds=info.bounds,
        level=level,
        clusters=clusters.of([*labelled, *others]),
        weights=None if weights is None else [weights[key] for key in labelled],
    )


def width_sentence(mean: PPIMean, bounds: tuple[float, float], scored: int) -> str:
    """Return how many more labels make the interval ± a twentieth of the range; "" without one.

    Args:
        mean: Of people's labels, corrected.
        bounds: The least and the greatest label.
        scored: How many answers the judge has scored.
    """
    half, many = WIDTH * (bounds[1] - bounds[0]), MANY_MORE * scored
    fewer, most = mean.more_labels(half, items=many), mean.more_labels(half, items=scored)
    if mean.interval is None:
        return ""
    if most == 0:
        return f"That is ± {half:g} or better."
    if most is None:
        all_do = f"For ± {half:g} these {scored} answers are too few, even if all are labelled"
        return f"{all_do}; of {many}, label about {fewer} more." if fewer else f"{all_do}."
    helps = fewer is not None and fewer <= 0.9 * most
    rather = f", or about {fewer} more if {many} answers are judged" if helps else ""
    return f"For ± {half:g}, label about {most} more that are drawn at random{rather}."


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


def judged_by(run: Run, metric: str) -> str:
    """Return who judged a metric of a run, as fingerprints; empty if nobody did."""
    judged = run.provenance.judged.get(metric, {})
    return ", ".join(sorted({who for counts in judged.values() for who in counts}))


def changes_since(labels: Iterable[HumanLabel], now: str) -> tuple[str, ...]:
    """Return in words what of a judge is another than when labels were given.

    Args:
        labels: The labels; what had judged their answers is known of some.
        now: The fingerprints of the judge, as `judged_by` returns them.
    """
    before = dict.fromkeys(label.judged for label in labels)
    return tuple(dict.fromkeys(change for each in before for change in judge_changes(each, now)))
