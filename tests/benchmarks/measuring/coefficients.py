"""How far scores and people agree: AUC, Pearson's r, calibration, each over what is defined."""

from collections.abc import Callable, Sequence

import numpy as np
from scipy.stats import rankdata

from tests.benchmarks.measuring.records import Array

Agreement = Callable[[Array, Array], float]
"""From labels and scores to one figure."""
Estimate = tuple[float, float, float]
"""A figure, and the ends of its 95 % interval."""

RESAMPLES = 300
BINS = 10


def auc(right: Array, score: Array) -> float:
    """Return the chance that a right response scores above a wrong one; ties count half.

    What is undefined counts as 0.

    Example:
        >>> auc(np.array([1.0, 1.0, 0.0]), np.array([0.9, 0.3, 0.3]))
        0.75
    """
    ranks = rankdata(np.nan_to_num(score, nan=0.0))
    positives = right > 0.5
    n = int(positives.sum())
    if n in (0, len(right)):
        return float("nan")
    return float((ranks[positives].sum() - n * (n + 1) / 2) / (n * (len(right) - n)))


def scored_auc(right: Array, score: Array) -> float:
    """Return the AUC over what is defined."""
    known = ~np.isnan(score)
    return auc(right[known], score[known])


def pearson(label: Array, score: Array) -> float:
    """Return the correlation over what is defined; not a number where either does not vary."""
    known = ~np.isnan(score)
    if not known.any() or np.ptp(label[known]) == 0 or np.ptp(score[known]) == 0:
        return float("nan")
    return float(np.corrcoef(label[known], score[known])[0, 1])


def calibration_error(right: Array, chance: Array) -> float:
    """Return the expected calibration error over what is defined, in [0, 1]; lower is better.

        error = sum over bins of (records in the bin / records) · |mean probability - share right|

    Source: Naeini et al. (2015), "Obtaining Well Calibrated Probabilities Using Bayesian Binning",
    https://doi.org/10.1609/aaai.v29i1.9602; ten bins of equal width.

    Example:
        >>> calibration_error(np.array([1.0, 0.0, 0.0, 0.0]), np.array([0.75, 0.75, 0.05, 0.05]))
        0.15
    """
    known = ~np.isnan(chance)
    right, chance = right[known], chance[known]
    place = np.clip((chance * BINS).astype(int), 0, BINS - 1)
    gaps = np.bincount(place, chance - right, minlength=BINS)
    return round(float(np.abs(gaps).sum() / max(1, len(right))), 12)


def interval(agree: Agreement, label: Array, score: Array, group: Sequence[str]) -> Estimate:
    """Return the agreement and its 95 % interval from a bootstrap over groups."""
    _, numbers = np.unique(group, return_inverse=True)
    members = [np.flatnonzero(numbers == each) for each in range(int(numbers.max()) + 1)]
    rng = np.random.default_rng(0)
    drawn = []
    for _ in range(RESAMPLES):
        picked = rng.integers(len(members), size=len(members))
        rows = np.concatenate([members[each] for each in picked])
        drawn.append(agree(label[rows], score[rows]))
    known = [value for value in drawn if not np.isnan(value)]
    low, high = np.quantile(known, [0.025, 0.975]) if known else (np.nan, np.nan)
    return agree(label, score), float(low), float(high)
