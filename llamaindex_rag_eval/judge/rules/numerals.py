"""Numbers in words and figures, brought to one form: plain digits."""

import re
from functools import cache, lru_cache

__all__ = ["kanji_counts_as_digits", "number_of"]

_ENGLISH = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen
sixteen seventeen eighteen nineteen twenty
"""
_ENGLISH_ORDINAL = """
zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth
fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth
"""
_GERMAN = """
null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn
sechzehn siebzehn achtzehn neunzehn zwanzig
"""
_ENGLISH_TENS = "thirty forty fifty sixty seventy eighty ninety"
_KEPT_AS_WORDS = frozenset({"one", "second", "null", "acht"})
"""Words that are more often something else than a number."""

_KANJI = dict(zip("〇一二三四五六七八九", range(10), strict=True))
_KANJI_COUNT = re.compile(
    r"(?<![〇一二三四五六七八九十百千万第])([一二三四五六七八九十]{1,3})"
    r"(?=[人つ匹頭台羽本枚個名歳才階回冊杯両軒着足件只隻艘機棟基列段切皿束脚])"
)


def number_of(token: str) -> str | None:
    """Return the number that a token writes, in plain digits, or None if it writes none.

    Thousands are joined, trailing zeros of decimals and ordinal endings dropped. "one" and
    "second" stay words: they rarely count anything.

    Example:
        >>> [number_of(token) for token in ("1,500", "3.50", "21st", "seven", "Twelve", "cat")]
        ['1500', '3.5', '21', '7', '12', None]
    """
    if token[0].isdigit():
        return _plain_digits(token)
    return _number_words().get(token.casefold())


def _plain_digits(token: str) -> str | None:
    body = re.sub(r"(?:st|nd|rd|th|s)$", "", token)
    if not re.fullmatch(r"\d+(?:[.,]\d+)*", body):
        return None
    grouped = re.fullmatch(r"\d{1,3}(?:([.,])\d{3})(?:\1\d{3})*", body)
    if grouped and (grouped.group(1) == "," or body.count(".") > 1):
        body = body.replace(grouped.group(1), "")
    elif re.fullmatch(r"\d{1,3}(?:,\d{3})+\.\d+", body):
        body = body.replace(",", "")
    body = body.replace(",", ".")
    if body.count(".") == 1:
        body = body.rstrip("0").rstrip(".")
    return body.lstrip("0") or "0"


@cache
def _number_words() -> dict[str, str]:
    table = {
        word: str(value)
        for words in (_ENGLISH, _ENGLISH_ORDINAL, _GERMAN)
        for value, word in enumerate(words.split())
    }
    table |= {word: str(10 * tens) for tens, word in enumerate(_ENGLISH_TENS.split(), start=3)}
    return {word: value for word, value in table.items() if word not in _KEPT_AS_WORDS}


def kanji_counts_as_digits(text: str) -> str:
    """Write Japanese and Chinese counts of people and things in digits.

    Example:
        >>> kanji_counts_as_digits("二人と十二匹、一緒に")
        '2人と12匹、一緒に'
    """
    if text.isascii():
        return text
    return _KANJI_COUNT.sub(lambda match: _kanji_value(match.group(1)), text)


@lru_cache(maxsize=1024)
def _kanji_value(numeral: str) -> str:
    if "十" not in numeral:
        return "".join(str(_KANJI[character]) for character in numeral)
    tens, _, ones = numeral.partition("十")
    return str(10 * (_KANJI[tens] if tens else 1) + (_KANJI[ones] if ones else 0))
