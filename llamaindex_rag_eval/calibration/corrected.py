"""The corrected mean: what people would say on average, from few labels and a judge of all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.calibration.labels import HumanLabel
from llamaindex_rag_eval.stats.interval import DEFAULT_LEVEL, Interval

__all__ = ["CorrectedMean", "corrected_mean"]


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
