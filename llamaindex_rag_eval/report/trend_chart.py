"""Trend charts: where the points of a value over runs stand, in units of an SVG view box."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

WIDTH = 360.0
"""Width of a chart, in units of its view box."""

HEIGHT = 170.0
"""Height of a chart, in the same units."""

LEFT, RIGHT, TOP, BOTTOM = 47.0, 13.0, 10.0, 22.0
"""Space for the labels of the axes and for points at the ends, in the same units."""

STEPS = 5
"""Steps between the numbers at the side, at most."""


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """A value of one run.

    Attributes:
        place: The place of the run among all, from 0.
        value: The value.
        low: Lower end of its interval; `None` without one.
        high: Upper end.
        series: To which line it belongs, from 0.
        link: Where it leads.
        words: What it says, for those who do not see it.
    """

    place: int
    value: float
    low: float | None
    high: float | None
    series: int
    link: str
    words: str


@dataclass(frozen=True, slots=True)
class TrendChart:
    """A chart, laid out.

    Attributes:
        dots: Each point with its horizontal place, its vertical place, and the top and bottom of
            its interval.
        lines: The points of each line as SVG writes them, by series.
        ticks: The vertical place and the text of each number at the side.
        radius: Of a dot: smaller where there are many.
    """

    dots: tuple[tuple[ChartPoint, float, float, float, float], ...]
    lines: tuple[tuple[int, str], ...]
    ticks: tuple[tuple[float, str], ...]
    radius: float


def trend_chart(
    points: Sequence[ChartPoint], count: int, *, within: tuple[float, ...] = ()
) -> TrendChart:
    """Return the chart of values over `count` runs; its axis also holds the values `within`.

    Example:
        >>> points = [ChartPoint(0, 0.25, None, None, 0, "", ""), ChartPoint(1, 0.75, 0.5, 1.0, 0, "", "")]
        >>> chart = trend_chart(points, 2)
        >>> [text for _, text in chart.ticks], chart.lines
        (['0.2', '0.4', '0.6', '0.8', '1'], ((0, '47.0,139.4 347.0,53.1'),))
    """  # noqa: E501 - one point a line would be longer
    low, high, step = _scale(
        [v for p in points for v in (p.value, p.low, p.high) if v is not None] + [*within]
    )

    def x(place: int) -> float:
        share = 0.5 if count < 2 else place / (count - 1)
        return round(LEFT + share * (WIDTH - LEFT - RIGHT), 1)

    def y(value: float) -> float:
        share = (value - low) / (high - low)
        return round(HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM), 1)

    dots = tuple(
        (
            point,
            x(point.place),
            y(point.value),
            y(point.value if point.high is None else point.high),
            y(point.value if point.low is None else point.low),
        )
        for point in points
    )
    lines = tuple(
        (series, " ".join(f"{left},{top}" for one, left, top, *_ in dots if one.series == series))
        for series in sorted({point.series for point in points})
    )
    levels = [low + step * number for number in range(round((high - low) / step) + 1)]
    ticks = tuple((y(level), f"{round(level, 10):g}") for level in levels)
    return TrendChart(dots, lines, ticks, radius=4.0 if count <= 40 else 2.2)


def _scale(values: Sequence[float]) -> tuple[float, float, float]:
    """Return the ends of the axis and the step between its numbers, all of them round.

    Example:
        >>> _scale([0.61, 0.83]), _scale([1.0])
        ((0.6, 0.85, 0.05), (0.0, 1.0, 0.2))
    """
    low, high = min(values, default=0.0), max(values, default=1.0)
    if low == high:
        low, high = sorted((0.0, high or 1.0))
    power = 10.0 ** math.floor(math.log10((high - low) / STEPS))
    step = next(power * times for times in (1, 2, 5, 10) if power * times * STEPS >= high - low)
    bottom, top = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return round(bottom * step, 12), round(top * step, 12), step
