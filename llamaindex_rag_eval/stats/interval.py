"""Estimates: a number with its confidence interval, and both as text."""

import math
from collections.abc import Callable
from dataclasses import dataclass

DEFAULT_LEVEL = 0.95
"""The convention of the field: one interval in twenty does not hold the true value."""


LEAST_SHOWN = 1e-9
"""An end nearer to 0 is written as lying above or below it."""


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

    def text(self, form: str | Callable[[float], str] = ".3f") -> str:
        """Return the number with its interval; "–" if it is not defined.

        Args:
            form: How a number is written: a format, or a function.

        Example:
            >>> Estimate(0.9, 0.784, 0.958).text(), Estimate(0.5).text(signed)
            ('0.900 (0.784 to 0.958)', '+0.500 (no interval)')
            >>> Estimate(0.3, 5e-324, 0.6).text(signed)
            '+0.300 (> 0 to +0.600)'
        """

        def write(number: float) -> str:
            return f"{number:{form}}" if isinstance(form, str) else form(number)

        if self.value is None:
            return "–"
        if self.low is None or self.high is None:
            return f"{write(self.value)} (no interval)"
        return f"{write(self.value)} ({write(self.low)} to {write(self.high)})"

    def as_json(self) -> dict[str, float | None]:
        """Return the number and the ends of its interval as plain data."""
        return {"value": self.value, "low": self.low, "high": self.high}


def signed(value: float | None) -> str:
    """Return a difference with its sign, a true minus; of a tiny one the first digit that counts.

    Example:
        >>> signed(0.0714), signed(-0.25), signed(-0.0001), signed(1e-9), signed(0.0)
        ('+0.071', '−0.250', '−0.0001', '+0.000', '±0.000')
    """
    if not value:
        return "–" if value is None else "±0.000"
    if abs(value) < LEAST_SHOWN:
        return "> 0" if value > 0 else "< 0"
    size = round(abs(value), 6)
    digits = 3 if size >= 0.0005 or not size else -math.floor(math.log10(size))
    return f"{value:+.{digits}f}".replace("-", "−")
