"""The judge against people as one HTML file: agreement, the reliability plot, the worst misses.

The plot has a dot for each bin of samples that the judge scored alike: at the mean of the judge and
the mean of people, with the 95 % interval of the latter. On its diagonal both means are the same.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from llamaindex_rag_eval.calibration.agreement import Bin
from llamaindex_rag_eval.calibration.calibration import Calibration, MetricCalibration
from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.report.templates import render
from llamaindex_rag_eval.stats.interval import Estimate

SIDE = 260.0
"""Width and height of the plot, in units of its SVG view box."""

MARGIN = 30.0
"""Space at each side for the labels of the axes and for dots at the ends, in the same units."""

SMALLEST, LARGEST = 3.5, 10.0
"""Radius of a dot, in the same units: the least, and that of the bin with most samples."""


def calibration_html(calibration: Calibration) -> str:
    """Return the page; it loads nothing and runs no script."""
    return render(
        "calibration.html.j2",
        calibration=calibration,
        reliability_dots=reliability_dots,
        measures=calibration_measures,
        side=SIDE,
    )


def write_calibration(calibration: Calibration, path: str | Path) -> Path:
    """Write the page to a file.

    Raises:
        OutputError: The file cannot be written.
    """
    return write_whole(path, [calibration_html(calibration)])


def calibration_measures(metric: MetricCalibration) -> Iterator[tuple[str, Estimate]]:
    """Yield each measure of agreement, and the means of the judge and of people, with its name."""
    found = metric.agreement
    yield f"accuracy at {found.threshold:g}", found.accuracy
    yield "kappa", found.kappa
    yield "AUC", found.auc
    yield "Spearman", found.spearman
    yield "mean by the judge", metric.judged
    if metric.corrected is not None:
        yield "mean by people", metric.corrected


@dataclass(frozen=True, slots=True)
class Square:
    """The area of the plot: both axes go from `low` to `high`."""

    low: float
    high: float

    def x(self, value: float) -> float:
        """Return the horizontal place of a value; one beyond an end is at the end.

        Example:
            >>> Square(0.0, 1.0).x(0.5)
            130.0
        """
        within = min(max(value, self.low), self.high)
        share = (within - self.low) / (self.high - self.low)
        return round(MARGIN + share * (SIDE - 2 * MARGIN), 2)

    def y(self, value: float) -> float:
        """Return the vertical place of a value, measured from the top.

        Example:
            >>> Square(0.0, 1.0).y(1.0)
            30.0
        """
        return round(SIDE - self.x(value), 2)


@dataclass(frozen=True, slots=True)
class Dot:
    """One bin in the plot: its centre, the ends of its interval, its radius, and the bin."""

    x: float
    y: float
    top: float
    bottom: float
    radius: float
    bin: Bin


def reliability_dots(bins: Sequence[Bin]) -> tuple[Square, tuple[Dot, ...]]:
    """Return the area of a plot, and a dot for each bin that has samples.

    The bar of a single sample, which has no interval, has no length.
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
    # Readers compare the areas of dots, hence the square root.
    radius = SMALLEST + (LARGEST - SMALLEST) * math.sqrt(one.n / most)
    return Dot(
        x=square.x(judged),
        y=square.y(people),
        top=square.y(people if ends is None else ends.high),
        bottom=square.y(people if ends is None else ends.low),
        radius=round(radius, 2),
        bin=one,
    )
