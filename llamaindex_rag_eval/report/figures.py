"""Figures: the values that SVG figures show, with their scales; `figures.html.j2` draws them."""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.runs.resources import ResourceSummary
from llamaindex_rag_eval.runs.summary import MetricSummary
from llamaindex_rag_eval.stats.interval import Estimate

BINS = 10
"""Bars of a histogram; with more, the few scores of a small run leave most of them empty."""

STEPS = 5
"""Steps between the numbers at the side of a chart, at most."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Values from `low` to `high`, drawn from `start` to `end` in the units of a view box."""

    low: float
    high: float
    start: float = 5.0
    end: float = 155.0

    def __call__(self, value: float) -> float:
        """Return where a value is drawn; one beyond an end is at the end.

        Example:
            >>> Scale(0.0, 1.0)(0.5), Scale(0.0, 1.0)(7.0)
            (80.0, 155.0)
        """
        share = (min(max(value, self.low), self.high) - self.low) / (self.high - self.low)
        return round(self.start + share * (self.end - self.start), 2)

    def over(self, start: float, end: float) -> "Scale":
        """Return the scale of the same values over another part of a figure."""
        return Scale(self.low, self.high, start, end)


def scale_of(values: Iterable[float], bounds: tuple[float, float] = (-math.inf, math.inf)) -> Scale:
    """Return a scale over the bounds, or over the range of the values where there are none.

    Example:
        >>> scale = scale_of([2.0, 8.0], (0.0, math.inf))
        >>> scale.low, scale.high
        (0.0, 8.0)
    """
    values = list(values)
    low = bounds[0] if math.isfinite(bounds[0]) else min(values, default=0.0)
    high = bounds[1] if math.isfinite(bounds[1]) else max(values, default=1.0)
    return Scale(low, high if high > low else low + 1.0)


def signed_scale(values: Iterable[float]) -> Scale:
    """Return a scale with 0 in the middle that holds all values."""
    reach = max(map(abs, values), default=0.0) or 1.0
    return Scale(-reach, reach)


def round_scale(values: Sequence[float]) -> tuple[Scale, tuple[float, ...]]:
    """Return a scale whose ends are round, and the round numbers from one end to the other.

    Example:
        >>> round_scale([0.61, 0.83])[1]
        (0.6, 0.65, 0.7, 0.75, 0.8, 0.85)
    """
    low, high = min(values, default=0.0), max(values, default=1.0)
    if low == high:
        low, high = sorted((0.0, high or 1.0))
    power = 10.0 ** math.floor(math.log10((high - low) / STEPS))
    step = next(power * times for times in (1, 2, 5, 10) if power * times * STEPS >= high - low)
    bottom, top = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    ticks = tuple(round(number * step, 10) for number in range(bottom, top + 1))
    return Scale(ticks[0], ticks[-1]), ticks


def histogram(values: Sequence[float], scale: Scale, bins: int = BINS) -> tuple[int, ...]:
    """Return how many values are in each of the bins of equal width; nothing for no values.

    Example:
        >>> histogram([0.0, 0.05, 1.0], Scale(0.0, 1.0))
        (2, 0, 0, 0, 0, 0, 0, 0, 0, 1)
    """
    import numpy as np

    ends = scale.low, scale.high
    counts, _ = np.histogram(np.clip(values, *ends), bins, ends)
    return tuple(counts.tolist()) if len(values) else ()


def difference_histogram(gaps: Sequence[float]) -> tuple[Scale, tuple[int, ...]]:
    """Return the histogram of differences with its scale, a bar for 0 in the middle.

    Example:
        >>> difference_histogram([-0.5, 0.0, 0.5, 0.5])[1]
        (1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 2)
    """
    scale = signed_scale(gaps)
    return scale, histogram(gaps, scale, bins=BINS + 1)


def estimate_of(summary: MetricSummary | ResourceSummary) -> Estimate:
    """Return the mean of a summary with its interval."""
    return Estimate(summary.mean, summary.low, summary.high)


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """A value of one run.

    Attributes:
        position: That of the run among all, from 0.
        estimate: The value with its interval.
        series: To which line it belongs, from 0.
        link: Where it leads.
        words: What it says, for those who do not see it.
    """

    position: int
    estimate: Estimate
    series: int
    link: str
    words: str


@dataclass(frozen=True, slots=True)
class TrendChart:
    """Values over `count` runs, with their scales and the numbers at the side."""

    points: tuple[ChartPoint, ...]
    count: int
    x: Scale
    y: Scale
    ticks: tuple[float, ...]


def trend_chart(
    points: Sequence[ChartPoint], count: int, *, within: Sequence[float] = ()
) -> TrendChart:
    """Return the chart of values over `count` runs; its scale also holds the values `within`."""
    y, ticks = round_scale([*(end for point in points for end in point.estimate.ends), *within])
    # A single run stands in the middle.
    x = Scale(0, count - 1) if count > 1 else Scale(-1, 1)
    return TrendChart(tuple(points), count, x, y, ticks)
