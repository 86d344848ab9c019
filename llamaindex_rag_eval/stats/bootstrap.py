"""Bootstrap: the interval of a mean, or of a paired difference, from resampling the questions.

Whole groups (documents, conversations) are drawn where values of one group resemble each other:
questions about one document are not independent, and treating them so makes intervals too narrow.
"""

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.interval import DEFAULT_LEVEL, Interval
from llamaindex_rag_eval.stats.sample_values import (
    Differences,
    Floats,
    between_0_and_1,
    differences_of,
    finite,
    group_sums,
)

__all__ = [
    "BootstrapMethod",
    "PairedDifference",
    "bootstrap_mean",
    "mean_difference",
    "paired_bootstrap",
]

BootstrapMethod = Literal["bca", "expanded", "percentile"]

RESAMPLES = 10_000
"""How often to resample; the ends of a 95 % interval then err by about 1/50 of its width."""

FARTHEST = 38.0
"""Normal quantiles beyond this have a tail of 0 in floating point, and would be infinite."""

CELLS = 4_000_000
"""Resampled values held in memory at once: 32 MB, whatever the number of values."""


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The mean of `left - right` over the same questions.

    Attributes:
        difference: In the unit of the scores; above 0, `left` is larger.
        interval: Its confidence interval; None with fewer than two pairs or groups.
        n: Pairs compared.
    """

    difference: float
    interval: Interval | None
    n: int


def bootstrap_mean(
    values: Sequence[float],
    *,
    groups: Sequence[Hashable] | None = None,
    method: BootstrapMethod = "bca",
    level: float = DEFAULT_LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Interval | None:
    """Return the bootstrap interval of the mean.

    Source: Efron and Tibshirani (1993), "An Introduction to the Bootstrap", chapters 13 and 14;
    `expanded` is Hesterberg (2015), "What Teachers Should Know About the Bootstrap",
    https://arxiv.org/abs/1411.5279, section 3.3.

    Args:
        values: One number a question; leave undefined ones out.
        groups: The group of each value; groups are drawn whole.
        method: `percentile` takes quantiles of the drawn means. `expanded` takes quantiles
            further out, as wide as Student's t asks for, which `percentile` misses in small
            samples. `bca` moves the quantiles of `expanded` for bias and skew.
        level: Confidence, in (0, 1).
        resamples: How many times to draw.
        seed: Same seed, same interval.

    Returns:
        An interval in the unit of the values and within their range. If all means of groups are
        equal, both ends are the mean: nothing varied, which is no proof that nothing varies; for
        rates prefer `wilson`. None if there are fewer than two values or groups.

    Raises:
        InputError: A value is not finite, `groups` does not fit, an option is out of range.

    Example:
        >>> interval = bootstrap_mean([0.0, 0.5, 0.5, 1.0], method="percentile")
        >>> interval.low, interval.high
        (0.125, 0.875)
        >>> bootstrap_mean([0.5]) is None
        True
    """
    between_0_and_1(level, name="level")
    sums, counts = group_sums(finite(values), groups)
    return _interval(sums, counts, method, level=level, resamples=resamples, seed=seed)


def paired_bootstrap(
    left: Sequence[float],
    right: Sequence[float],
    *,
    groups: Sequence[Hashable] | None = None,
    method: BootstrapMethod = "expanded",
    level: float = DEFAULT_LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> PairedDifference | None:
    """Return the mean difference with its bootstrap interval, drawing pairs (or groups) whole.

    Args:
        left: Scores of one pipeline, question by question.
        right: Scores of the other on the same questions.
        groups: The group of each question.
        method: See `bootstrap_mean`. Differences are hardly skewed, and take few values: there
            `expanded` covers more evenly than `bca`.
        level: Confidence, in (0, 1).
        resamples: How many times to draw.
        seed: Same seed, same interval.

    Returns:
        The difference; None without pairs.

    Raises:
        InputError: The lists do not fit, or an option is out of range.

    Example:
        >>> paired_bootstrap([1.0, 0.75], [0.5, 0.25]).interval
        Interval(low=0.5, high=0.5, level=0.95)
    """
    between_0_and_1(level, name="level")
    differences = differences_of(left, right, groups)
    return mean_difference(differences, method=method, level=level, resamples=resamples, seed=seed)


def mean_difference(
    differences: Differences,
    *,
    method: BootstrapMethod = "expanded",
    level: float = DEFAULT_LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> PairedDifference | None:
    """Return what `paired_bootstrap` returns, of differences that are computed already."""
    interval = _interval(
        differences.sums, differences.counts, method, level=level, resamples=resamples, seed=seed
    )
    values = differences.values
    return PairedDifference(float(values.mean()), interval, len(values)) if len(values) else None


def _interval(
    sums: Floats,
    counts: Floats,
    method: BootstrapMethod,
    *,
    level: float,
    resamples: int,
    seed: int,
) -> Interval | None:
    """Return the interval of the mean of values that are summed up by group."""
    if method not in ("bca", "expanded", "percentile"):
        raise InputError(f"method must be 'bca', 'expanded' or 'percentile', got {method!r}")
    if resamples < 1:
        raise InputError(f"resamples must be at least 1, got {resamples!r}")
    if len(sums) < 2:
        return None
    means = np.concatenate(list(drawn_means(sums, counts, resamples=resamples, seed=seed)))
    tails = np.array([(1 - level) / 2, (1 + level) / 2])
    if method != "percentile":
        tails = expanded_tails(tails, len(sums))
    if method == "bca":
        tails = corrected_tails(tails, means, sums, counts)
    # Means of equal values may leave their range by a last digit.
    least, greatest = (sums / counts).min(), (sums / counts).max()
    low, high = np.clip(np.quantile(means, tails), least, greatest)
    return Interval(low=float(low), high=float(high), level=level)


def drawn_means(sums: Floats, counts: Floats, *, resamples: int, seed: int) -> Iterator[Floats]:
    """Yield, in blocks, the means of samples drawn with replacement from the groups."""
    generator = np.random.default_rng(seed)
    size = len(sums)
    alone = bool((counts == 1).all())
    for start in range(0, resamples, step := max(1, CELLS // size)):
        draws = generator.integers(size, size=(min(step, resamples - start), size))
        totals = np.full(len(draws), float(size)) if alone else counts[draws].sum(axis=1)
        yield sums[draws].sum(axis=1) / totals


def expanded_tails(tails: Floats, size: int) -> Floats:
    """Return the tail probabilities Φ(√(n/(n-1)) · t): what a normal quantile lacks of Student's.

    Example:
        >>> expanded_tails(np.array([0.025, 0.975]), 10).round(3)
        array([0.009, 0.991])
    """
    from scipy import special

    student = special.stdtrit(size - 1, tails)
    return np.asarray(special.ndtr(math.sqrt(size / (size - 1)) * student), dtype=np.float64)


def corrected_tails(tails: Floats, means: Floats, sums: Floats, counts: Floats) -> Floats:
    """Return the tail probabilities corrected for bias (z) and acceleration (a).

    Φ(z + (z + q) / (1 - a (z + q))) with q the normal quantile of each tail, z that of the share
    of drawn means below the mean, and a from leaving out one group at a time.
    """
    from scipy import special

    mean = sums.sum() / counts.sum()
    # A drawn mean equal to the mean counts half, or many ties would pass for bias.
    slack = 1e-12 * max(1.0, float(np.abs(means).max()))
    below = np.mean(means < mean - slack) + np.mean(np.abs(means - mean) <= slack) / 2
    left_out = (sums.sum() - sums) / (counts.sum() - counts)
    gaps = left_out.mean() - left_out
    spread = float((gaps**2).sum()) ** 1.5
    if not 0 < below < 1 or not spread:
        return tails
    bias, acceleration = special.ndtri(below), float((gaps**3).sum()) / (6 * spread)
    moved = bias + np.clip(special.ndtri(tails), -FARTHEST, FARTHEST)
    # Far out in few values the correction passes its pole: the quantile is then the last one.
    room = 1 - acceleration * moved
    shift = np.where(room > 0, moved / np.where(room > 0, room, 1.0), np.sign(moved) * np.inf)
    return np.asarray(special.ndtr(bias + shift), dtype=np.float64)
