"""Means and shares: several scores as one number, and F.

In a mean, a part that is undefined (None) makes the whole undefined: leaving it out would let a
composite rise because a part is missing. Shares of counts and sets lie in [0, 1], higher is better,
and are None where their denominator is 0.
"""

import statistics
from collections.abc import Sequence

from llamaindex_rag_eval.errors import InputError


def harmonic_mean(
    parts: Sequence[float | None], *, weights: Sequence[float] | None = None
) -> float | None:
    """Return sum(w) / sum(w / x): near the lowest part, 0 if one is 0.

    Args:
        parts: Scores of 0 or more.
        weights: Weight of each part, 0 or more, not all 0; equal if None. A part of weight 0
            does not count, except that it still must be defined.

    Returns:
        A number between the lowest and the highest part; None without parts or if one is None.

    Raises:
        InputError: A part is negative, or the weights do not fit.

    Example:
        >>> harmonic_mean([1.0, 0.5]) == 2 / 3
        True
        >>> harmonic_mean([1.0, 0.0])
        0.0
    """
    given, defined = _weights(parts, weights), _defined(parts)
    if min(defined, default=0) < 0:
        raise InputError(f"a harmonic mean takes scores of 0 or more, got {list(parts)!r}")
    return float(statistics.harmonic_mean(defined, given)) if defined else None


def weighted_mean(
    parts: Sequence[float | None], *, weights: Sequence[float] | None = None
) -> float | None:
    """Return sum(w · x) / sum(w).

    Args:
        parts: Scores.
        weights: Weight of each part, 0 or more, not all 0; equal if None.

    Returns:
        A number between the lowest and the highest part; None without parts or if one is None.

    Raises:
        InputError: The weights do not fit.

    Example:
        >>> weighted_mean([1.0, 0.0], weights=[3, 1])
        0.75
    """
    given, defined = _weights(parts, weights), _defined(parts)
    return statistics.fmean(defined, given) if defined else None


def _defined(parts: Sequence[float | None]) -> list[float]:
    """Return the parts; none if one of them is not defined."""
    defined = [part for part in parts if part is not None]
    return defined if len(defined) == len(parts) else []


def f_measure(precision: float | None, recall: float | None, *, beta: float = 1.0) -> float | None:
    """Return (1 + β²)·P·R / (β²·P + R), the harmonic mean of P and R with recall weighted by β².

    Args:
        precision: A share in [0, 1].
        recall: A share in [0, 1].
        beta: How many times as much recall counts as precision.

    Returns:
        A number in [0, 1], higher is better; 0 if either is 0; None if either is None.

    Raises:
        InputError: A part or `beta` is negative.

    Example:
        >>> f_measure(0.5, 0.5), f_measure(1.0, 0.0), f_measure(None, 1.0)
        (0.5, 0.0, None)
    """
    if beta < 0:
        raise InputError(f"beta must be 0 or more, got {beta!r}")
    return harmonic_mean([precision, recall], weights=[1.0, beta * beta])


def _weights(parts: Sequence[float | None], weights: Sequence[float] | None) -> Sequence[float]:
    """Return one weight a part, equal if none are given; raise `InputError` if they do not fit."""
    if weights is None:
        return [1.0] * len(parts)
    if len(weights) != len(parts):
        raise InputError(f"{len(parts)} parts need as many weights, got {list(weights)!r}")
    if parts and (not all(weight >= 0 for weight in weights) or not sum(weights) > 0):
        raise InputError(f"weights must be 0 or more and not all 0, got {list(weights)!r}")
    return weights


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
    for count in (true_positives, false_positives, false_negatives):
        if not count >= 0:
            raise InputError(f"counts must be 0 or more, got {count!r}")
    weight = beta * beta
    hits = (1 + weight) * true_positives
    total = hits + weight * false_negatives + false_positives
    return hits / total if total else None
