"""Figures: where things stand in the small pictures of a report, in units of their drawing."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

__all__ = ["Bar", "Scale", "bars_of", "gap_bars", "score_scale", "signed_scale"]

WIDTH = 160.0
"""Of a picture, in its own units; the page scales it."""

HEIGHT = 28.0

MARGIN = 5.0
"""Room left and right for a dot that stands at an end."""

BINS = 10


@dataclass(frozen=True, slots=True)
class Scale:
    """A line from `low` to `high` over the width of a picture."""

    low: float
    high: float

    def x(self, value: float) -> float:
        """Return where a value stands; beyond the ends it stands at the end.

        Example:
            >>> Scale(0.0, 1.0).x(0.5)
            80.0
        """
        within = min(max(value, self.low), self.high)
        share = (within - self.low) / (self.high - self.low)
        return round(MARGIN + share * (WIDTH - 2 * MARGIN), 2)


@dataclass(frozen=True, slots=True)
class Bar:
    """One bar of a distribution: its left edge, its top, its size, and how many it stands for."""

    x: float
    y: float
    width: float
    height: float
    count: int


def score_scale(bounds: tuple[float, float], values: Sequence[float]) -> Scale:
    """Return the scale of a metric: its bounds, or what was measured where it has none.

    Example:
        >>> score_scale((0.0, math.inf), [2.0, 8.0])
        Scale(low=0.0, high=8.0)
    """
    low = bounds[0] if math.isfinite(bounds[0]) else min(values, default=0.0)
    high = bounds[1] if math.isfinite(bounds[1]) else max(values, default=1.0)
    return Scale(low, high) if high > low else Scale(low, low + 1.0)


def signed_scale(values: Sequence[float]) -> Scale:
    """Return a scale around 0 that holds all values.

    Example:
        >>> signed_scale([-0.25, 0.5])
        Scale(low=-0.5, high=0.5)
    """
    reach = max((abs(value) for value in values), default=0.0) or 1.0
    return Scale(-reach, reach)


def bars_of(values: Sequence[float], scale: Scale, bins: int = BINS) -> tuple[Bar, ...]:
    """Return the distribution of values in bars of equal width; none for no values.

    Example:
        >>> [bar.count for bar in bars_of([0.0, 0.05, 1.0], Scale(0.0, 1.0))]
        [2, 0, 0, 0, 0, 0, 0, 0, 0, 1]
    """
    if not values:
        return ()
    span = scale.high - scale.low
    places = [int((value - scale.low) / span * bins) for value in values]
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


def gap_bars(gaps: Sequence[float]) -> tuple[Scale, tuple[Bar, ...]]:
    """Return the distribution of differences on a scale around 0, 0 itself in the middle.

    Example:
        >>> scale, bars = gap_bars([-0.5, 0.0, 0.5, 0.5])
        >>> scale, [bar.count for bar in bars]
        (Scale(low=-0.5, high=0.5), [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2])
    """
    scale = signed_scale(gaps)
    return scale, bars_of(gaps, scale, bins=BINS + 1)
