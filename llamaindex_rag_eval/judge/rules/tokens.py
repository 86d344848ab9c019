"""Terms: the words, numbers and CJK n-grams by which two texts are compared.

Chinese and Japanese have no spaces: their terms are single characters and pairs of neighbouring
characters, and whole runs of katakana.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from itertools import pairwise
from typing import Literal, NamedTuple

from llamaindex_rag_eval.judge.rules.numerals import in_digits, number_of
from llamaindex_rag_eval.judge.rules.vocabulary import function_words

Language = Literal["en", "de", "ja", "zh", "other"]
Kind = Literal["word", "number", "cjk"]

_CJK = "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_KATAKANA = r"[\u30a1-\u30fa\u30fc]"
_NUMBER = r"\d+(?:[.,]\d+)*(?:st|nd|rd|th|s)?"
_TOKEN = re.compile(
    rf"{_KATAKANA}{{2,}}"
    rf"|(?P<cjk>(?:(?!{_KATAKANA}{{2}})[{_CJK}])+)"
    rf"|{_NUMBER}(?!(?![{_CJK}])[^\W\d_])"
    rf"|(?P<word>(?:(?![{_CJK}])[^\W_])+(?:['’](?:(?![{_CJK}])[^\W_])+)?)"
)
_PLAIN_TOKEN = re.compile(rf"{_NUMBER}(?![^\W\d_])|[^\W_]+(?:['’][^\W_]+)?")
"""The same in a text without CJK, where it is quicker to find."""
_ASCII_TOKEN = re.compile(
    rf"[A-Za-z][A-Za-z\d]*(?:'[A-Za-z\d]+)?|{_NUMBER}(?![A-Za-z])|[A-Za-z\d]+(?:'[A-Za-z\d]+)?",
    re.ASCII,
)
"""The same in ASCII."""
_CJK_TERM = re.compile(f"(?!{_KATAKANA}{{2}})[{_CJK}]")
_ANY_CJK = re.compile(f"[{_CJK}]")
_SPLIT_NUMBER = re.compile(r"(?P<digit>\d)(?:\s(?P<comma>,)\s(?=\d{3}\b)|\s?'\s?(?=s\b))")
"""Spaces that tokenised text has within a number, and the apostrophe of decades."""
_POINTS = re.compile(r"[1-9](?<![\d.,].)\d{0,2}(?:\.\d{3})+(?:,\d+)?(?![\d.]*\d)")
"""A number whose points part thousands in German; one alone parts decimals in English."""
_DIGIT = re.compile(r"\d")
_EXCHANGED = str.maketrans(".,", ",.")
_KANA = re.compile(r"[\u3040-\u30ff]")
_HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
_LETTERS = re.compile(r"[^\W\d_]")
_CLUE_LENGTH = 2_000
"""Characters from which the language is read; more would not change the answer."""
_CLUE_SHARE = 0.2
"""Share of function words from which Latin text counts as a language; less is chance."""
_SHARE_OF_CJK = 0.15
"""Share of letters from which a text counts as CJK: product names in Latin letters are common."""


_GERMAN_LETTERS = frozenset("äöüß")
_LONGEST_CACHED = 4_000
"""Characters up to which a normalised text is kept, so that the cache stays small."""


class Term(NamedTuple):
    """One unit of comparison.

    Attributes:
        key: What is compared: a stem, a number in plain digits, or CJK characters.
        surface: The word as it stands, after NFKC.
        kind: Word, number or CJK.
    """

    key: str
    surface: str
    kind: Kind


def normalise(text: str) -> str:
    """Return the text in NFKC with straight apostrophes and numbers in digits."""
    return _normalise(text) if len(text) <= _LONGEST_CACHED else _normalise.__wrapped__(text)


@lru_cache(maxsize=8_192)
def _normalise(text: str) -> str:
    plain = text if text.isascii() else unicodedata.normalize("NFKC", text).replace("’", "'")
    if _DIGIT.search(plain):
        if _POINTS.search(plain) and not is_cjk(plain) and not _is_english(plain):
            plain = _POINTS.sub(lambda match: match.group().translate(_EXCHANGED), plain)
        plain = _SPLIT_NUMBER.sub(r"\g<digit>\g<comma>", plain)
    return in_digits(plain)


def _is_english(text: str) -> bool:
    return language_of(text) == "en" and any(word.casefold() in _only("en") for word in words(text))


def is_cjk(text: str) -> bool:
    """Return whether the text is written in Chinese or Japanese.

    Example:
        >>> is_cjk("東京は首都です"), is_cjk("Tokyo is the capital")
        (True, False)
    """
    if text.isascii():
        return False
    head = text[:_CLUE_LENGTH]
    letters = len(_LETTERS.findall(head))
    return len(_KANA.findall(head)) + len(_HAN.findall(head)) > _SHARE_OF_CJK * letters


def language_of(text: str) -> Language:
    """Return the language of a text, from its script and function words.

    Short Latin text without a clue counts as English; a text without letters, of another
    script, or of Latin words of which none is known, is `other`.

    Example:
        >>> [language_of(t) for t in ("Where is it?", "Wo ist das?", "どこですか", "在哪里")]
        ['en', 'de', 'ja', 'zh']
    """
    head = text[:_CLUE_LENGTH]
    if is_cjk(head):
        return "ja" if _KANA.search(head) else "zh"
    folded = [word.casefold() for word in words(head)]
    german = sum(map(_only("de").__contains__, folded))
    english = sum(map(_only("en").__contains__, folded))
    fewest = _CLUE_SHARE * len(folded)
    umlaut = german == english and re.search("[äöüß]", head.casefold())
    if umlaut or (german > english and german >= fewest):
        return "de"
    if (english and english >= fewest) or (0 < len(folded) <= 3 and head.isascii()):
        return "en"
    return "other"


@cache
def _only(language: str) -> frozenset[str]:
    """Return the function words of English or German that the other does not have."""
    return function_words(language) - function_words("de" if language == "en" else "en")


def words(text: str) -> list[str]:
    """Return the words of a text as they stand, without numbers and CJK."""
    if has_cjk(text):
        return [match.group() for match in _TOKEN.finditer(text) if match.lastgroup == "word"]
    return [word for word in token_in(text).findall(text) if not word[0].isdigit()]


def terms(text: str) -> tuple[Term, ...]:
    """Return the terms of a text in order, function words included.

    Each CJK character gives itself and the pair with its left neighbour.

    Example:
        >>> [term.key for term in terms("Three cats slept for 1,500 hours")]
        ['3', 'cat', 'slept', 'for', '1500', 'hour']
        >>> [term.key for term in terms("二人の客")]
        ['2', '人', 'の', '人の', '客', 'の客']
    """
    return terms_of(normalise(text))


def terms_of(plain: str) -> tuple[Term, ...]:
    """Return the terms of a normalised text."""
    return tuple(map(_term, surfaces_of(plain)))


def has_cjk(text: str) -> bool:
    """Return whether any character is Chinese or Japanese."""
    return not text.isascii() and _ANY_CJK.search(text) is not None


def token_in(text: str) -> re.Pattern[str]:
    """Return the pattern of a word or number in a text without CJK."""
    return _ASCII_TOKEN if text.isascii() else _PLAIN_TOKEN


def surfaces_of(plain: str) -> list[str]:
    """Return the terms of a normalised text as they stand."""
    if not has_cjk(plain):
        return token_in(plain).findall(plain)
    surfaces: list[str] = []
    for match in _TOKEN.finditer(plain):
        surfaces.append(match.group())
        if match.lastgroup == "cjk":
            run = surfaces.pop()
            surfaces.append(run[0])
            for before, character in pairwise(run):
                surfaces += (character, before + character)
    return surfaces


def term_of(surface: str) -> Term:
    """Return the term of a surface."""
    if not surface.isascii() and _CJK_TERM.match(surface):
        return Term(surface, surface, "cjk")
    is_number = surface[0].isdigit() and number_of(surface) is not None
    return Term(key_of(surface), surface, "number" if is_number else "word")


def key_of(word: str) -> str:
    """Return what is compared of a word or number."""
    number = number_of(word) if word[0].isdigit() else None
    return stem(word) if number is None else number


_term = lru_cache(maxsize=65_536)(term_of)


def stem(word: str) -> str:
    """Return the stem of a word, casefolded: German if it has an umlaut, else English.

    Example:
        >>> stem("Connections"), stem("Müllers"), stem("N'Djaména")
        ('connect', 'mull', "n'djamena")
    """
    lower = word.lower().removesuffix("'s")
    if lower.isascii():
        return _stemming("english")(lower)
    if not _GERMAN_LETTERS.isdisjoint(lower):
        return _stemming("german")(lower)
    bare = unicodedata.normalize("NFD", lower)
    plain = "".join(letter for letter in bare if not unicodedata.combining(letter))
    return _stemming("english")(plain.casefold())


@cache
def _stemming(language: str) -> Callable[[str], str]:
    from Stemmer import Stemmer

    # what asks remembers more, and clears it sooner
    stem_word: Callable[[str], str] = Stemmer(language, maxCacheSize=0).stemWord
    return stem_word
