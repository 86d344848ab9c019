"""Profiles: what of a text is compared, worked out once."""

from dataclasses import dataclass
from functools import lru_cache

from llamaindex_rag_eval.judge.rules.polarity import negations
from llamaindex_rag_eval.judge.rules.sentences import sentences
from llamaindex_rag_eval.judge.rules.tokens import is_cjk, terms
from llamaindex_rag_eval.judge.rules.weights import FUNCTION_WEIGHT, weight_of

__all__ = ["Profile", "profile_of", "source_profiles"]

_LONGEST_CACHED = 4_000
"""Characters up to which a text's profile is kept, so that the cache stays small."""


@dataclass(frozen=True, eq=False, slots=True)
class Profile:
    """A sentence as it is compared.

    Attributes:
        text: The sentence.
        keys: The terms in order.
        weights: The weight of each distinct term, function words included.
        content: The distinct terms that tell something.
        numbers: The numbers, in plain digits.
        names: Terms written with a capital that does not open the sentence.
        negated: How many negations it has.
        cjk: Whether it is Chinese or Japanese.
    """

    text: str
    keys: tuple[str, ...]
    weights: dict[str, float]
    content: frozenset[str]
    numbers: frozenset[str]
    names: frozenset[str]
    negated: int
    cjk: bool


def profile_of(text: str) -> Profile:
    """Return the profile of one sentence."""
    return _kept(text) if len(text) <= _LONGEST_CACHED else _profile(text)


def source_profiles(source: str) -> tuple[Profile, ...]:
    """Return the profiles of the sentences of a source."""
    return tuple(profile_of(sentence) for sentence in sentences(source))


@lru_cache(maxsize=8_192)
def _kept(text: str) -> Profile:
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
        negated=negations(text),
        cjk=is_cjk(text),
    )
