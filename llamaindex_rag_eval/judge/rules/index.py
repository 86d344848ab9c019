"""An index of sentences by their terms: which of them have most of a claim's words?"""

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.judge.rules.lexicon import synonyms_of
from llamaindex_rag_eval.judge.rules.profile import Profile

_PREFIX = 4
"""Letters by which a word finds its likely relatives."""
_SYNONYM_CREDIT = 0.8
"""What a synonym counts beside the word itself."""
_RELATIVE_CREDIT = 0.6
"""What a word of the same beginning counts at most, beside the word itself."""
_LEAST_RELATED = 0.6
"""Share of shared beginning below which two words are not taken for relatives."""
_EVERY_WORD = 0.2
"""What a word counts in the choice of sentences even if all of them have it."""


@dataclass(frozen=True, eq=False, slots=True)
class SentenceIndex:
    """Sentences, and where their terms stand.

    Attributes:
        sentences: The sentences, in order.
        owners: For each sentence, the number of its source.
        positions: For each term, the numbers of the sentences that have it.
        numbers: All numbers that the sentences name, in plain digits.
        relatives: For the first four letters of a term, the terms that begin so.
    """

    sentences: tuple[Profile, ...]
    owners: tuple[int, ...]
    positions: dict[str, list[int]]
    numbers: frozenset[str]
    relatives: dict[str, list[str]]


def index_sentences(sources: Sequence[Iterable[Profile]], numbers: Sequence[int]) -> SentenceIndex:
    """Return an index of the sentences of the sources with these numbers."""
    sentences: list[Profile] = []
    owners: list[int] = []
    for number in numbers:
        for profile in sources[number]:
            sentences.append(profile)
            owners.append(number)
    positions: dict[str, list[int]] = {}
    for position, profile in enumerate(sentences):
        for key in profile.weights:
            positions.setdefault(key, []).append(position)
    relatives: dict[str, list[str]] = {}
    for key in positions:
        if len(key) >= _PREFIX:
            relatives.setdefault(key[:_PREFIX], []).append(key)
    return SentenceIndex(
        sentences=tuple(sentences),
        owners=tuple(owners),
        positions=positions,
        numbers=frozenset(number for profile in sentences for number in profile.numbers),
        relatives=relatives,
    )


def rarity(wanted: Iterable[str], index: SentenceIndex) -> dict[str, float]:
    """Return how rare each term is in the index, in [0, 1]: near 0 if all sentences have it."""
    size = len(index.sentences)
    scale = math.log(size + 2)
    return {
        key: math.log((size + 2) / (len(index.positions.get(key, ())) + 1)) / scale
        for key in wanted
    }


def richest_sentence(
    wanted: Collection[str],
    weights: Mapping[str, float],
    rare: Mapping[str, float],
    index: SentenceIndex,
) -> int:
    """Return the number of the sentence with most of the wanted terms, by weight and rarity.

    The first of equals; -1 if no sentence has any.
    """
    scores: dict[int, float] = {}
    for key in sorted(wanted):  # a fixed order, so that sums are equal in every process
        gain = weights[key] * (_EVERY_WORD + rare[key])
        for position in index.positions.get(key, ()):
            scores[position] = scores.get(position, 0.0) + gain
    return max(scores, key=lambda position: (scores[position], -position), default=-1)


def relative_credit(key: str, index: SentenceIndex) -> float:
    """Return what a term that no sentence has is still worth, for a synonym or relative there.

    Returns:
        A share in [0, 1): `0.8` for a synonym, less for a word of the same beginning, else 0.
    """
    return _credit(key, index.positions, index.relatives.get(key[:_PREFIX], ()))


def credit_among(key: str, there: Collection[str]) -> float:
    """Return what a term is worth among the terms of a sentence: 1 if it is one of them.

    Example:
        >>> credit_among("built", {"built", "lock"}), credit_among("tea", {"lock"})
        (1.0, 0.0)
    """
    if key in there:
        return 1.0
    likely = [other for other in there if len(key) >= _PREFIX and other[:_PREFIX] == key[:_PREFIX]]
    return _credit(key, there, likely)


def _credit(key: str, there: Collection[str], likely: Iterable[str]) -> float:
    if any(other in there for other in synonyms_of(key)):
        return _SYNONYM_CREDIT
    best = max((_likeness(key, other) for other in likely), default=0.0)
    return _RELATIVE_CREDIT * best if best >= _LEAST_RELATED else 0.0


def _likeness(first: str, second: str) -> float:
    shared = 0
    for letter, other in zip(first, second, strict=False):
        if letter != other:
            break
        shared += 1
    return 2 * shared / (len(first) + len(second))
