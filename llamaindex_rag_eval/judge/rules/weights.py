"""Weights: how much a term tells, before any text is read."""

import re
from functools import lru_cache

from llamaindex_rag_eval.judge.rules.background import COMMON, FAMILIAR, commonness
from llamaindex_rag_eval.judge.rules.tokens import Term
from llamaindex_rag_eval.judge.rules.vocabulary import (
    cjk_function_characters,
    function_words,
)

__all__ = ["COMMON_WEIGHT", "FUNCTION_WEIGHT", "weight_of"]

FUNCTION_WEIGHT = 0.1
"""Weight of a function word; a rare word weighs 1."""
COMMON_WEIGHT = 0.35
"""Weight of a word of content that nearly every text has."""
_WEIGHT_OF = {COMMON: COMMON_WEIGHT, FAMILIAR: 0.65, 0: 1.0}
_SHORT = 3
_SHORT_WEIGHT = 0.7
_NUMBER_WEIGHT = 1.1
_CJK_SINGLE = 1.0
"""A character other than hiragana carries the meaning; pairs only tell its order."""
_CJK_PAIR = 0.3
_KANA_PAIR = 0.15
_HIRAGANA = re.compile(r"[\u3040-\u309f]+")


@lru_cache(maxsize=65_536)
def weight_of(term: Term) -> float:
    """Return how much a term tells, from `FUNCTION_WEIGHT` to 1.1.

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
