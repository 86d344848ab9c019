"""The plot of a sweep: score against latency, or against tokens, with the Pareto front."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from llamaindex_rag_eval.sweeps.result import SweepResult
from llamaindex_rag_eval.sweeps.setting_result import SettingState

__all__ = ["HEIGHT", "WIDTH", "PlotDot", "Price", "PricePlot", "price_plot"]

WIDTH = 420.0
"""Width of the plot, in units of its SVG view box."""

HEIGHT = 260.0
"""Height of the plot, in the same units."""

LEFT, RIGHT, TOP, BOTTOM = 46.0, 30.0, 14.0, 36.0
"""Space for the labels of the axes and for dots at the ends, in the same units."""

Price = Literal["latency", "tokens"]
"""What a setting costs beside its score: seconds, or tokens, of an answer."""


@dataclass(frozen=True, slots=True)
class PlotDot:
    """One setting in the plot.

    Attributes:
        number: Its place in the table, from 1.
        name: Its name.
        state: What became of it.
        on_front: Whether no other setting is as good and cheaper, or as cheap and better.
        score: Its mean.
        price: Its seconds or tokens.
        x: Horizontal place.
        y: Vertical place, from the top.
        top: Where the bar of its interval begins.
        bottom: Where that ends.
    """

    number: int
    name: str
    state: SettingState
    on_front: bool
    score: float
    price: float
    x: float
    y: float
    top: float
    bottom: float


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
    known = [
        (number, one, one.means[spec], price)
        for number, one in enumerate(sweep.settings, start=1)
        if spec in one.means and (price := getattr(one, of)) is not None
    ]
    if not known:
        return None
    ends = [
        end
        for _, _, mean, _ in known
        for end in (
            [mean.value] if mean.interval is None else [mean.interval.low, mean.interval.high]
        )
    ]
    lowest, highest = min(ends), max(ends)
    highest = highest if highest > lowest else lowest + 1.0
    most = max(price for *_, price in known) or 1.0
    x, y = _scale(0.0, most, LEFT, WIDTH - RIGHT), _scale(lowest, highest, HEIGHT - BOTTOM, TOP)
    dots = []
    for number, one, mean, price in known:
        low, high = (
            (mean.value, mean.value)
            if mean.interval is None
            else (mean.interval.low, mean.interval.high)
        )
        dots.append(
            PlotDot(
                number=number,
                name=one.name,
                state=one.state,
                on_front=one.name in front,
                score=mean.value,
                price=price,
                x=x(price),
                y=y(mean.value),
                top=y(high),
                bottom=y(low),
            )
        )
    return PricePlot(tuple(dots), _line(dots), lowest, highest, most)


def _scale(low: float, high: float, start: float, end: float) -> Callable[[float], float]:
    """Return the map of values to places, both ends to both ends."""
    return lambda value: round(start + (value - low) / (high - low) * (end - start), 2)


def _line(dots: Sequence[PlotDot]) -> str:
    front = sorted((dot.x, dot.y) for dot in dots if dot.on_front)
    return " ".join(f"{x:g},{y:g}" for x, y in front)
