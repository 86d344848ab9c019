"""Stems: one form for the inflections of a word, by the Snowball stemmers."""

from functools import cache, lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from Stemmer import Stemmer

__all__ = ["stem"]

_GERMAN_LETTERS = frozenset("äöüß")


@lru_cache(maxsize=65_536)
def stem(word: str) -> str:
    """Return the stem of a word, casefolded: German if it has an umlaut, else English.

    Example:
        >>> stem("Connections"), stem("Müllers")
        ('connect', 'mull')
    """
    lower = word.lower().removesuffix("'s")
    if not lower.isascii() and not _GERMAN_LETTERS.isdisjoint(lower):
        return str(_stemmer("german").stemWord(lower))
    return str(_stemmer("english").stemWord(lower.casefold()))


@cache
def _stemmer(language: str) -> "Stemmer":
    from Stemmer import Stemmer

    return Stemmer(language)
