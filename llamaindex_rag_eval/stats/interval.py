"""Estimates: a number with its confidence interval; and the interval of a rate (Wilson)."""

import math
from dataclasses import dataclass

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.sample_values import between_0_and_1

DEFAULT_LEVEL = 0.95
"""The convention of the field: one interval in twenty does not hold the true value."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A confidence interval; its ends have the unit of what it is about.

    Attributes:
        low: Lower end.
        high: Upper end, at least `low`.
        level: Share of such intervals, in (0, 1), that hold the true value.

    Example:
        >>> Interval(low=0.25, high=0.75, level=0.95).width
        0.5
        >>> 0.5 in Interval(low=0.25, high=0.75, level=0.95)
        True
    """

    low: float
    high: float
    level: float

    @property
    def width(self) -> float:
        """Return `high - low`."""
        return self.high - self.low

    def __contains__(self, value: float) -> bool:
        """Return whether the value lies within, ends included."""
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Estimate:
    """A number, and how certain it is: what summaries, contrasts, sweeps and reports read.

    Attributes:
        value: The number; None if it is not defined, as a mean without values.
        low: Lower end of its confidence interval; None below two clusters, or where unbounded
            values are all alike, which says nothing about their spread.
        high: Its upper end.
        n: How many values it is over; 0 where they were not counted.
        clusters: In how many clusters they are; 0 where they were not counted.
        effective_n: As many independent values would be as certain, at most `n`; None below two
            clusters.
        p: Of the hypothesis that the true number is 0, in [0, 1]; None where it was not tested.
        level: Share of such intervals, in (0, 1), that hold the true number.
    """

    value: float | None
    low: float | None = None
    high: float | None = None
    n: int = 0
    clusters: int = 0
    effective_n: float | None = None
    p: float | None = None
    level: float = DEFAULT_LEVEL

    @classmethod
    def of(cls, value: float | None, interval: Interval | None) -> "Estimate":
        """Return a number with its interval; one that is not defined has none."""
        if value is None or interval is None:
            return cls(value)
        return cls(value, interval.low, interval.high, level=interval.level)

    @property
    def interval(self) -> Interval | None:
        """The confidence interval; None if there is none."""
        if self.low is None or self.high is None:
            return None
        return Interval(self.low, self.high, self.level)

    @property
    def ends(self) -> tuple[float, ...]:
        """Both ends of the interval, or the number twice; nothing if it is not defined."""
        if self.value is None:
            return ()
        if self.low is None or self.high is None:
            return (self.value, self.value)
        return (self.low, self.high)

    def as_json(self) -> dict[str, float | None]:
        """Return the number and the ends of its interval as plain data."""
        return {"value": self.value, "low": self.low, "high": self.high}


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
    from scipy import special

    between_0_and_1(level, name="level")
    if not 0 <= successes <= n:
        raise InputError(f"successes must lie in 0..n, got {successes!r} of {n!r}")
    if not n:
        return None
    z = float(special.ndtri((1 + level) / 2))
    rate, shrink = successes / n, 1 + z * z / n
    center = (rate + z * z / (2 * n)) / shrink
    reach = z * math.sqrt(rate * (1 - rate) / n + z * z / (4 * n * n)) / shrink
    # At the ends the formula gives 0 and 1 exactly; in floating point it may miss by a little.
    low = 0.0 if successes == 0 else max(0.0, center - reach)
    high = 1.0 if successes == n else min(1.0, center + reach)
    return Interval(low=low, high=high, level=level)
