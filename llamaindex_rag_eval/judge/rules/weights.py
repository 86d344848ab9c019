"""Weights: how much a term says about a subject, before any text is read.

Rare words say most, words of content that nearly every text has say little, function words
next to nothing. Common words are looked up by stem.
"""

import re
from functools import cache, lru_cache

from llamaindex_rag_eval.judge.rules.tokens import Term, stem
from llamaindex_rag_eval.judge.rules.vocabulary import (
    cjk_function_characters,
    function_words,
    words_of,
)

COMMON = 2
"""Commonness of words that nearly every text has."""
FAMILIAR = 1
"""Commonness of words of daily life that say little about a subject."""

FUNCTION_WEIGHT = 0.1
"""Weight of a function word; a rare word weighs 1."""
COMMON_WEIGHT = 0.35
"""Weight of a word of content that nearly every text has."""
_WEIGHT_OF = {COMMON: COMMON_WEIGHT, FAMILIAR: 0.65, 0: 1.0}
_SHORT = 3
"""Letters up to which a word in small letters weighs at most `_SHORT_WEIGHT`."""
_SHORT_WEIGHT = 0.7
_NUMBER_WEIGHT = 1.1
"""A number is as good as a rare word, and a claim with another number is another claim."""
_CJK_SINGLE = 1.0
"""Weight of a single character: other than hiragana it carries the meaning; pairs add order."""
_CJK_PAIR = 0.3
_KANA_PAIR = 0.15
"""Weight of a pair with hiragana, which is mostly grammar."""
_HIRAGANA = re.compile(r"[\u3040-\u309f]+")


@lru_cache(maxsize=65_536)
def weight_of(term: Term) -> float:
    """Return how much a term says, from `FUNCTION_WEIGHT` to 1.1, the weight of a number.

    Example:
        >>> weight_of(Term("the", "The", "word")), weight_of(Term("turbin", "turbine", "word"))
        (0.1, 1.0)
    """
    if term.kind == "cjk":
        return _cjk_weight(term.key)
    if term.kind == "number":
        return _NUMBER_WEIGHT
    folded = term.surface.casefold().removesuffix("'s")
    if folded in function_words() or (len(folded) == 1 and not term.surface.isupper()):
        return FUNCTION_WEIGHT
    weight = _WEIGHT_OF[commonness(term.key)]
    if len(folded) <= _SHORT and not term.surface[0].isupper():
        return min(weight, _SHORT_WEIGHT)
    return weight


def _cjk_weight(key: str) -> float:
    functional = sum(character in cjk_function_characters() for character in key)
    if functional == len(key):
        return FUNCTION_WEIGHT
    if _HIRAGANA.fullmatch(key):
        return _KANA_PAIR
    if len(key) == 1:
        return _CJK_SINGLE
    return _KANA_PAIR if functional else _CJK_PAIR


def commonness(key: str) -> int:
    """Return how common a stem is: `COMMON`, `FAMILIAR`, or 0 for all others.

    Example:
        >>> [commonness(stem(word)) for word in ("makes", "painting", "turbine")]
        [2, 1, 0]
    """
    return _commonness_of_stems().get(key, 0)


@cache
def _commonness_of_stems() -> dict[str, int]:
    table = {stem(word): FAMILIAR for word in words_of("familiar")}
    return table | {stem(word): COMMON for word in words_of("common")}
