"""Gains: what each retrieved item is worth, in rank order, and what could have been had.

Every ranking measure reads two lists: `relevance`, the gain of each retrieved item in the order
retrieved, and `gold`, the gain of every item that should have been retrieved, in any order. An
item is relevant when its gain is above 0, as in trec_eval; a negative gain counts as 0.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

from llamaindex_rag_eval.errors import InputError

__all__ = ["distinct", "gains_by_id", "relevant_count", "top"]

Item = TypeVar("Item", bound=Hashable)


def distinct(items: Sequence[Item]) -> tuple[Item, ...]:
    """Return the items in order, each at its first place only.

    Example:
        >>> distinct(["b", "a", "b"])
        ('b', 'a')
    """
    return tuple(dict.fromkeys(items))


def gains_by_id(retrieved: Sequence[str], gold: Mapping[str, float]) -> tuple[float, ...]:
    """Return the gain of each distinct retrieved id, in the order retrieved.

    An id that was retrieved again is dropped, and what follows it moves up: rank k is the k-th
    distinct item.

    Args:
        retrieved: Ids in the order retrieved.
        gold: Gain of each id that should be retrieved; any other id gains 0.

    Example:
        >>> gains_by_id(["b", "x", "b", "a"], {"a": 1.0, "b": 2.0})
        (2.0, 0.0, 1.0)
    """
    return tuple(float(gold.get(item, 0.0)) for item in distinct(retrieved))


def relevant_count(gains: Sequence[float]) -> int:
    """Return how many of the gains are above 0.

    Raises:
        InputError: A gain is NaN or infinite.

    Example:
        >>> relevant_count([2.0, 0.0, 1.0, -1.0])
        2
    """
    return sum(gain > 0 for gain in _finite(gains))


def top(relevance: Sequence[float], k: int | None) -> Sequence[float]:
    """Return the first `k` gains; all of them if `k` is None.

    Raises:
        InputError: `k` is below 1, or a gain is NaN or infinite.

    Example:
        >>> top([1.0, 0.0, 1.0], 2)
        [1.0, 0.0]
    """
    if k is not None and k < 1:
        raise InputError(f"k must be at least 1, or None for all that was retrieved, got {k!r}")
    return _finite(relevance)[:k]


def _finite(gains: Sequence[float]) -> Sequence[float]:
    if not all(math.isfinite(gain) for gain in gains):
        raise InputError(f"gains must be finite numbers, got {list(gains)!r}")
    return gains
