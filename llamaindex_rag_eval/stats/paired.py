"""The paired test: what paired differences say about a mean difference; see `inference`.

Sources: Student (1908); Tango (1998), "Equivalence test and confidence interval for the difference
in proportions for the paired-sample design".
"""

import math
from collections.abc import Hashable, Sequence

import numpy as np

from llamaindex_rag_eval.stats.clusters import Design, cluster_sums
from llamaindex_rag_eval.stats.inference import PRIOR, SAME
from llamaindex_rag_eval.stats.interval import DEFAULT_LEVEL, Interval
from llamaindex_rag_eval.stats.sample_values import Floats, Values, finite

HALVINGS = 36
"""Steps of the bisection for the ends of an interval: to 2**-36 of the range."""


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
        variance = np.maximum(squares / self.design.size, self._variance)
        return np.asarray(variance * self.width**2)

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
