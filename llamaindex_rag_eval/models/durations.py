"""Durations: as people and servers write them, and as they are printed."""

import re
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

from llamaindex_rag_eval.errors import InputError

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "": 1.0}
PART = re.compile(r"(\d+(?:\.\d+)?)\s*(ms|s|m|h|d|)\s*")
DURATION = re.compile(rf"(?:{PART.pattern})+")


def seconds_until(date: str | None, now: str | None = None) -> float | None:
    """Return the seconds until a date of HTTP, at least 0; `None` if it is none.

    Args:
        date: In the form of a `Retry-After`.
        now: The date of the same server, whose clock may differ from ours.

    Example:
        >>> seconds_until("Fri, 31 Dec 1999 23:59:59 GMT", "Fri, 31 Dec 1999 23:49:59 GMT")
        600.0
        >>> seconds_until("tomorrow") is None
        True
    """
    times = []
    for text in (date, now):
        try:
            moment = parsedate_to_datetime(text or "")
        except (TypeError, ValueError):
            moment = None
        times.append(moment and moment.replace(tzinfo=moment.tzinfo or timezone.utc))
    until, since = times[0], times[1] or datetime.now(timezone.utc)
    return None if until is None else max(0.0, (until - since).total_seconds())


def read_duration(given: float | str, name: str) -> float:
    """Return the seconds of a number, or of a text such as `10m` or `1h 30m`.

    Args:
        given: What a person gave.
        name: The option, for the error.

    Raises:
        InputError: It is no duration, or below 0.

    Example:
        >>> read_duration("1m 30s", "patience"), read_duration(5, "patience")
        (90.0, 5.0)
    """
    if isinstance(given, str) and DURATION.fullmatch(given.strip()):
        return sum(float(number) * UNITS[unit] for number, unit in PART.findall(given))
    if isinstance(given, str) or not given >= 0:
        raise InputError(
            f"{name!r} is {given!r}; expected seconds, or a duration as '90s' or '10m'"
        )
    return float(given)


def duration_text(seconds: float) -> str:
    """Return a duration in its two largest units.

    Example:
        >>> [duration_text(one) for one in (0.4, 40, 600, 90, 7260)]
        ['0.4 s', '40 s', '10 m', '1 m 30 s', '2 h 1 m']
    """
    if seconds < 10:
        return f"{seconds:.1f}".removesuffix(".0") + " s"
    left, parts = round(seconds), []
    for unit, size in (("h", 3600), ("m", 60), ("s", 1)):
        count, left = divmod(left, size)
        if count:
            parts.append(f"{count} {unit}")
    return " ".join(parts[:2])
