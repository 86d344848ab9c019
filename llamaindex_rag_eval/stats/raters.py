"""Agreement of two raters, with its interval: Cohen's kappa, AUC, Spearman's rank correlation.

The intervals of kappa and AUC are that of a mean (`stats/inference.py`), of which they are a
function or a kind; so they have a width where all agree. A bootstrap of the samples has none there:
of a kappa of .96 it covers in a third of samples of 20 labels, of an AUC of .98 in a half.
`tests/benchmarks/inference_errors.py` prints how often these do.
"""

import math
from collections.abc import Hashable, Sequence

import numpy as np

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.inference import interval_of, mean_estimate
from llamaindex_rag_eval.stats.interval import DEFAULT_LEVEL, Interval
from llamaindex_rag_eval.stats.sample_values import Floats, between_0_and_1, finite, same_length


def cohen_kappa(left: Sequence[Hashable], right: Sequence[Hashable]) -> float | None:
    """Return 1 - observed disagreement / disagreement expected by chance.

    Source: Cohen (1960), "A Coefficient of Agreement for Nominal Scales".

    Args:
        left: Labels of one rater, item by item.
        right: Labels of the other on the same items.

    Returns:
        A number in [-1, 1], higher is better: 1 all agree, 0 as by chance. None without items, or
        if both raters gave one and the same label throughout, for chance then agrees as well.

    Raises:
        InputError: The lists differ in length.

    Example:
        >>> cohen_kappa([1, 1, 0, 0], [1, 1, 1, 0])
        0.5
    """
    same_length(left, right)
    if not left:
        return None
    numbers = {label: number for number, label in enumerate(sorted({*left, *right}, key=repr))}
    table = np.zeros((len(numbers), len(numbers)))
    for a, b in zip(left, right, strict=True):
        table[numbers[a], numbers[b]] += 1
    apart = 1 - np.eye(len(numbers))
    expected = np.outer(table.sum(axis=1), table.sum(axis=0)) / table.sum()
    chance = float((apart * expected).sum())
    return 1 - float((apart * table).sum()) / chance if chance else None


def kappa_interval(
    left: Sequence[bool],
    right: Sequence[bool],
    *,
    clusters: Sequence[Hashable] | None = None,
    level: float = DEFAULT_LEVEL,
) -> Interval | None:
    """Return the interval of Cohen's kappa of two raters who say yes or no.

    1 - (1 - a) / (1 - chance), with the interval of the share `a` on which they agree, and the
    agreement by chance as it was found. Source: Cohen (1960), whose standard error does the same.

    Args:
        left: What one rater says, item by item.
        right: What the other says.
        clusters: What is not independent.
        level: Confidence, in (0, 1).

    Returns:
        An interval in [-1, 1]; None below two clusters, or where kappa is not defined.

    Raises:
        InputError: The lists do not fit, or `level` is out of range.

    Example:
        >>> interval = kappa_interval([True, False] * 10, [True, False] * 10)
        >>> round(interval.low, 2), interval.high  # agreement is .84 at least; chance is a half
        (0.68, 1.0)
    """
    same_length(left, right)
    if not left:
        return None
    a, b = float(np.mean(left)), float(np.mean(right))
    by_chance = a * b + (1 - a) * (1 - b)
    agree = [float(bool(x) == bool(y)) for x, y in zip(left, right, strict=True)]
    agreement = mean_estimate(agree, clusters=clusters, bounds=(0.0, 1.0), level=level).interval
    if agreement is None or by_chance >= 1:
        return None
    low, high = (1 - (1 - end) / (1 - by_chance) for end in (agreement.low, agreement.high))
    return Interval(max(-1.0, low), min(1.0, high), level)


def roc_auc(positive: Sequence[bool], scores: Sequence[float]) -> float | None:
    """Return the chance that a positive item scores above a negative one, ties counting half.

    The area under the ROC curve; equal to U / (positives · negatives) of Mann and Whitney (1947).

    Args:
        positive: What people say of each item.
        scores: The judge's score of the same items, higher for positive.

    Returns:
        A share in [0, 1], higher is better, 1/2 as by chance; None unless people say both yes
        and no.

    Raises:
        InputError: The lists do not fit, or a score is not finite.

    Example:
        >>> roc_auc([True, False, True, False], [0.75, 0.25, 0.5, 0.5])  # (1 + 1 + 1 + 1/2) / 4
        0.875
    """
    wins = _wins(positive, scores)
    return float(wins.mean()) if wins.size else None


