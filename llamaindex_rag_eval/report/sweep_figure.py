"""Plots of scores against latency, tokens or cost; of a sweep with the Pareto front."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from llamaindex_rag_eval.sweeps.result import SweepResult

WIDTH = 420.0
"""Width of the plot, in units of its SVG view box."""

HEIGHT = 260.0
"""Height of the plot, in the same units."""

LEFT, RIGHT, TOP, BOTTOM = 46.0, 30.0, 14.0, 36.0
"""Space for the labels of the axes and for dots at the ends, in the same units."""

Price = Literal["latency", "tokens"]
"""What a setting costs beside its score: seconds, or tokens, of an answer."""


@dataclass(frozen=True, slots=True)
class PlotPoint:
    """One pipeline or setting, before it is drawn.

    Attributes:
        number: Its place in the table, from 1.
        name: Its name.
        state: How it is drawn: what became of a setting, or which pipeline it is.
        score: Its mean.
        scores: The interval of the score; `None` where there is none.
        price: Its seconds, tokens or dollars.
        prices: The interval of the price; `None` where there is none.
        on_front: Whether no other is as good and cheaper, or as cheap and better.
    """

    number: int
    name: str
    state: str
    score: float
    scores: tuple[float, float] | None
    price: float
    prices: tuple[float, float] | None = None
    on_front: bool = False


@dataclass(frozen=True, slots=True)
class PlotDot:
    """A point with its places in the plot.

    Attributes:
        point: What it stands for.
        x: Horizontal place.
        y: Vertical place, from the top.
        top: Where the bar of its score's interval begins.
        bottom: Where that ends.
        left: Where the bar of its price's interval begins.
        right: Where that ends.
    """

    point: PlotPoint
    x: float
    y: float
    top: float
    bottom: float
    left: float
    right: float


@dataclass(frozen=True, slots=True)
class PricePlot:
    """The plot of one price.

    Attributes:
        dots: A dot for each setting that has a score and a price.
        front: The line through the front, as SVG writes points.
        lowest: The score at the bottom.
        highest: The score at the top.
        most: The price at the right; at the left it is 0.
    """

    dots: tuple[PlotDot, ...]
    front: str
    lowest: float
    highest: float
    most: float


def price_plot(sweep: SweepResult, of: Price) -> PricePlot | None:
    """Return the plot of scores against a price; `None` where no setting has that price."""
    spec, front = sweep.metric.spec, set(sweep.front(of))
    points = [
        PlotPoint(
            number=number,
            name=one.name,
            state=one.state,
            score=mean.value,
            scores=None if mean.interval is None else (mean.interval.low, mean.interval.high),
            price=price,
            on_front=one.name in front,
        )
        for number, one in enumerate(sweep.settings, start=1)
        if (mean := one.means.get(spec)) is not None and (price := getattr(one, of)) is not None
    ]
    return plot_of(points)


def plot_of(points: Sequence[PlotPoint]) -> PricePlot | None:
    """Return the plot of points with their intervals; `None` without points."""
    if not points:
        return None
    scores = [end for one in points for end in (one.scores or (one.score, one.score))]
    lowest, highest = min(scores), max(scores)
    highest = highest if highest > lowest else lowest + 1.0
    most = max((one.prices or (0.0, one.price))[1] for one in points) or 1.0
    x, y = _scale(0.0, most, LEFT, WIDTH - RIGHT), _scale(lowest, highest, HEIGHT - BOTTOM, TOP)
    dots = []
    for one in points:
        low, high = one.scores or (one.score, one.score)
        left, right = one.prices or (one.price, one.price)
        ends = {"top": y(high), "bottom": y(low), "left": x(left), "right": x(right)}
        dots.append(PlotDot(one, x=x(one.price), y=y(one.score), **ends))
    return PricePlot(tuple(dots), _line(dots), lowest, highest, most)


def _scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    """Return the map of values to places, both ends to both ends."""
    return lambda value: round(start + (value - low) / (high - low) * (end - start), 2)


def _line(dots: Sequence[PlotDot]) -> str:
    front = sorted((dot.x, dot.y) for dot in dots if dot.point.on_front)
    return " ".join(f"{x:g},{y:g}" for x, y in front)
