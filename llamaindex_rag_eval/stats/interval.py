"""Interval: the range that holds the true value, at a stated level of confidence."""

from dataclasses import dataclass

__all__ = ["DEFAULT_LEVEL", "Interval"]

DEFAULT_LEVEL = 0.95
"""The convention of the field: one interval in twenty misses."""


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
