"""Intervals of the agreement of two raters: Cohen's kappa, AUC, Spearman's rank correlation.

Those of kappa and AUC are the interval of a mean (`stats/inference.py`), of which they are a
function or a kind; so they have a width where all agree. A bootstrap of the samples has none there:
of a kappa of .96 it covers in a third of samples of 20 labels, of an AUC of .98 in a half.
`tests/benchmarks/inference_errors.py` prints how often these do.
"""

import math
from collections.abc import Hashable, Sequence

import numpy as np

from llamaindex_rag_eval.stats.inference import mean_estimate, share_ends
from llamaindex_rag_eval.stats.interval import DEFAULT_LEVEL, Interval
from llamaindex_rag_eval.stats.sample_values import between_0_and_1, finite, same_length


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
    same_length(positive, scores)
    truth, given = np.asarray(positive, dtype=bool), finite(scores, name="scores")
    yes, no = given[truth], given[~truth]
    size = min(len(yes), len(no))
    if size < 2:
        return None
    wins = (yes[:, None] > no[None, :]) + 0.5 * (yes[:, None] == no[None, :])
    by_yes, by_no = wins.mean(axis=1), wins.mean(axis=0)
    variance = by_yes.var(ddof=1) / len(yes) + by_no.var(ddof=1) / len(no)
    ends = share_ends(
        np.asarray(wins.mean()),
        np.asarray(variance),
        size=np.asarray(float(size)),
        freedom=np.asarray(size - 1.0),
        level=level,
    )
    mean = float(wins.mean())  # rounding may put an end on the wrong side of it
    return Interval(min(float(ends[0]), mean), max(float(ends[1]), mean), level)


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
