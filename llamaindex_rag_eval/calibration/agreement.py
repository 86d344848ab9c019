"""Agreement: how well a judge's scores go together with people's labels, and how sure that is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from llamaindex_rag_eval.stats.interval import DEFAULT_LEVEL, Interval

__all__ = [
    "BINS",
    "Agreement",
    "Bin",
    "Confusion",
    "Measured",
    "agreement_of",
    "bin_of",
    "reliability_of",
]


RESAMPLES = 1_000
"""Ends of an interval of an agreement are then sure to about a thirtieth of its width."""

FOLDS = 5
"""Parts of which each in turn is told apart by a threshold chosen on the others."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A number with its confidence interval.

    Attributes:
        value: The number; `None` where it is not defined, as where people always said the same.
        interval: `None` where it is not defined or rests on too little.
    """

    value: float | None
    interval: Interval | None = None


@dataclass(frozen=True, slots=True)
class Confusion:
    """Counts of what people and the judge say, where yes is a value at or above the threshold.

    Attributes:
        both_yes: People and judge say yes.
        only_judge: The judge says yes, people say no.
        only_people: People say yes, the judge says no.
        both_no: Both say no.
    """

    both_yes: int
    only_judge: int
    only_people: int
    both_no: int


@dataclass(frozen=True, slots=True)
class Agreement:
    """A judge against people, over the same samples.

    Attributes:
        n: How many samples.
        threshold: From which value on a score counts as yes; for labels it is `cut`.
        accuracy: Share of samples of which both say the same, in [0, 1].
        kappa: Cohen's kappa of yes and no, in [-1, 1]; 0 is agreement by chance.
        auc: Chance that a sample people say yes to scores above one they say no to.
        spearman: Rank correlation of scores and labels, in [-1, 1].
        confusion: The four counts.
        best: The threshold with the highest balanced accuracy on these samples.
        best_apparent: What `best` reaches on the very samples it was chosen on: too good.
        best_expected: What a threshold chosen so reaches on samples it was not chosen on, by
            fivefold cross-validation; `None` with too few.
    """

    n: int
    threshold: float
    accuracy: Measured
    kappa: Measured
    auc: Measured
    spearman: Measured
    confusion: Confusion
    best: float | None
    best_apparent: float | None
    best_expected: float | None


def agreement_of(
    scores: Sequence[float],
    labels: Sequence[float],
    *,
    threshold: float,
    cut: float,
    seed: int = 0,
    level: float = DEFAULT_LEVEL,
) -> Agreement:
    """Return how a judge's scores agree with labels of the same samples.

    Args:
        scores: The judge's, in the order of the labels.
        labels: People's, in the unit of the scores.
        threshold: From which score on the judge says yes.
        cut: From which label on people say yes.
        seed: Same seed, same intervals.
        level: Confidence of the intervals, in (0, 1).

    Returns:
        The agreement; everything in it is `None` or 0 without samples. Intervals are by the
        percentile bootstrap over samples, that of accuracy is Wilson's.
    """
    from llamaindex_rag_eval.stats.agreement import cohen_kappa
    from llamaindex_rag_eval.stats.classification import best_threshold, roc_auc
    from llamaindex_rag_eval.stats.correlation import spearman
    from llamaindex_rag_eval.stats.interval import wilson

    yes = [label >= cut for label in labels]
    told = [score >= threshold for score in scores]
    right = sum(a == b for a, b in zip(yes, told, strict=True))
    best = best_threshold(yes, scores)
    draws = _draws(len(scores), seed)

    def measured(statistic: Callable[[Sequence[int]], float | None]) -> Measured:
        return _measured(statistic, len(scores), draws, level)

    return Agreement(
        n=len(scores),
        threshold=threshold,
        accuracy=Measured(right / len(yes) if yes else None, wilson(right, len(yes), level=level)),
        kappa=measured(lambda at: cohen_kappa([yes[i] for i in at], [told[i] for i in at])),
        auc=measured(lambda at: roc_auc([yes[i] for i in at], [scores[i] for i in at])),
        spearman=measured(lambda at: spearman([labels[i] for i in at], [scores[i] for i in at])),
        confusion=_confusion(yes, told),
        best=None if best is None else best.value,
        best_apparent=None if best is None else best.balanced_accuracy,
        best_expected=_cross_validated(yes, scores, seed),
    )


def _confusion(yes: Sequence[bool], told: Sequence[bool]) -> Confusion:
    pairs = list(zip(yes, told, strict=True))
    return Confusion(
        both_yes=pairs.count((True, True)),
        only_judge=pairs.count((False, True)),
        only_people=pairs.count((True, False)),
        both_no=pairs.count((False, False)),
    )


def _draws(n: int, seed: int) -> list[list[int]]:
    """Return samples drawn with replacement, the same for every measure."""
    if n < 2:
        return []
    drawn: list[list[int]] = np.random.default_rng(seed).integers(n, size=(RESAMPLES, n)).tolist()
    return drawn


def _measured(
    statistic: Callable[[Sequence[int]], float | None],
    n: int,
    draws: Sequence[Sequence[int]],
    level: float,
) -> Measured:
    value = statistic(range(n))
    if value is None:
        return Measured(None)
    found = [again for again in map(statistic, draws) if again is not None]
    # Where most draws have one answer only, what is left of them says little about the rest.
    if 2 * len(found) < RESAMPLES:
        return Measured(value)
    low, high = np.quantile(found, [(1 - level) / 2, (1 + level) / 2])
    return Measured(value, Interval(low=float(low), high=float(high), level=level))


def _cross_validated(yes: Sequence[bool], scores: Sequence[float], seed: int) -> float | None:
    """Return the balanced accuracy of thresholds on samples they were not chosen on."""
    from llamaindex_rag_eval.stats.classification import balanced_accuracy, best_threshold

    if len(yes) < 2 * FOLDS:
        return None
    fold = np.random.default_rng(seed).permutation(len(yes)) % FOLDS
    told = [False] * len(yes)
    for part in range(FOLDS):
        others = [i for i in range(len(yes)) if fold[i] != part]
        cut = best_threshold([yes[i] for i in others], [scores[i] for i in others])
        if cut is None:
            return None
        for i in np.flatnonzero(fold == part).tolist():
            told[i] = scores[i] >= cut.value
    return balanced_accuracy(yes, told)


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
    from llamaindex_rag_eval.stats.interval import wilson

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