def _wins(positive: Sequence[bool], scores: Sequence[float]) -> Floats:
    """Return 1, or 1/2 for a tie, where a positive item, a row, scores above a negative one."""
    same_length(positive, scores)
    if any(verdict not in (True, False) for verdict in positive):
        raise InputError("verdicts must be True or False; leave undefined ones out")
    truth, given = np.asarray(positive, dtype=bool), finite(scores, name="scores")
    yes, no = given[truth][:, None], given[~truth]
    return np.asarray((yes > no) + 0.5 * (yes == no))


def auc_interval(
    positive: Sequence[bool], scores: Sequence[float], *, level: float = DEFAULT_LEVEL
) -> Interval | None:
    """Return the interval of the chance that a positive item scores above a negative one.

    The mean over positive items of the share of negative ones below them, with the variance of
    DeLong, DeLong and Clarke-Pearson (1988), "Comparing the Areas under Two or More Correlated
    Receiver Operating Characteristic Curves". It is at most that of as many answers of yes and no
    as the rarer kind has items: Birnbaum and Klose (1957).

    Args:
        positive: What people say of each item.
        scores: The judge's score of the same items.
        level: Confidence, in (0, 1).

    Returns:
        An interval in [0, 1]; None with fewer than two items of a kind.

    Raises:
        InputError: The lists do not fit, a score is not finite, or `level` is out of range.

    Example:
        >>> interval = auc_interval([True] * 10 + [False] * 10, range(20, 0, -1))
        >>> round(interval.low, 2), interval.high
        (0.72, 1.0)
    """
    between_0_and_1(level, name="level")
    wins = _wins(positive, scores)
    size = min(wins.shape)
    if size < 2:
        return None
    variance = sum(wins.mean(axis=1 - k).var(ddof=1) / count for k, count in enumerate(wins.shape))
    mean, freedom = float(wins.mean()), size - 1.0
    return interval_of(mean, float(variance), size=size, freedom=freedom, level=level)


def spearman(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Return Spearman's rho: the Pearson correlation of the ranks, ties sharing the middle rank.

    Args:
        left: Scores of one judge, item by item.
        right: Scores of the other on the same items.

    Returns:
        A number in [-1, 1], 1 the same order, 0 no relation; None as for `pearson`.

    Raises:
        InputError: The lists differ in length, or a score is not finite.

    Example:
        >>> round(spearman([1, 2, 3], [10, 20, 1000]), 6)
        1.0
    """
    from scipy.stats import rankdata

    a, b = _pair(left, right)
    return pearson(rankdata(a).tolist(), rankdata(b).tolist())


def pearson(left: Sequence[float], right: Sequence[float]) -> float | None:
    """Return Pearson's r: the covariance over the product of the standard deviations.

    Args:
        left: Scores of one judge, item by item.
        right: Scores of the other on the same items.

    Returns:
        A number in [-1, 1], 1 a rising straight line, 0 no linear relation; None for fewer
        than two items, or if one judge gave all items the same score.

    Raises:
        InputError: The lists differ in length, or a score is not finite.

    Example:
        >>> round(pearson([0, 1, 2], [5, 7, 9]), 6)
        1.0
    """
    from scipy.stats import pearsonr

    a, b = _pair(left, right)
    varies = len(a) > 1 and np.ptp(a) and np.ptp(b)
    return float(pearsonr(a, b).statistic) if varies else None


def _pair(left: Sequence[float], right: Sequence[float]) -> tuple[Floats, Floats]:
    same_length(left, right)
    return finite(left, name="left"), finite(right, name="right")


def spearman_interval(value: float, n: int, *, level: float = DEFAULT_LEVEL) -> Interval | None:
    """Return the interval of a rank correlation.

    tanh(atanh r ± z · √((1 + r²/2) / (n - 3))). Source: Bonett and Wright (2000), "Sample Size
    Requirements for Estimating Pearson, Kendall and Spearman Correlations". A perfect correlation
    has the low end of the one with two neighbours exchanged.

    Args:
        value: The correlation, in [-1, 1].
        n: How many items.
        level: Confidence, in (0, 1).

    Returns:
        An interval in [-1, 1]; None with fewer than four items.

    Raises:
        InputError: `level` is out of range.

    Example:
        >>> interval = spearman_interval(0.5, 40)
        >>> round(interval.low, 2), round(interval.high, 2)
        (0.2, 0.71)
    """
    from scipy import special

    between_0_and_1(level, name="level")
    if n < 4:
        return None
    nearest = 1 - 12 / (n * (n * n - 1))
    inside = min(nearest, max(-nearest, value))
    reach = float(special.ndtri((1 + level) / 2)) * math.sqrt((1 + inside**2 / 2) / (n - 3))
    low, high = (math.tanh(math.atanh(inside) + side * reach) for side in (-1, 1))
    return Interval(min(low, value), max(high, value), level)
