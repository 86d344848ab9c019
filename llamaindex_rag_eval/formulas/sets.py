"""Counts and sets: precision, recall, F and Jaccard.

All lie in [0, 1], higher is better, and are None where their denominator is 0.
"""

from collections.abc import Hashable
from collections.abc import Set as AbstractSet

from llamaindex_rag_eval.errors import InputError

__all__ = ["f_beta", "jaccard", "precision", "recall"]


def precision(*, true_positives: float, false_positives: float) -> float | None:
    """Return TP / (TP + FP), a share in [0, 1]; None if both are 0.

    Raises:
        InputError: A count is negative.

    Example:
        >>> precision(true_positives=3, false_positives=1)
        0.75
    """
    return _share(true_positives, false_positives)


def recall(*, true_positives: float, false_negatives: float) -> float | None:
    """Return TP / (TP + FN), a share in [0, 1]; None if both are 0.

    Raises:
        InputError: A count is negative.

    Example:
        >>> recall(true_positives=1, false_negatives=3)
        0.25
    """
    return _share(true_positives, false_negatives)


def f_beta(
    *, true_positives: float, false_positives: float, false_negatives: float, beta: float = 1.0
) -> float | None:
    """Return (1 + β²)·TP / ((1 + β²)·TP + β²·FN + FP); with β = 1, TP / (TP + (FP + FN)/2).

    Source: van Rijsbergen (1979), "Information Retrieval", chapter 7.

    Args:
        true_positives: What was given and is right.
        false_positives: What was given and is wrong.
        false_negatives: What is right and was not given.
        beta: How many times as much recall counts as precision; 0 is precision alone.

    Returns:
        A number in [0, 1], higher is better; None if there is nothing to count.

    Raises:
        InputError: A count or `beta` is negative.

    Example:
        >>> f_beta(true_positives=1, false_positives=1, false_negatives=1)
        0.5
    """
    if beta < 0:
        raise InputError(f"beta must be 0 or more, got {beta!r}")
    weight = beta * beta
    return _share(
        (1 + weight) * true_positives, weight * false_negatives, _counted(false_positives)
    )


def jaccard(left: AbstractSet[Hashable], right: AbstractSet[Hashable]) -> float | None:
    """Return |A ∩ B| / |A ∪ B|, a share in [0, 1]; None if both sets are empty.

    Example:
        >>> jaccard({"a", "b"}, {"b", "c"}) == 1 / 3
        True
    """
    union = left | right
    return len(left & right) / len(union) if union else None


def _share(part: float, *others: float) -> float | None:
    total = sum((_counted(other) for other in others), start=_counted(part))
    return part / total if total else None


def _counted(count: float) -> float:
    if not count >= 0:
        raise InputError(f"counts must be 0 or more, got {count!r}")
    return count
