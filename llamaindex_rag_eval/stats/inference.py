"""Inference: what scores say about a mean, and paired differences about a mean difference.

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
from dataclasses import dataclass

import numpy as np

from llamaindex_rag_eval.stats.clusters import Design, cluster_sums
from llamaindex_rag_eval.stats.interval import DEFAULT_LEVEL, Interval
from llamaindex_rag_eval.stats.sample_values import Floats, Values, between_0_and_1, finite

__all__ = [
    "MeanEstimate",
    "PairedTest",
    "mean_ends",
    "mean_estimate",
    "paired_test",
    "share_ends",
]

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

HALVINGS = 36
"""Steps of the bisection for the ends of an interval: to 2**-36 of the range."""


@dataclass(frozen=True, slots=True)
class MeanEstimate:
    """A mean, and how certain it is.

    Attributes:
        value: The mean.
        interval: Its confidence interval; None below two clusters, or where unbounded values are
            all alike, which says nothing about their spread.
        n: How many values.
        clusters: In how many clusters.
        effective_n: As many independent values would have the same variance of the mean, at most
            `n`; None below two clusters.
    """

    value: float
    interval: Interval | None
    n: int
    clusters: int
    effective_n: float | None


def mean_estimate(
    values: Values,
    *,
    clusters: Sequence[Hashable] | None = None,
    bounds: tuple[float, float] = UNBOUNDED,
    level: float = DEFAULT_LEVEL,
) -> MeanEstimate | None:
    """Return the mean with its interval.

    Args:
        values: One number a question; leave undefined ones out.
        clusters: The cluster of each value; None makes each a cluster of its own.
        bounds: The least and the greatest value there can be.
        level: Confidence, in (0, 1).

    Returns:
        The mean, with an interval within the bounds; it has a width when all values are alike.
        None without values.

    Raises:
        InputError: A value is not finite, `clusters` does not fit, `level` is out of range.

    Example:
        >>> found = mean_estimate([1.0] * 20, bounds=(0, 1))  # as Wilson's
        >>> round(found.interval.low, 3), found.interval.high
        (0.839, 1.0)
    """
    between_0_and_1(level, name="level")
    array = finite(values)
    if not len(array):
        return None
    sums, counts = cluster_sums(array, clusters)
    value = math.fsum(array) / len(array)
    low, high = min(bounds[0], array.min()), max(bounds[1], array.max())
    ends = mean_ends(sums, counts, bounds=(float(low), float(high)), level=level)
    interval = None
    if not np.isnan(ends).any():  # rounding may put the mean of equal values outside
        interval = Interval(min(float(ends[0]), value), max(float(ends[1]), value), level)
    return MeanEstimate(value, interval, len(array), len(sums), _effective(array, sums, counts))


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
    from scipy import special

    design = Design.of(np.broadcast_to(counts, sums.shape))
    mean, variance = sums.sum(axis=-1) / design.n, design.variance(sums, counts)
    enough, low, width = design.freedom > 0, bounds[0], bounds[1] - bounds[0]
    upper = (1 + level) / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        if not math.isfinite(width):
            reach = special.stdtrit(design.freedom, upper) * np.sqrt(variance)
            ends = np.clip(np.stack([mean - reach, mean + reach]), *bounds)
            return np.asarray(np.where(enough & (variance > 0), ends, np.nan))
        ends = share_ends(
            (mean - low) / width,
            variance / width**2,
            size=design.size,
            freedom=design.freedom,
            prior=PRIOR * design.size / design.n,
            level=level,
        )
        return np.asarray(np.where(enough, low + width * ends, np.nan))


def share_ends(
    mean: Floats,
    variance: Floats,
    *,
    size: Floats,
    freedom: Floats,
    prior: Floats | float = PRIOR,
    level: float = DEFAULT_LEVEL,
) -> Floats:
    """Return both ends of the interval of a mean of values in [0, 1], shape (2, …).

    Args:
        mean: The mean.
        variance: Of the mean; at most that of `size` answers of yes and no.
        size: As many independent values there are.
        freedom: Degrees of freedom of the variance.
        prior: The weight of the belief that values lie at the bounds, in values.
        level: Confidence.
    """
    from scipy import special

    with np.errstate(divide="ignore", invalid="ignore"):
        spread = mean * (1 - mean)
        ratio = np.minimum(1.0, (variance * size**2 + prior) / (size * spread + prior))
        # Of yes and no the mean gives the variance: nothing about it is estimated.
        quantile = special.stdtrit(freedom / (1 - ratio), (1 + level) / 2)
        step = quantile**2 * ratio / size
        centre = (mean + step / 2) / (1 + step)
        reach = np.sqrt(step * np.maximum(spread, 0.0) + step**2 / 4) / (1 + step)
        return np.asarray(np.clip(np.stack([centre - reach, centre + reach]), 0.0, 1.0))


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


def paired_test(
    differences: Values,
    *,
    clusters: Sequence[Hashable] | None = None,
    width: float = math.inf,
) -> "PairedTest":
    """Return the test of the mean of paired differences.

    Args:
        differences: One a question; leave those without both scores out.
        clusters: The cluster of each; None makes each a cluster of its own.
        width: The greatest score less the least; infinite for scores without bounds.

    Raises:
        InputError: A difference is not finite, or `clusters` does not fit.

    Example:
        >>> test = paired_test([1 / 3, 0, 1 / 3, 0, 1 / 3, 1 / 3, 1 / 3, 1 / 3], width=1)
        >>> round(float(test.p_value()), 3)  # six questions of six rise: 2 / 2**6
        0.031
        >>> [round(float(end), 3) for end in test.ends()]
        [0.052, 0.379]
    """
    array = finite(differences, name="differences")
    width = max(width, float(np.abs(array).max(initial=0.0)))
    changed = np.asarray(np.abs(array) > SAME * (width if math.isfinite(width) else 1.0))
    sums, counts = cluster_sums(np.where(changed, array, 0.0), clusters)
    return PairedTest(sums, counts, np.asarray(float(changed.sum())), width)


class PairedTest:
    """The test of a mean difference, whose p-value and interval never disagree.

    It holds one sample, or many at once along the axes before the last: simulations use the very
    test that a comparison uses.

    Attributes:
        difference: The mean difference.
        design: What the sizes of the clusters say.
        changed: Questions whose scores differ.
    """

    def __init__(self, sums: Floats, counts: Floats, changed: Floats, width: float) -> None:
        """Take the sum and the count of each cluster, along the last axis."""
        self.width = width if math.isfinite(width) else 1.0
        self.bounded, self.changed = math.isfinite(width), changed
        sums = sums / self.width
        self.design = Design.of(np.broadcast_to(counts, sums.shape))
        n, size = self.design.n, self.design.size
        self._mean = np.asarray(sums.sum(axis=-1) / n)
        self.difference = self._mean * self.width
        variance = self.design.variance(sums, counts)
        self._variance = np.where(variance > SAME**2, variance, 0.0)
        rise, fall = (np.maximum(side, 0.0).sum(axis=-1) / n for side in (sums, -sums))
        squares = size * (sums**2).sum(axis=-1) / n**2
        # The size of a change: of a question that rises by it, or falls, or keeps its score.
        prior = PRIOR * size / n
        self._lump = np.minimum(1.0, (size * squares + prior) / (size * (rise + fall) + prior))
        self._rise, self._fall = rise / self._lump, fall / self._lump

    def p_value(self, null: float = 0.0) -> Floats:
        """Return the two-sided p-value of the hypothesis that the mean difference is `null`."""
        from scipy import special

        tail = 2 * special.stdtr(self.design.freedom, -np.sqrt(self._t_squared(null / self.width)))
        return np.asarray(np.fmin(1.0, np.fmax(tail, self._least_p(null))))

    def p_above(self, null: float) -> Floats:
        """Return the one-sided p-value of the hypothesis that it is `null` or less."""
        half = self.p_value(null) / 2
        return np.asarray(np.where(self.difference > null, half, 1 - half))

    def ends(self, level: float = DEFAULT_LEVEL) -> Floats:
        """Return both ends of the interval, shape (2, …): what the test does not reject.

        NaN below two clusters, or where unbounded differences are all alike.
        """
        from scipy import special

        with np.errstate(invalid="ignore"):
            limit = special.stdtrit(self.design.freedom, (1 + level) / 2) ** 2
        if self.bounded:
            ends = self._farthest(limit)
        else:
            reach = np.sqrt(limit * self._variance)
            ends = np.stack([self._mean - reach, self._mean + reach])
            ends = np.where(self._variance > 0, ends, np.nan)
        open_ = self._least_p(0.0) > 1 - level
        ends[0] = np.where(open_, np.minimum(ends[0], 0.0), ends[0])
        ends[1] = np.where(open_, np.maximum(ends[1], 0.0), ends[1])
        return np.asarray(np.where(self.design.freedom > 0, ends * self.width, np.nan))

    def interval(self, level: float = DEFAULT_LEVEL) -> Interval | None:
        """Return the interval of a single sample, or None if there is none."""
        low, high = map(float, self.ends(level))
        return None if math.isnan(low) else Interval(low, high, level)

    def variance_at(self, difference: Floats | float) -> Floats:
        """Return the variance of the mean if the true difference were this, in its unit squared.

        What the questions vary by now, and what it adds if the difference comes from changes as
        large as those that were seen.
        """
        gap = np.abs(np.asarray(difference)) / self.width
        if not self.bounded:
            return np.asarray(self._variance)
        squares = self._lump * (self._lump * (self._rise + self._fall) + gap) - gap**2
        found = np.maximum(squares / self.design.size, self._variance)
        return np.asarray(found * self.width**2)

    @property
    def lump(self) -> Floats:
        """The size of a change, in the unit of the scores."""
        return np.asarray(self._lump * self.width)

    def _least_p(self, null: float) -> Floats:
        """Return the p-value of the sign test if all that changed went one way: 2 / 2**changed.

        Few questions that happen to change alike have no variance; Student's t believes them.
        """
        if null:
            return np.zeros_like(self.changed)
        return np.asarray(np.minimum(1.0, 2.0 * 0.5**self.changed))

    def _farthest(self, limit: Floats) -> Floats:
        """Return the farthest difference on each side that is not rejected, by bisection."""
        near = np.stack([self._mean, self._mean])
        far = np.stack([np.full_like(self._mean, -1.0), np.ones_like(self._mean)])
        within, end = self._t_squared(far) <= limit, far
        for _ in range(HALVINGS):
            middle = (near + end) / 2
            inside = self._t_squared(middle) <= limit
            near, end = np.where(inside, middle, near), np.where(inside, end, middle)
        return np.asarray(np.where(within, far, near))

    def _t_squared(self, null: Floats | float) -> Floats:
        """Return the square of t: the smaller of Student's and of Tango's on Student's scale."""
        gap, size = (self._mean - null) ** 2, self.design.size
        none = np.where(gap > 0, np.inf, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            student = np.where(self._variance > 0, gap / self._variance, none)
            if not self.bounded:
                return np.asarray(student)
            spread = self._lump**2 * _tango(null / self._lump, self._rise, self._fall)
            score = np.where(spread > 0, size * gap / spread, none)
            # T = N t² / (N - 1 + t²): a score test divides by the spread about the null.
            tango = np.where(score < size, score * (size - 1) / (size - score), np.inf)
        return np.asarray(np.minimum(student, tango))


def _tango(null: Floats, rise: Floats, fall: Floats) -> Floats:
    """Return the variance of a difference, -1, 0 or 1, if its mean is `null`.

    The likeliest shares of 1 and -1 with that mean: Tango (1998), section 3.

    Args:
        null: The mean.
        rise: Share of 1.
        fall: Share of -1.
    """
    turned = null < 0
    mean = np.minimum(np.abs(null), 1.0)
    rise, fall = np.where(turned, fall, rise), np.where(turned, rise, fall)
    half = ((2 - rise + fall) * mean - rise - fall) / 4
    root = np.sqrt(half**2 + fall * mean * (1 - mean) / 2)
    return np.asarray(2 * np.maximum(root - half, 0.0) + mean * (1 - mean))
