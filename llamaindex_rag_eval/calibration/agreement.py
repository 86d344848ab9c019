"""Agreement: how well a judge's scores go together with people's labels, and how sure that is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from llamaindex_rag_eval.stats.interval import DEFAULT_LEVEL, Interval

__all__ = ["Agreement", "Confusion", "Measured", "agreement_of"]

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
    from llamaindex_rag_eval.stats.classification import best_threshold, roc_auc
    from llamaindex_rag_eval.stats.correlation import spearman
    from llamaindex_rag_eval.stats.kappa import cohen_kappa
    from llamaindex_rag_eval.stats.rates import wilson

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
