"""Repeatability: what repeated scores of the same samples say of whoever gave them."""

from collections.abc import Sequence

__all__ = ["flips", "judge_share", "within_square"]


def judge_share(rows: Sequence[Sequence[float]]) -> float | None:
    """Return the share of variance within samples: 1 - ICC(1), never below 0.

    With r scores of each of n samples, W = mean square within and B = between samples, the share
    is W / (W + max(0, (B - W) / r)). Source: Shrout and Fleiss (1979), "Intraclass Correlations:
    Uses in Assessing Rater Reliability", case 1.

    Args:
        rows: The scores of each sample, r ≥ 2 of each.

    Returns:
        A share in [0, 1]: 0 a judge that always says the same, 1 a judge that says nothing of
        the samples. None with fewer than two samples, or if all scores are equal.

    Example:
        >>> judge_share([[0.0, 0.0], [1.0, 1.0]])
        0.0
        >>> judge_share([[0.0, 1.0], [1.0, 0.0]])
        1.0
    """
    if len(rows) < 2:
        return None
    repeats, centres = len(rows[0]), [sum(row) / len(row) for row in rows]
    centre = sum(centres) / len(centres)
    within = within_square(rows)
    between = repeats * sum((c - centre) ** 2 for c in centres) / (len(rows) - 1)
    total = within + max(0.0, (between - within) / repeats)
    return within / total if total else None


def within_square(rows: Sequence[Sequence[float]]) -> float:
    """Return the mean square of scores about the mean of their sample; 0 without samples.

    Example:
        >>> within_square([[0.0, 1.0], [1.0, 1.0]])  # (1/4 + 1/4) / (2 · (2 - 1))
        0.25
    """
    squares = sum((value - sum(row) / len(row)) ** 2 for row in rows for value in row)
    degrees = sum(len(row) - 1 for row in rows)
    return squares / degrees if degrees else 0.0


def flips(row: Sequence[bool]) -> float:
    """Return the chance that two different repetitions disagree: 2·k·(r - k) / (r·(r - 1)).

    Example:
        >>> flips([True, True, True, False])  # 2 · 3 · 1 / (4 · 3)
        0.5
    """
    yes, repeats = sum(row), len(row)
    return 2 * yes * (repeats - yes) / (repeats * (repeats - 1))
