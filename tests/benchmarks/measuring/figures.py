"""How the figures of a row are written."""

import math

from tests.benchmarks.measuring.coefficients import Estimate
from tests.benchmarks.measuring.row import NO_ECE, Row

NONE = "–"
"""Where there is no figure."""


def number(value: float | None, digits: int = 3) -> str:
    """Return a figure without the zero before its point.

    Example:
        >>> number(0.7114), number(-0.05, 2), number(1.0, 2), number(None)
        ('.711', '−.05', '1.00', '–')
    """
    if value is None or math.isnan(value):
        return NONE
    shown = f"{abs(value):.{digits}f}".removeprefix("0")
    return f"−{shown}" if value < 0 and shown.strip(".0") else shown


def estimate(found: Estimate | None) -> str:
    """Return a figure with its interval.

    Example:
        >>> estimate((0.7114, 0.66, 0.758))
        '.711 [.66, .76]'
    """
    if found is None:
        return NONE
    value, low, high = found
    return f"{number(value)} [{number(low, 2)}, {number(high, 2)}]"


def cells(row: Row) -> list[str]:
    """Return what tables show of a row: agreement, calibration, what else would reach."""
    held_out = NONE
    if row.held_out is not None:
        folds, others = row.held_out
        held_out = f"{number(folds)} ({number(others)})"
    return [
        str(row.n),
        estimate(row.score),
        estimate(row.graded),
        number(row.ece) if isinstance(row.ece, float) else NONE,
        held_out,
        f"{number(row.baseline[0])} {row.baseline[1]}" if row.baseline else NONE,
    ]


def reasons() -> str:
    """Return in words when a row has no calibration error."""
    return "; ".join(NO_ECE.values())
