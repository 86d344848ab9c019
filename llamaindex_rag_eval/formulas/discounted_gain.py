"""Discounted cumulative gain: graded relevance, worth less the later it comes."""

import math
from collections.abc import Sequence
from typing import Literal

from llamaindex_rag_eval.formulas.gains import relevant_count, top

__all__ = ["Gain", "dcg", "ndcg_at_k"]

Gain = Literal["linear", "exponential"]


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
