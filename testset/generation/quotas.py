"""Quotas: how many questions of which type from which topic, by the method of largest remainder."""

import math
from collections.abc import Mapping

from llamaindex_rag_eval.errors import InputError

__all__ = ["Cell", "largest_remainder", "quotas"]

Cell = tuple[str, str]
"""A topic and a question type."""


def largest_remainder(weights: Mapping[str, float], total: int) -> dict[str, int]:
    """Share out `total` in proportion to the weights, in whole numbers that add up.

    Args:
        weights: Name -> weight, 0 or more. Equal remainders go to the name that sorts first.
        total: How many to share out.

    Raises:
        InputError: A weight is negative, or all are 0 while `total` is not.

    Example:
        >>> largest_remainder({"a": 5, "b": 3, "c": 2}, 4)
        {'a': 2, 'b': 1, 'c': 1}
    """
    whole = sum(weights.values())
    if any(weight < 0 for weight in weights.values()) or (total and whole <= 0):
        raise InputError(f"expected weights above 0 to share out {total!r}, got {weights!r}")
    if not total:
        return dict.fromkeys(weights, 0)
    exact = {name: total * weight / whole for name, weight in weights.items()}
    shares = {name: math.floor(share + 1e-9) for name, share in exact.items()}
    left = total - sum(shares.values())
    by_remainder = sorted(exact, key=lambda name: (shares[name] - exact[name], name))
    for name in by_remainder[:left]:
        shares[name] += 1
    return shares


def quotas(topics: Mapping[str, int], types: Mapping[str, float], size: int) -> dict[Cell, int]:
    """Return how many items each cell of topic and type should have; they add up to `size`.

    Args:
        topics: Topic -> how many passages it has.
        types: Question type -> its share.
        size: How many items in all.

    Example:
        >>> quotas({"a": 2, "b": 1}, {"single_hop": 1.0}, 3)
        {('a', 'single_hop'): 2, ('b', 'single_hop'): 1}
    """
    cells: dict[Cell, int] = {}
    for name, count in largest_remainder(types, size).items():
        for topic, share in largest_remainder(topics, count).items():
            cells[topic, name] = share
    return cells
