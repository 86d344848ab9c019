"""Tables of words: how they are read, and what they say of two stems."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple

from llamaindex_rag_eval.judge.rules.tokens import terms
from testset.rewording import english_words, german_words
from testset.rewording.words import words

__all__ = ["Forms", "forms_of", "pairs_of", "phrase_pattern", "same_as"]


class Forms(NamedTuple):
    """The forms of a verb, and those of another that says the same.

    Attributes:
        key: The verb's plain form.
        own: Plain form, past, participle.
        other: The same of the other verb; empty for a form that has no counterpart.
    """

    key: str
    own: tuple[str, ...]
    other: tuple[str, ...]


@cache
def forms_of(table: str) -> Mapping[str, Forms]:
    """Return form -> verb, for each line `own forms = other forms`.

    Example:
        >>> forms_of("buy bought bought = take_on took_on -")["bought"].other
        ('take on', 'took on', '')
    """
    found: dict[str, Forms] = {}
    for line in table.strip().splitlines():
        own, other = (_spaced(side.split()) for side in line.split(" = "))
        forms = Forms(own[0], own, other)
        for form in own:
            found.setdefault(form, forms)
    return found


@cache
def pairs_of(table: str) -> Mapping[str, str]:
    """Return word -> other word, for entries `word = other;`.

    Example:
        >>> pairs_of("prior to = before; movie = film;")
        {'prior to': 'before', 'movie': 'film'}
    """
    entries = (entry.split(" = ") for entry in " ".join(table.split()).split(";") if entry.strip())
    return {own.strip(): other.strip() for own, other in entries}


def phrase_pattern(phrases: Iterable[str]) -> re.Pattern[str]:
    """Return what finds any of some phrases inside a sentence, the longest first."""
    either = "|".join(map(re.escape, sorted(phrases, key=len, reverse=True)))
    return re.compile(rf"(?<= )(?:{either})(?=[ ?,])")


def same_as(key: str) -> frozenset[str]:
    """Return the stems that the tables put for a stem, or that it is put for.

    Example:
        >>> sorted(same_as("movi"))
        ['film']
    """
    return _kin().get(key, frozenset())


@cache
def _kin() -> Mapping[str, frozenset[str]]:
    kin: dict[str, set[str]] = defaultdict(set)
    for own, other in _pairs():
        for mine in _keys(own):
            for yours in _keys(other):
                kin[mine].add(yours)
                kin[yours].add(mine)
    return {key: frozenset(others - {key}) for key, others in kin.items()}


def _pairs() -> Iterator[tuple[str, str]]:
    for forms in {id(entry): entry for entry in forms_of(english_words.VERBS).values()}.values():
        yield " ".join(forms.own), " ".join(forms.other)
    tables = (
        english_words.NOUNS,
        english_words.QUALITIES,
        english_words.ADVERBS,
        german_words.FINITE,
        german_words.PARTICIPLES,
        german_words.NOUNS,
        german_words.FIXED,
    )
    for table in tables:
        yield from pairs_of(table).items()
    for own, other in pairs_of(german_words.QUALITIES).items():
        for ending in ("e", "en", "er", "es", "em"):
            yield own + ending, other + ending


def _keys(text: str) -> set[str]:
    return {term.key for term in terms(text)} - _LITTLE


_LITTLE = words("a an and at be in of the to with vor der in als aus")
"""Parts of phrases that say nothing alone."""


def _spaced(words: Iterable[str]) -> tuple[str, ...]:
    return tuple("" if word == "-" else word.replace("_", " ") for word in words)
