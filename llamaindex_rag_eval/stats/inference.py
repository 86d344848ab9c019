"""Inference: what scores say about a mean; `paired` has what differences say about theirs.

Every interval and p-value of a summary, a comparison, a gate, a calibration and a plan comes from
here. Scores have bounds, take few values, and crowd at the upper bound: there Student's interval
covers far too rarely, down to no width at all when all scores are alike. So

- the mean of bounded scores has Wilson's score interval, with the variance that the scores show
  instead of that of yes and no: (m - μ)² ≤ t² · ρ · μ(1 - μ) / n, with ρ the variance of the
  scores over that of yes and no at the same mean;
- the mean of paired differences has the larger of two variances: Student's, and that of Tango's
  score test. Where differences vary, the test is the paired t-test; where they are yes or no,
  it is McNemar's in Tango's form, which has a width when no question differs.

Both are computed from clusters with the variance of Bell and McCaffrey (`Design`). Nothing is
drawn at random, and the order of values changes nothing. `tests/benchmarks/inference_errors.py`
prints how often the intervals cover and how often the test errs. scipy and statsmodels have
Wilson's and Tango's intervals for yes and no without clusters, and neither for scores in between.
Where many scores vary a little and rare ones collapse, no interval knows of a collapse that it has
not seen: with one in twenty, 17 of 100 samples of 35 questions have none, and the interval covers
in 84 of 100. To cover there, it had to be a third wider wherever scores vary little (`PRIOR`).

Sources: Wilson (1927); Student (1908); Tango (1998), "Equivalence test and confidence interval
for the difference in proportions for the paired-sample design".
"""

import math
from collections.abc import Hashable, Sequence
from dataclasses import replace

import numpy as np

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.clusters import Design, cluster_sums
from llamaindex_rag_eval.stats.interval import DEFAULT_LEVEL, Estimate, Interval
from llamaindex_rag_eval.stats.sample_values import Floats, Values, between_0_and_1, finite

UNBOUNDED = (-math.inf, math.inf)

PRIOR = 0.2
"""The weight, in questions, of the belief that scores lie at their bounds.

It is what is believed of the spread where nothing was seen of it. Of .05 to 1, in simulations the
least that covers in 9 of 10 samples wherever one question in twenty collapses (n = 20). With .7
that of 35 such questions would cover in 99 of 100, not 84; that of scores with a deviation of .1
would be a third wider (n = 35; n = 20: two fifths), and cover in 100 of 100.
"""

SAME = 1e-9
"""Differences below this share of the range are rounding."""


def mean_estimate(
    values: Values,
    *,
    clusters: Sequence[Hashable] | None = None,
    bounds: tuple[float, float] = UNBOUNDED,
    level: float = DEFAULT_LEVEL,
) -> Estimate:
    """Return the mean with its interval.

    Args:
        values: One number a question; leave undefined ones out.
        clusters: The cluster of each value; None makes each a cluster of its own.
        bounds: The least and the greatest value there can be.
        level: Confidence, in (0, 1).

    Returns:
        The mean, with an interval within the bounds; it has a width when all values are alike.
        It is not defined without values.

    Raises:
        InputError: A value is not finite, `clusters` does not fit, `level` is out of range.

    Example:
        >>> found = mean_estimate([1.0] * 20, bounds=(0, 1))  # as Wilson's
        >>> round(found.low, 3), found.high
        (0.839, 1.0)
    """
    between_0_and_1(level, name="level")
    array = finite(values)
    if not len(array):
        return Estimate(None, level=level)
    sums, counts = cluster_sums(array, clusters)
    value = math.fsum(array) / len(array)
    low, high = min(bounds[0], array.min()), max(bounds[1], array.max())
    ends = mean_ends(sums, counts, bounds=(float(low), float(high)), level=level)
    effective_n = _effective(array, sums, counts)
    estimate = Estimate(value, None, None, len(array), len(sums), effective_n, level=level)
    if np.isnan(ends).any():
        return estimate
    # Rounding may put the mean of equal values outside.
    return replace(estimate, low=min(float(ends[0]), value), high=max(float(ends[1]), value))


def mean_ends(
    sums: Floats, counts: Floats, *, bounds: tuple[float, float], level: float = DEFAULT_LEVEL
) -> Floats:
    """Return both ends of the interval of a mean, shape (2, …); NaN where there is none.

    Args:
        sums: The sum of each cluster, along the last axis; axes before it are other samples.
        counts: The number of values of each cluster.
        bounds: The least and the greatest value.
        level: Confidence.
    """
    design = Design.of(np.broadcast_to(counts, sums.shape))
    return ends_of(
        sums.sum(axis=-1) / design.n,
        design.variance(sums, counts),
        size=design.size,
        freedom=design.freedom,
        bounds=bounds,
        prior=PRIOR * design.size / design.n,
        level=level,
    )


def interval_of(
    mean: float,
    variance: float,
    *,
    size: float,
    freedom: float,
    bounds: tuple[float, float] = (0.0, 1.0),
    prior: float = PRIOR,
    level: float = DEFAULT_LEVEL,
) -> Interval | None:
    """Return the interval of one mean, or None if there is none; see `ends_of`."""
    ends = ends_of(
        mean, variance, size=size, freedom=freedom, bounds=bounds, prior=prior, level=level
    )
    low, high = map(float, ends)
    return None if math.isnan(low) else Interval(low, high, level)


