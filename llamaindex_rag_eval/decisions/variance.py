"""Variance within what is repeated: formulas over rows, the values of one thing each."""

from collections.abc import Sequence
from statistics import fmean, variance


def share_within(rows: Sequence[Sequence[float]]) -> float | None:
    """Return the share of the variance of scores that lies within samples: 1 - ICC(1), at least 0.

    With r scores of each of n samples, W = mean square within and B = between samples, the share
    is W / (W + max(0, (B - W) / r)). Source: Shrout and Fleiss (1979), "Intraclass Correlations:
    Uses in Assessing Rater Reliability", case 1.

    Args:
        rows: The scores of each sample, r ≥ 2 of each.

    Returns:
        A share in [0, 1]: 0 if a sample always gets the same score, 1 if scores do not depend on
        the sample. `None` with fewer than two samples, or if all scores are equal.

    Example:
        >>> share_within([[0.0, 0.0], [1.0, 1.0]])
        0.0
        >>> share_within([[0.0, 1.0], [1.0, 0.0]])
        1.0
    """
    if len(rows) < 2:
        return None
    repeats, within = len(rows[0]), within_square(rows)
    between = repeats * variance(map(fmean, rows))
    total = within + max(0.0, (between - within) / repeats)
    return within / total if total else None


def within_square(rows: Sequence[Sequence[float]]) -> float:
    """Return the mean square of scores around the mean of their sample; 0 without samples.

    Example:
        >>> within_square([[0.0, 1.0], [1.0, 1.0]])  # (1/4 + 1/4) / (2 · (2 - 1))
        0.25
    """
    centres = map(fmean, rows)
    squares = sum(
        (value - centre) ** 2 for row, centre in zip(rows, centres, strict=True) for value in row
    )
    degrees = sum(len(row) - 1 for row in rows)
    return squares / degrees if degrees else 0.0


def flip_chance(row: Sequence[bool]) -> float:
    """Return the chance that two different repetitions disagree: 2·k·(r - k) / (r·(r - 1)).

    Example:
        >>> flip_chance([True, True, True, False])  # 2 · 3 · 1 / (4 · 3)
        0.5
    """
    yes, repeats = sum(row), len(row)
    return 2 * yes * (repeats - yes) / (repeats * (repeats - 1))
