"""Alignment: which sentences of a pool have most of a claim's words."""

import math
from collections.abc import Collection, Iterable, Mapping

from llamaindex_rag_eval.judge.rules.lexicon import same_meaning
from llamaindex_rag_eval.judge.rules.pool import PREFIX, Pool

__all__ = ["credit_among", "rarity", "relative_credit", "richest"]

_SYNONYM_CREDIT = 0.8
_RELATIVE_CREDIT = 0.6
"""What a word of the same beginning counts at most, beside the word itself."""
_LEAST_RELATED = 0.6
"""Share of shared beginning below which two words are not taken for relatives."""
_EVERY_WORD = 0.2
"""What a word counts in the choice of sentences even if all of them have it."""


def rarity(wanted: Iterable[str], pool: Pool) -> dict[str, float]:
    """Return how rare each term is in the pool: near 0 if all sentences have it, 1 if none."""
    size = len(pool.sentences)
    scale = math.log(size + 2)
    return {
        key: math.log((size + 2) / (len(pool.places.get(key, ())) + 1)) / scale for key in wanted
    }


def richest(
    wanted: Collection[str], weights: Mapping[str, float], rare: Mapping[str, float], pool: Pool
) -> int:
    """Return the number of the sentence with most wanted terms, the first of equals, or -1."""
    scores: dict[int, float] = {}
    for key in sorted(wanted):  # a fixed order, so that sums are equal in every process
        gain = weights[key] * (_EVERY_WORD + rare[key])
        for place in pool.places.get(key, ()):
            scores[place] = scores.get(place, 0.0) + gain
    return max(scores, key=lambda place: (scores[place], -place), default=-1)


def relative_credit(key: str, pool: Pool) -> float:
    """Return what a term that the pool lacks is still worth, for a synonym or a relative there.

    Returns:
        A share in [0, 1): `0.8` for a synonym, less for a word of the same beginning, else 0.
    """
    return _credit(key, pool.places, pool.relatives.get(key[:PREFIX], ()))


def credit_among(key: str, there: Collection[str]) -> float:
    """Return what a term is worth among the terms of a sentence: 1 if it is one of them.

    Example:
        >>> credit_among("built", {"built", "lock"}), credit_among("tea", {"lock"})
        (1.0, 0.0)
    """
    if key in there:
        return 1.0
    likely = [other for other in there if len(key) >= PREFIX and other[:PREFIX] == key[:PREFIX]]
    return _credit(key, there, likely)


def _credit(key: str, there: Collection[str], likely: Iterable[str]) -> float:
    if any(other in there for other in same_meaning(key)):
        return _SYNONYM_CREDIT
    best = max((_likeness(key, other) for other in likely), default=0.0)
    return _RELATIVE_CREDIT * best if best >= _LEAST_RELATED else 0.0


def _likeness(first: str, second: str) -> float:
    shared = 0
    for one, other in zip(first, second, strict=False):
        if one != other:
            break
        shared += 1
    return 2 * shared / (len(first) + len(second))
