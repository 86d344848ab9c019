"""The reliability plot: what people say of the samples that a judge scored alike.

A dot a bin, at the judge's mean and people's mean, its bar the 95 % interval of people's mean, its
size the number of samples. On the diagonal the judge says what people say.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.calibration.agreement import Bin

__all__ = ["SIDE", "Dot", "Square", "dots_of"]

SIDE = 260.0
"""Of the drawing, in its own units."""

MARGIN = 30.0
"""Room on the left and below for what stands at the axes, and for a dot at an end."""

SMALLEST, LARGEST = 3.5, 10.0
"""Radius of a dot for one sample, and of the dot for most samples."""


@dataclass(frozen=True, slots=True)
class Square:
    """A square from `low` to `high` both ways."""

    low: float
    high: float

    def x(self, value: float) -> float:
        """Return how far to the right a value stands; beyond the ends it stands at the end.

        Example:
            >>> Square(0.0, 1.0).x(0.5)
            130.0
        """
        within = min(max(value, self.low), self.high)
        share = (within - self.low) / (self.high - self.low)
        return round(MARGIN + share * (SIDE - 2 * MARGIN), 2)

    def y(self, value: float) -> float:
        """Return how far down a value stands: the least is at the bottom.

        Example:
            >>> Square(0.0, 1.0).y(1.0)
            30.0
        """
        return round(SIDE - self.x(value), 2)


@dataclass(frozen=True, slots=True)
class Dot:
    """One bin in the drawing: where it stands, the ends of its bar, its size."""

    x: float
    y: float
    top: float
    bottom: float
    radius: float
    bin: Bin


def dots_of(bins: Sequence[Bin]) -> tuple[Square, tuple[Dot, ...]]:
    """Return the square of a plot and a dot for each bin that has samples.

    Without an interval (a single sample) the bar has no length.
    """
    square = Square(bins[0].low, bins[-1].high)
    most = max(one.n for one in bins)
    return square, tuple(
        _dot(one, one.judged, one.people.value, square, most)
        for one in bins
        if one.judged is not None and one.people.value is not None
    )


def _dot(one: Bin, judged: float, people: float, square: Square, most: int) -> Dot:
    ends = one.people.interval
    # The area of the dots, not their width, is what an eye compares.
    radius = SMALLEST + (LARGEST - SMALLEST) * math.sqrt(one.n / most)
    return Dot(
        x=square.x(judged),
        y=square.y(people),
        top=square.y(people if ends is None else ends.high),
        bottom=square.y(people if ends is None else ends.low),
        radius=round(radius, 2),
        bin=one,
    )
