"""Prediction-powered inference: few labels by people, many by a judge, one honest mean.

    mean = λ · mean(judge, unlabelled) + mean(people - λ · judge, labelled)

λ = 1 is PPI (Angelopoulos et al. 2023, "Prediction-Powered Inference",
https://arxiv.org/abs/2301.09633); the λ that makes the interval shortest is PPI++ (Angelopoulos,
Duchi and Zrnic 2023, https://arxiv.org/abs/2311.01453, section 6); λ = 0 is people alone. The
judge may be biased: the second term takes its bias out.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.interval import DEFAULT_LEVEL, Interval
from llamaindex_rag_eval.stats.sample_values import Floats, between_0_and_1, finite, same_length

PPIMethod = Literal["ppi++", "ppi", "labels"]

FEWEST_LABELS = 20
"""With fewer labels λ and the variance are so uncertain that the interval covers too rarely."""


@dataclass(frozen=True, slots=True)
class PPIMean:
    """A mean corrected by labels.

    Attributes:
        value: The estimate, in the unit of the labels; it may leave their range by chance.
        interval: Its confidence interval; None with fewer than two labels.
        method: What was computed, which is `labels` where there was too little for the rest.
        weight: λ, in [0, 1]: how much the judge is relied on.
        n_labelled: Items with a label by people.
        n_unlabelled: Items with a score by the judge alone.
        effective_n: Labels that people alone would need for an interval as short; None where the
            labels, or what is left of them, do not vary.
    """

    value: float
    interval: Interval | None
    method: PPIMethod
    weight: float
    n_labelled: int
    n_unlabelled: int
    effective_n: float | None


def ppi_mean(
    labels: Sequence[float],
    judged: Sequence[float],
    unlabelled: Sequence[float],
    *,
    method: PPIMethod = "ppi++",
    level: float = DEFAULT_LEVEL,
) -> PPIMean | None:
    """Return the mean of people's labels over all items, with the judge's help.

    The labelled items must be a random choice among all. Quantiles are Student's with n - 1
    degrees of freedom, where the papers take normal ones, and `ppi++` pays one more for fitting
    λ: with few labels the papers' intervals cover too rarely.

    Args:
        labels: People's labels.
        judged: The judge's scores of the same items.
        unlabelled: The judge's scores of the other items.
        method: `ppi++`, `ppi`, or `labels` for people alone. With fewer than 20 labels or 2
            unlabelled items, it is `labels` in any case.
        level: Confidence, in (0, 1).

    Returns:
        The estimate; None without labels.

    Raises:
        InputError: The lists do not fit, hold numbers that are not finite, or no such method.

    Example:
        >>> estimate = ppi_mean([0.0, 1.0] * 10, [0.5, 1.0] * 10, [1.0] * 50 + [0.5] * 50)
        >>> estimate.value, estimate.method
        (0.5, 'ppi++')
    """
    between_0_and_1(level, name="level")
    same_length(labels, judged)
    if method not in ("ppi++", "ppi", "labels"):
        raise InputError(f"method must be 'ppi++', 'ppi' or 'labels', got {method!r}")
    people, judge = finite(labels, name="labels"), finite(judged, name="judged")
    others = finite(unlabelled, name="unlabelled")
    if not len(people):
        return None
    if len(people) < FEWEST_LABELS or len(others) < 2:
        method = "labels"
    weight = {"labels": 0.0, "ppi": 1.0}.get(method)
    if weight is None:
        weight = tuned_weight(people, judge, others)
    correction = people - weight * judge
    value = float(correction.mean()) + (weight * float(others.mean()) if weight else 0.0)
    variance = _variance_of_mean(correction, fitted=method == "ppi++")
    if weight and variance is not None:
        variance += weight**2 * float(others.var(ddof=1)) / len(others)
    return PPIMean(
        value=value,
        interval=_interval(value, variance, len(people), level),
        method=method,
        weight=weight,
        n_labelled=len(people),
        n_unlabelled=len(others),
        effective_n=_effective_n(people, variance),
    )


def tuned_weight(people: Floats, judge: Floats, others: Floats) -> float:
    """Return cov(people, judge) / ((1 + n/N) var(judge)), kept within [0, 1]; 0 for a flat judge.

    Example:
        >>> people = finite([0, 1, 0, 1])
        >>> round(tuned_weight(people, people, people), 4)  # (1/3) / ((1 + 4/4) · 2/7)
        0.5833
    """
    variance = float(np.concatenate([judge, others]).var(ddof=1))
    if not variance:
        return 0.0
    covariance = float(np.cov(people, judge, ddof=1)[0, 1])
    return min(1.0, max(0.0, covariance / ((1 + len(people) / len(others)) * variance)))


def _variance_of_mean(values: Floats, *, fitted: bool) -> float | None:
    # A λ fitted to the same labels takes a degree of freedom, like the slope of a regression.
    used = 2 if fitted else 1
    return float(values.var(ddof=used)) / len(values) if len(values) > used else None


def _interval(value: float, variance: float | None, n: int, level: float) -> Interval | None:
    from scipy import special

    if variance is None:
        return None
    reach = float(special.stdtrit(n - 1, (1 + level) / 2)) * math.sqrt(variance)
    return Interval(low=value - reach, high=value + reach, level=level)


def _effective_n(people: Floats, variance: float | None) -> float | None:
    alone = float(people.var(ddof=1)) if len(people) >= 2 else 0.0
    return alone / variance if alone and variance else None
