"""Pools: the sentences that a claim is held against, indexed by their terms."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.judge.rules.profile import Profile

__all__ = ["PREFIX", "Pool", "pool_of"]

PREFIX = 4
"""Letters by which a word finds its likely relatives."""


@dataclass(frozen=True, eq=False, slots=True)
class Pool:
    """Sentences with the places of their terms.

    Attributes:
        sentences: The sentences, in order.
        owners: For each sentence, the number of its source.
        places: For each term, the numbers of the sentences that have it.
        numbers: All numbers.
        relatives: For each beginning of a word, the words that begin so.
    """

    sentences: tuple[Profile, ...]
    owners: tuple[int, ...]
    places: dict[str, list[int]]
    numbers: frozenset[str]
    relatives: dict[str, list[str]]


def pool_of(sources: Sequence[Iterable[Profile]], numbers: Sequence[int]) -> Pool:
    """Return the pool of the sources with these numbers."""
    sentences: list[Profile] = []
    owners: list[int] = []
    for number in numbers:
        for profile in sources[number]:
            sentences.append(profile)
            owners.append(number)
    places: dict[str, list[int]] = {}
    for place, profile in enumerate(sentences):
        for key in profile.weights:
            places.setdefault(key, []).append(place)
    relatives: dict[str, list[str]] = {}
    for key in places:
        if len(key) >= PREFIX:
            relatives.setdefault(key[:PREFIX], []).append(key)
    return Pool(
        sentences=tuple(sentences),
        owners=tuple(owners),
        places=places,
        numbers=frozenset(number for profile in sentences for number in profile.numbers),
        relatives=relatives,
    )
