"""Word share: how much of a question, by its words and their rarity, does a text hold?"""

import re
from collections.abc import Sequence
from functools import cache

from testset.corpus.bm25 import EXACT_TO
from testset.corpus.index import CorpusIndex, keys_of
from testset.rules.language import languages


def word_share(question: str, text: str, index: CorpusIndex) -> float:
    """Return the share of the question's words, weighted by rarity, that a text holds.

    Args:
        question: The question.
        text: The text.
        index: Says how rare a word is.

    Returns:
        A share in [0, 1]; 0 for a question without words. Words that no document holds, and
        words that only ask, do not count.
    """
    return share_of([key for key in keys_of(question) if key not in _asking()], text, index)


def share_of(words: Sequence[str], text: str, index: CorpusIndex) -> float:
    """Return the share of words, weighted by rarity, that a text holds.

    Args:
        words: The words, as the index knows them.
        text: The text.
        index: Says how rare a word is.

    Returns:
        A share in [0, 1]; 0 without words. Words that no document holds do not count.
    """
    held = set(keys_of(text))
    weights = {key: index.bm25.idf(key) for key in words if index.bm25.known(key)}
    whole = sum(weights.values()) or 1.0
    return round(sum(weights[key] for key in weights if key in held) / whole, EXACT_TO)


@cache
def _asking() -> frozenset[str]:
    """Return the words that ask, and say nothing of the subject: those of the rules' templates."""
    texts: list[str] = []
    for language in languages().values():
        rows = (*language.headings, *language.leads, *language.sentences)
        texts += [*language.ask.values(), *(row.ask for row in rows)]
    return frozenset(keys_of(re.sub(r"\{[^}]*\}", " ", " ".join(texts))))
