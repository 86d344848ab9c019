"""Gains: what each retrieved item is worth, in rank order, and their discounted cumulative sum.

Every ranking measure reads two lists: `relevance`, the gain of each retrieved item in the order
retrieved, and `gold`, the gain of every item that should have been retrieved, in any order. An
item is relevant when its gain is above 0, as in trec_eval; a negative gain counts as 0.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from typing import Literal, TypeVar

from llamaindex_rag_eval.errors import InputError

Gain = Literal["linear", "exponential"]
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
    """Return the gains; raise `InputError` if one is NaN or infinite."""
    if not all(math.isfinite(gain) for gain in gains):
        raise InputError(f"gains must be finite numbers, got {list(gains)!r}")
    return gains


def ndcg_at_k(
    relevance: Sequence[float],
    gold: Sequence[float],
    *,
    k: int | None = None,
    gain: Gain = "linear",
) -> float | None:
    """Return DCG of the first `k` items over DCG of the best possible `k` items.

    Source: Järvelin and Kekäläinen (2002), "Cumulated gain-based evaluation of IR techniques",
    in the form of trec_eval (`ndcg_cut`): discount log2(rank + 1).

    Args:
        relevance: Gain of each retrieved item, in rank order.
        gold: Gain of each item that should be retrieved, in any order.
        k: Ranks looked at; None looks at all.
        gain: `linear` takes the gain as it is, `exponential` takes 2**gain - 1 (Burges et al.
            2005), which favours the highest grades.

    Returns:
        A number in [0, 1], higher is better; 0 if nothing was retrieved; None if the gold holds
        nothing relevant.

    Raises:
        InputError: `k` is below 1, or a gain is not finite.

    Example:
        >>> ndcg_at_k([2, 1], [1, 2])
        1.0
        >>> round(ndcg_at_k([0, 1], [1]), 4)  # 1 / log2(3)
        0.6309
    """
    if not relevant_count(gold):
        return None
    ideal = dcg(top(sorted(gold, reverse=True), k), gain=gain)
    return dcg(top(relevance, k), gain=gain) / ideal


def dcg(relevance: Sequence[float], *, gain: Gain = "linear") -> float:
    """Return sum_j gain_j / log2(j + 1) over the ranks j = 1, 2, ….

    Args:
        relevance: Gain of each item, in rank order; a negative gain counts as 0.
        gain: `linear` takes the gain as it is, `exponential` takes 2**gain - 1.

    Returns:
        A number from 0 up, higher is better; 0 for an empty list.

    Example:
        >>> dcg([3, 0, 2])  # 3/1 + 2/2
        4.0
    """
    positive = [max(0.0, value) for value in relevance]
    worth = [2.0**value - 1 if gain == "exponential" else value for value in positive]
    return math.fsum(value / math.log2(rank + 1) for rank, value in enumerate(worth, start=1))
