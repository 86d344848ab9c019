"""Normalisation: the words of a text, in any script.

Scripts that do not put spaces between words (Han, kana, Thai, Lao, Khmer, Burmese) give one token
a character, as multilingual question answering does (Lewis et al. 2020, "MLQA",
https://arxiv.org/abs/1910.07475).
"""

import re
import string
import unicodedata

__all__ = ["answer_tokens", "folded", "normalised_answer", "spaced", "words"]

_UNSPACED = re.compile(
    "["
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f"  # Burmese
    "\u1780-\u17ff"  # Khmer
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"  # iteration marks, kana
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\U00020000-\U0003ffff"  # Han, supplementary planes
    "]"
)
_ARTICLES = re.compile(r"\b(a|an|the)\b")


def folded(text: str) -> str:
    """Return the text in Unicode NFKC without difference of case.

    Example:
        >>> folded("ＰＡＲＩＳ Straße")
        'paris strasse'
    """
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def spaced(text: str) -> str:
    """Return the text with spaces around each character of a script that writes without them.

    Example:
        >>> spaced("東京へ go").split()
        ['東', '京', 'へ', 'go']
    """
    return _UNSPACED.sub(r" \g<0> ", text)


def normalised_answer(text: str) -> str:
    """Return the text as SQuAD compares answers.

    Case-folded, without punctuation, without the English articles, white space collapsed.
    Source: the evaluation script of Rajpurkar et al. (2016), "SQuAD",
    https://arxiv.org/abs/1606.05250, section 6.1; widened to Unicode punctuation, NFKC and
    scripts without spaces. As there, punctuation is removed and not replaced: `well-known` is
    `wellknown`, and the sign of a number is lost.

    Example:
        >>> normalised_answer("The  Eiffel-Tower!")
        'eiffeltower'
    """
    kept = "".join(character for character in folded(text) if not _is_punctuation(character))
    return " ".join(spaced(_ARTICLES.sub(" ", kept)).split())


def answer_tokens(text: str) -> tuple[str, ...]:
    """Return the tokens of the text as SQuAD counts them; none if it is all articles and marks.

    Example:
        >>> answer_tokens("The capital, 東京")
        ('capital', '東', '京')
    """
    return tuple(normalised_answer(text).split())


def words(text: str) -> tuple[str, ...]:
    """Return the runs of letters, marks and digits, case-folded, in order; articles stay.

    Example:
        >>> words("Well-known: the Ägäis (2 seas)")
        ('well', 'known', 'the', 'ägäis', '2', 'seas')
    """
    kept = (character if _is_word(character) else " " for character in folded(text))
    return tuple(spaced("".join(kept)).split())


def _is_punctuation(character: str) -> bool:
    return character in string.punctuation or unicodedata.category(character).startswith("P")


def _is_word(character: str) -> bool:
    # `str.isalnum` is false for vowel signs: it would break words of Indic scripts apart.
    return unicodedata.category(character)[0] in "LMN"
