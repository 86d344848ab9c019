"""Numbers as text: scores, differences, p-values, shares and times, alike in every report."""

from collections.abc import Mapping

from llamaindex_rag_eval.stats.interval import signed

NOTHING = "–"
"""The text for a missing number."""


def number(value: float | None) -> str:
    """Return a score to three decimals.

    Example:
        >>> number(2 / 3), number(None)
        ('0.667', '–')
    """
    return NOTHING if value is None else f"{value:.3f}"


def interval(low: float | None, high: float | None, *, sign: bool = False) -> str:
    """Return an interval as its two ends.

    Example:
        >>> interval(0.25, 0.75), interval(-0.25, 0.5, sign=True), interval(None, None)
        ('0.250 to 0.750', '−0.250 to +0.500', '–')
    """
    if low is None or high is None:
        return NOTHING
    written = signed if sign else number
    return f"{written(low)} to {written(high)}"


def chance(p: float | None) -> str:
    """Return a p-value, never as zero.

    Example:
        >>> chance(0.0421), chance(0.00001), chance(None)
        ('0.042', '< 0.001', '–')
    """
    if p is None:
        return NOTHING
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def percent(share: float) -> str:
    """Return a share as a whole number of percent.

    Example:
        >>> percent(0.125), percent(1.0)
        ('12%', '100%')
    """
    return f"{share:.0%}"


def shares(by_name: Mapping[str, float]) -> str:
    """Return the shares of verdicts in one line.

    Example:
        >>> shares({"right": 0.75, "partly_right": 0.0, "wrong": 0.25})
        '75% right, 0% partly right, 25% wrong'
    """
    parts = (f"{percent(share)} {name.replace('_', ' ')}" for name, share in by_name.items())
    return ", ".join(parts)


def counted(count: int, noun: str) -> str:
    """Return a count with its noun.

    Example:
        >>> counted(1, "question"), counted(1200, "question")
        ('1 question', '1,200 questions')
    """
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


def duration(seconds: float) -> str:
    """Return a time in words.

    Example:
        >>> duration(0.25), duration(61), duration(7320)
        ('0.2 s', '1 min 1 s', '2 h 2 min')
    """
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min"
