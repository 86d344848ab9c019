"""What a reply's `x-ratelimit-*` headers ask of callers: to pause, and for how long."""

import re
from collections.abc import Iterable

__all__ = ["pause_of", "seconds_in"]

PREFIX = b"x-ratelimit-re"
"""Begins `x-ratelimit-remaining-…` and `x-ratelimit-reset-…`; most headers fail here, at once."""

REMAINING = b"x-ratelimit-remaining-"
RESET = b"x-ratelimit-reset-"

UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0, "": 1.0}
PART = re.compile(r"(\d+(?:\.\d+)?)(ms|s|m|h|d|)")
DURATION = re.compile(rf"(?:{PART.pattern})+")


def pause_of(headers: Iterable[tuple[bytes, bytes]]) -> float:
    """Return the seconds until calls are welcome again; 0 while some are left.

    Of requests and tokens, the one that is used up counts; where both are, the later one.

    Example:
        >>> pause_of([(b"x-ratelimit-remaining-requests", b"0"),
        ...           (b"x-ratelimit-reset-requests", b"1m0.5s")])
        60.5
    """
    said = {name.lower(): value for name, value in headers if name[:14].lower() == PREFIX}
    if not said:
        return 0.0
    return max(
        (
            seconds_in(said.get(RESET + name.removeprefix(REMAINING), b"").decode("latin-1"))
            for name, value in said.items()
            if name.startswith(REMAINING) and value.strip() == b"0"
        ),
        default=0.0,
    )


def seconds_in(duration: str) -> float:
    """Return the seconds of a duration such as `6m0s`, `20ms` or `1.5`; 0 if it is none.

    Example:
        >>> seconds_in("1h2m3s"), seconds_in("20ms"), seconds_in("soon")
        (3723.0, 0.02, 0.0)
    """
    if DURATION.fullmatch(duration.strip()) is None:
        return 0.0
    parts = PART.findall(duration)
    return sum(float(number) * UNITS[unit] for number, unit in parts)
