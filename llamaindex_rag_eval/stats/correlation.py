"""Correlation: do a judge's scores rise where people's scores rise?"""

from collections.abc import Sequence

import numpy as np

from llamaindex_rag_eval.stats.sample_values import Floats, finite, same_length


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
        >>> spearman([1, 2, 3], [10, 20, 1000])
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
        >>> pearson([0, 1, 2], [5, 7, 9])
        1.0
    """
    a, b = _pair(left, right)
    if len(a) < 2 or not (np.ptp(a) and np.ptp(b)):
        return None
    a, b = a - a.mean(), b - b.mean()
    a, b = a / np.abs(a).max(), b / np.abs(b).max()
    return min(1.0, max(-1.0, float(a @ b) / float(np.sqrt((a @ a) * (b @ b)))))


def _pair(left: Sequence[float], right: Sequence[float]) -> tuple[Floats, Floats]:
    same_length(left, right)
    return finite(left, name="left"), finite(right, name="right")
