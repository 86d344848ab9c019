"""Terms: the words, numbers and CJK n-grams by which two texts are compared.

Chinese and Japanese have no spaces: their terms are single characters and pairs of neighbouring
characters, and whole runs of katakana.
"""

import re
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar

from llamaindex_rag_eval.judge.rules.numerals import in_digits, number_of
from llamaindex_rag_eval.judge.rules.vocabulary import function_words

if TYPE_CHECKING:
    from Stemmer import Stemmer


Language = Literal["en", "de", "ja", "zh", "other"]
Kind = Literal["word", "number", "cjk"]
Made = TypeVar("Made")

_CJK = "\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_TOKEN = re.compile(
    rf"(?P<katakana>[\u30a1-\u30fa\u30fc]{{2,}})"
    rf"|(?P<cjk>[{_CJK}])"
    rf"|(?P<number>\d+(?:[.,]\d+)*(?:st|nd|rd|th|s)?(?!(?![{_CJK}])[^\W\d_]))"
    rf"|(?P<word>(?:(?![{_CJK}])[^\W_])+(?:['’](?:(?![{_CJK}])[^\W_])+)?)"
)
_ANY_CJK = re.compile(f"[{_CJK}]")
PLAIN_TOKEN = re.compile(r"\d+(?:[.,]\d+)*(?:st|nd|rd|th|s)?(?![^\W\d_])|[^\W_]+(?:['’][^\W_]+)?")
"""The same in a text without CJK, where it is quicker to find."""
_SPLIT_NUMBER = re.compile(r"(?P<digit>\d)(?:\s(?P<comma>,)\s(?=\d{3}\b)|\s?'\s?(?=s\b))")
"""Spaces that tokenised text has within a number, and the apostrophe of decades."""
_POINTS = re.compile(r"[1-9](?<![\d.,].)\d{0,2}(?:\.\d{3})+(?:,\d+)?(?![\d.]*\d)")
"""A number whose points part thousands in German; one alone parts decimals in English."""
_THIN = re.compile("(?<=\\d)[\u00a0\u2009\u202f](?=\\d{3}(?!\\d))")
_BLANKS = re.compile(
    r"(?<![\d.,])[1-9]\d{0,2}(?: \d{3})+(?=(?:,\d+)? ?[^\W\d]|(?:,\d+)? ?[€$£%])(?!\d)"
)
"""A number whose blanks part thousands, before what it counts; in English they part numbers."""
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


def _normal_form(text: str) -> str:
    """Return a text in NFKC; narrow blanks between the thousands of a number are left out."""
    return unicodedata.normalize("NFKC", _THIN.sub("", text)).replace("’", "'")


@lru_cache(maxsize=8_192)
def _normalise(text: str) -> str:
    plain = text if text.isascii() else _normal_form(text)
    if _DIGIT.search(plain):
        points, blanks = _POINTS.search(plain), _BLANKS.search(plain)
        if (points or blanks) and not is_cjk(plain) and not _is_english(plain):
            plain = _BLANKS.sub(lambda match: match.group().replace(" ", ""), plain)
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
    if text.isascii() or not _ANY_CJK.search(text):
        return [word for word in PLAIN_TOKEN.findall(text) if not word[0].isdigit()]
    return [match.group() for match in _TOKEN.finditer(text) if match.lastgroup == "word"]


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
    return tuple(map_terms(plain, _term, lambda key: Term(key, key, "cjk")))


def map_terms(plain: str, word: Callable[[str], Made], cjk: Callable[[str], Made]) -> list[Made]:
    """Return what is made of each word or number of a normalised text, and of its CJK terms."""
    if plain.isascii() or not _ANY_CJK.search(plain):
        return [*map(word, PLAIN_TOKEN.findall(plain))]
    parts: list[Made] = []
    last_end = -1
    last_cjk = ""
    for match in _TOKEN.finditer(plain):
        surface, group = match.group(), match.lastgroup
        if group == "cjk":
            parts.append(cjk(surface))
            if last_cjk and match.start() == last_end:
                parts.append(cjk(last_cjk + surface))
            last_cjk = surface
        else:
            parts.append(word(surface))
            last_cjk = ""
        last_end = match.end()
    return parts


def term_of(surface: str) -> Term:
    """Return the term of a word or number as it stands."""
    if (number := number_of(surface)) is not None:
        return Term(number, surface, "number")
    return Term(stem(surface), surface, "word")


_term = lru_cache(maxsize=65_536)(term_of)


def stem(word: str) -> str:
    """Return the stem of a word, casefolded: German if it has an umlaut, else English.

    Example:
        >>> stem("Connections"), stem("Müllers"), stem("N'Djaména")
        ('connect', 'mull', "n'djamena")
    """
    lower = word.lower().removesuffix("'s")
    if not lower.isascii() and not _GERMAN_LETTERS.isdisjoint(lower):
        return str(_stemmer("german").stemWord(lower))
    if not lower.isascii():
        bare = unicodedata.normalize("NFD", lower)
        lower = "".join(letter for letter in bare if not unicodedata.combining(letter))
    return str(_stemmer("english").stemWord(lower.casefold()))


@cache
def _stemmer(language: str) -> "Stemmer":
    from Stemmer import Stemmer

    return Stemmer(language, maxCacheSize=0)  # `_term` remembers more, and clears it sooner
