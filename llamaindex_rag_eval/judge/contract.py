"""What every reply is held to: the right count, and numbers that exist."""

from collections.abc import Iterable

from llamaindex_rag_eval.errors import ReplyError

__all__ = ["check_count", "check_range"]


def check_count(what: str, got: int, of: str, expected: int) -> None:
    """Raise `ReplyError` unless there is one entry for each thing asked about."""
    if got != expected:
        raise ReplyError(f"{got} {what} for {expected} {of}; expected exactly {expected}")


def check_range(numbers: Iterable[int], count: int, what: str) -> None:
    """Raise `ReplyError` if a number (from 0) names something that does not exist."""
    for number in numbers:
        if not 0 <= number < count:
            raise ReplyError(f"{what} {number} does not exist; {what}s are 0 to {count - 1}")
