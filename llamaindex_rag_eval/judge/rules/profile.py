"""Profiles: the words of a sentence by which it is compared, worked out once."""

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache

from llamaindex_rag_eval.judge.rules.lexicon import count_negations
from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.judge.rules.tokens import is_cjk, terms
from llamaindex_rag_eval.judge.rules.weights import FUNCTION_WEIGHT, weight_of

_LONGEST_CACHED = 4_000
"""Characters up to which a text's profile is cached, so that the cache stays small."""


@dataclass(frozen=True, eq=False, slots=True)
class Profile:
    """A sentence as it is compared.

    Attributes:
        text: The sentence.
        keys: The terms in order.
        weights: The weight of each distinct term, function words included.
        content: The distinct terms that are no function words.
        numbers: The numbers, in plain digits.
        names: Terms written with a capital that does not open the sentence.
        negated: How many negations it has.
        cjk: Whether it is Chinese or Japanese.
        said: The sentence with what the question adds to it, where it is an answer to one.
    """

    text: str
    keys: tuple[str, ...]
    weights: dict[str, float]
    content: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]
    negated: int
    cjk: bool
    said: str


def profile_of(text: str) -> Profile:
    """Return the profile of one sentence."""
    return _cached_profile(text) if len(text) <= _LONGEST_CACHED else _profile(text)


def source_profiles(source: str) -> tuple[Profile, ...]:
    """Return the profiles of the sentences of a source."""
    return tuple(profile_of(sentence) for sentence in sentences(source))


@lru_cache(maxsize=8_192)
def _cached_profile(text: str) -> Profile:
    return _profile(text)


def _profile(text: str) -> Profile:
    found = terms(text)
    weights = {term.key: weight_of(term) for term in found}
    keys = [term.key for term in found]
    return Profile(
        text=text,
        keys=tuple(keys),
        weights=weights,
        content=frozenset(key for key, weight in weights.items() if weight > FUNCTION_WEIGHT),
        numbers=frozenset(term.key for term in found if term.kind == "number"),
        names=frozenset(
            term.key
            for position, term in enumerate(found)
            if term.kind == "word"
            and position
            and term.surface[0].isupper()
            and weights[term.key] > FUNCTION_WEIGHT
        ),
        negated=count_negations(text),
        cjk=is_cjk(text),
        said=text,
    )


def content_share(
    wanted: Profile, keys: Collection[str], *, without: Collection[str] = ()
) -> float:
    """Return the share, by weight, of a text's content terms that are among `keys`.

    Args:
        wanted: The text.
        keys: The terms of another text.
        without: Terms of the text that do not count.

    Returns:
        A share in [0, 1], higher is more; 0 for a text without content.
    """
    counted = [key for key in wanted.content if key not in without]
    return weight_of_keys(wanted, [key for key in counted if key in keys]) / (
        weight_of_keys(wanted, counted) or 1.0
    )


def weight_of_keys(profile: Profile, keys: Iterable[str]) -> float:
    """Return the weight of some of a text's terms together, whatever order they come in.

    Sets are ordered differently in each process; an exact sum is the same in all of them.
    """
    return math.fsum(profile.weights[key] for key in keys)