def ends_of(
    mean: Floats | float,
    variance: Floats | float,
    *,
    size: Floats | float,
    freedom: Floats | float,
    bounds: tuple[float, float] = (0.0, 1.0),
    prior: Floats | float = PRIOR,
    level: float = DEFAULT_LEVEL,
) -> Floats:
    """Return both ends of the interval of a mean, shape (2, …), which hold it; NaN for none.

    Args:
        mean: The mean.
        variance: Of the mean; of bounded values at most that of `size` answers of yes and no.
        size: As many independent values there are.
        freedom: Degrees of freedom of the variance.
        bounds: The least and the greatest value.
        prior: The weight of the belief that values lie at the bounds, in values.
        level: Confidence.
    """
    from scipy import special

    low, width, upper = bounds[0], bounds[1] - bounds[0], (1 + level) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        if not math.isfinite(width):
            reach = special.stdtrit(freedom, upper) * np.sqrt(variance)
            ends = np.clip(np.stack([mean - reach, mean + reach]), *bounds)
            return np.asarray(np.where((freedom > 0) & (variance > 0), ends, np.nan))
        share = (mean - low) / width
        spread = share * (1 - share)
        ratio = np.minimum(1.0, (variance / width**2 * size**2 + prior) / (size * spread + prior))
        # Of yes and no the mean gives the variance: nothing about it is estimated.
        quantile = special.stdtrit(freedom / (1 - ratio), upper)
        step = quantile**2 * ratio / size
        centre = (share + step / 2) / (1 + step)
        reach = np.sqrt(step * np.maximum(spread, 0.0) + step**2 / 4) / (1 + step)
        ends = low + width * np.clip(np.stack([centre - reach, centre + reach]), 0.0, 1.0)
        # Rounding may put the mean of equal values outside.
        ends = np.stack([np.minimum(ends[0], mean), np.maximum(ends[1], mean)])
        return np.asarray(np.where(freedom > 0, ends, np.nan))


def tail_of(
    mean: float,
    variance: float,
    null: Floats | float,
    *,
    size: float,
    freedom: float,
    bounds: tuple[float, float],
    prior: float = PRIOR,
) -> Floats:
    """Return the chance of a mean at least as far from `null` on its side, in [0, 1/2].

    What `ends_of` leaves out of an interval has less than the half of what the interval leaves out.

    Args:
        mean: The mean.
        variance: Of the mean.
        null: What the true mean may be.
        size: As many independent values there are.
        freedom: Degrees of freedom of the variance.
        bounds: The least and the greatest value; finite.
        prior: The weight of the belief that values lie at the bounds, in values.

    Example:
        >>> ends = ends_of(0.6, 0.01, size=30.0, freedom=29.0)
        >>> [round(float(tail_of(0.6, 0.01, e, size=30, freedom=29, bounds=(0, 1))), 3)
        ...  for e in ends]
        [0.025, 0.025]
    """
    from scipy import special

    width = bounds[1] - bounds[0]
    share, null = (mean - bounds[0]) / width, (np.asarray(null) - bounds[0]) / width
    ratio = min(1.0, (variance / width**2 * size**2 + prior) / (size * share * (1 - share) + prior))
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = ratio * np.maximum(null * (1 - null), 0.0) / size
        t = np.where(null == share, 0.0, np.abs(share - null) / np.sqrt(spread))
        return np.asarray(special.stdtr(np.divide(freedom, 1 - ratio), -t))


def wilson(successes: int, n: int, *, level: float = DEFAULT_LEVEL) -> Interval | None:
    """Return Wilson's score interval of the rate `successes / n`.

    (p + z²/2n ± z √(p(1-p)/n + z²/4n²)) / (1 + z²/n). Unlike a bootstrap it has a width when all
    answers are yes. Source: Wilson (1927); Brown, Cai and DasGupta (2001), "Interval Estimation
    for a Binomial Proportion".

    Args:
        successes: How many yes.
        n: How many in all, independent of one another.
        level: Confidence, in (0, 1).

    Returns:
        An interval within [0, 1]; None if `n` is 0.

    Raises:
        InputError: The counts are impossible, or `level` is out of range.

    Example:
        >>> interval = wilson(10, 10)
        >>> round(interval.low, 3), interval.high
        (0.722, 1.0)
    """
    between_0_and_1(level, name="level")
    if not 0 <= successes <= n:
        raise InputError(f"successes must lie in 0..n, got {successes!r} of {n!r}")
    if not n:
        return None
    return interval_of(successes / n, math.inf, size=float(n), freedom=float(n), level=level)


def _effective(values: Floats, sums: Floats, counts: Floats) -> float | None:
    """Return the number of independent values with the same variance of the mean."""
    design = Design.of(counts)
    if not design.freedom > 0:
        return None
    variance = float(design.variance(sums, counts))
    if variance <= SAME**2:
        return float(design.size)
    # The variance about the mean is smaller than that of the values by that of the mean.
    return min(float(len(values)), float(np.sort(values).var()) / variance + 1)
