"""Reliability: of the samples that a judge scored alike, what do people say on average?"""

from collections.abc import Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.calibration.agreement import Measured
from llamaindex_rag_eval.stats.interval import Interval

__all__ = ["BINS", "Bin", "bin_of", "reliability_of"]

BINS = 5
"""Bins of a reliability plot: with a hundred labels, twenty in each."""


@dataclass(frozen=True, slots=True)
class Bin:
    """The samples that a judge scored alike: a dot of a reliability plot.

    Attributes:
        low: Least score of the bin.
        high: Greatest score; it belongs to the next bin, but in the last.
        n: Labelled samples in it.
        judged: Their mean score; `None` without samples.
        people: The mean of their labels, with its interval.
    """

    low: float
    high: float
    n: int
    judged: float | None
    people: Measured


def reliability_of(
    scores: Sequence[float],
    labels: Sequence[float],
    *,
    bounds: tuple[float, float] = (0.0, 1.0),
    bins: int = BINS,
) -> tuple[Bin, ...]:
    """Return bins of equal width over the bounds, each with its mean score and mean label.

    A judge that is calibrated has the same in both. Bins without samples are kept, so that the
    plot shows where nothing was labelled.

    Args:
        scores: The judge's, in the order of the labels.
        labels: People's, in the unit of the scores.
        bounds: The least and the greatest score; finite.
        bins: How many.
    """
    low, high = bounds
    edges = [low + (high - low) * number / bins for number in range(bins + 1)]
    places = [bin_of(score, bounds, bins) for score in scores]
    members = [[i for i, place in enumerate(places) if place == number] for number in range(bins)]
    return tuple(
        Bin(
            low=edges[number],
            high=edges[number + 1],
            n=len(at),
            judged=sum(scores[i] for i in at) / len(at) if at else None,
            people=_mean([labels[i] for i in at], bounds),
        )
        for number, at in enumerate(members)
    )


def bin_of(score: float, bounds: tuple[float, float], bins: int = BINS) -> int:
    """Return the number of the bin that a score lies in, from 0.

    Example:
        >>> bin_of(0.5, (0.0, 1.0), 4), bin_of(1.0, (0.0, 1.0), 4)
        (2, 3)
    """
    low, high = bounds
    return min(max(int((score - low) / (high - low) * bins), 0), bins - 1)


def _mean(labels: Sequence[float], bounds: tuple[float, float]) -> Measured:
    """Return a mean with Wilson's interval if people said yes or no, else a bootstrap one."""
    from llamaindex_rag_eval.stats.bootstrap import bootstrap_mean
    from llamaindex_rag_eval.stats.rates import wilson

    if not labels:
        return Measured(None)
    mean = sum(labels) / len(labels)
    low, high = bounds
    if not set(labels) <= {low, high}:
        return Measured(mean, bootstrap_mean(labels))
    rate = wilson(sum(label == high for label in labels), len(labels))
    if rate is None:
        return Measured(mean)
    width = high - low
    return Measured(mean, Interval(low + width * rate.low, low + width * rate.high, rate.level))
