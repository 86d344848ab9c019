"""Figures: coordinates of the small SVG figures of a report, in units of their view box."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 160.0
"""Width of a figure; the page scales its view box to the column."""

HEIGHT = 28.0
"""Height of a figure, in the same units."""

MARGIN = 5.0
"""Space left and right for a dot at an end of the axis, in the same units."""

BINS = 10
"""Bars of a histogram; with more, the few scores of a small run leave most of them empty."""


@dataclass(frozen=True, slots=True)
class Axis:
    """A horizontal axis from `low` to `high` over the width of a figure."""

    low: float
    high: float

    def x(self, value: float) -> float:
        """Return the horizontal place of a value; one beyond an end is at the end.

        Example:
            >>> Axis(0.0, 1.0).x(0.5)
            80.0
        """
        within = min(max(value, self.low), self.high)
        share = (within - self.low) / (self.high - self.low)
        return round(MARGIN + share * (WIDTH - 2 * MARGIN), 2)


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a histogram: its left edge, its top, its size, and how many values it counts."""

    x: float
    y: float
    width: float
    height: float
    count: int


def score_axis(bounds: tuple[float, float], values: Sequence[float]) -> Axis:
    """Return the axis of a metric: its bounds, or the range of the values where it has none.

    Example:
        >>> score_axis((0.0, math.inf), [2.0, 8.0])
        Axis(low=0.0, high=8.0)
    """
    low = bounds[0] if math.isfinite(bounds[0]) else min(values, default=0.0)
    high = bounds[1] if math.isfinite(bounds[1]) else max(values, default=1.0)
    return Axis(low, high) if high > low else Axis(low, low + 1.0)


def signed_axis(values: Sequence[float]) -> Axis:
    """Return an axis with 0 in the middle that holds all values.

    Example:
        >>> signed_axis([-0.25, 0.5])
        Axis(low=-0.5, high=0.5)
    """
    reach = max((abs(value) for value in values), default=0.0) or 1.0
    return Axis(-reach, reach)


def histogram(values: Sequence[float], axis: Axis, bins: int = BINS) -> tuple[Bar, ...]:
    """Return the histogram of values, in bars of equal width; none for no values.

    Example:
        >>> [bar.count for bar in histogram([0.0, 0.05, 1.0], Axis(0.0, 1.0))]
        [2, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    """
    if not values:
        return ()
    span = axis.high - axis.low
    places = [int((value - axis.low) / span * bins) for value in values]
    counts = [0] * bins
    for place in places:
        counts[min(max(place, 0), bins - 1)] += 1
    tallest, width = max(counts), (WIDTH - 2 * MARGIN) / bins
    bars = []
    for number, count in enumerate(counts):
        height = round((HEIGHT - 4) * count / tallest, 2)
        left = round(MARGIN + number * width + 0.5, 2)
        bars.append(Bar(left, round(HEIGHT - 2 - height, 2), round(width - 1, 2), height, count))
    return tuple(bars)


def difference_histogram(gaps: Sequence[float]) -> tuple[Axis, tuple[Bar, ...]]:
    """Return the histogram of differences with its axis, a bar for 0 in the middle.

    Example:
        >>> axis, bars = difference_histogram([-0.5, 0.0, 0.5, 0.5])
        >>> axis, [bar.count for bar in bars]
        (Axis(low=-0.5, high=0.5), [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2])
    """
    axis = signed_axis(gaps)
    return axis, histogram(gaps, axis, bins=BINS + 1)
