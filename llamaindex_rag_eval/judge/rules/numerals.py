"""Numbers in words and figures, brought to one form: plain digits."""

import re
from functools import cache, lru_cache

__all__ = ["kanji_counts_as_digits", "number_of", "number_word"]

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
_GERMAN_TENS = "zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig"
_KEPT_AS_WORDS = frozenset({"one", "second", "null", "acht"})
"""Words that are more often something else than a number."""
_TIMES = {"twice": 2, "thrice": 3}

_KANJI = dict(zip("〇一二三四五六七八九", range(10), strict=True)) | {"零": 0, "两": 2, "兩": 2}
_SMALL = {"十": 10, "百": 100, "千": 1000}
_LARGE = {"万": 10**4, "萬": 10**4, "億": 10**8, "亿": 10**8, "兆": 10**12}
_RUN = re.compile(
    r"(?<![〇零一二两兩三四五六七八九十百千万萬億亿数几何多])"
    r"(?P<run>(?:\d+(?:,\d{3})*(?:\.\d+)?|[〇零一二两兩三四五六七八九十百])"
    r"(?:[\d〇零一二两兩三四五六七八九十百万萬億亿]|千(?![克米瓦卡赫])|兆(?![瓦赫]))*)"
    r"(?P<after>.?)",
    re.DOTALL,
)
_COUNTERS = frozenset(
    "人つ匹頭台羽本枚個名歳才階回冊杯両軒着足件只隻艘機棟基列段切皿束脚"
    "个位次天年月日号時时点點分秒小週周星倍度元円円圆块米克斤公升里层岁期季刻所条张座家篇项種种篇页頁章级"
    "万億亿ドユメグキセトリパポカヶか箇錠片粒滴种步歩比対对成割打"
)
_ARTICLE_LIKE = frozenset("个個位种種些点點度条张座家件只名本所级切段期")
"""Counters before which "one" is mostly an article or part of a word."""


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
    folded = token.casefold()
    if folded in _KEPT_AS_WORDS:
        return None
    value = number_word(folded)
    return None if value is None else f"{value:g}" if value < 10**6 else str(int(value))


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
def _number_words() -> dict[str, float]:
    table: dict[str, float] = {
        word: value
        for words in (_ENGLISH, _ENGLISH_ORDINAL, _GERMAN)
        for value, word in enumerate(words.split())
    }
    for tens, word in enumerate(_ENGLISH_TENS.split(), start=3):
        table[word] = table[f"{word[:-1]}ieth"] = 10 * tens
    for tens, word in enumerate(_GERMAN_TENS.split(), start=2):
        table[word] = 10 * tens
    return table | _TIMES | {"zwo": 2, "anderthalb": 1.5}


@lru_cache(maxsize=16_384)
def number_word(word: str) -> float | None:
    """Return what a number word of English or German in small letters says, or None.

    Example:
        >>> [number_word(word) for word in ("seven", "dreiundzwanzig", "zweieinhalb", "dritten")]
        [7, 23, 2.5, 3]
    """
    known = _number_words()
    if word in known:
        return known[word]
    for part, factor in (("tausend", 1000), ("hundert", 100)):
        head, found, tail = word.partition(part)
        if found:
            many = 1 if head in {"", "ein"} else number_word(head)
            rest = number_word(tail.removeprefix("und")) if tail else 0
            return None if many is None or rest is None else many * factor + rest
    if word.endswith("einhalb") and (whole := known.get(word.removesuffix("einhalb"))):
        return whole + 0.5
    if word.endswith("mal") and len(word) > 6:
        return known.get(word.removesuffix("mal"))
    ones, link, tens = word.rpartition("und")
    if link and tens in known and (ones == "ein" or ones in known):
        return known[tens] + (1 if ones == "ein" else known[ones])
    ordinal = re.fullmatch(r"(.+?)(s?te[nrsm]?)", word)
    if ordinal is None:
        return None
    if ordinal[1] in {"er", "drit", "sieb"}:
        return {"er": 1, "drit": 3, "sieb": 7}[ordinal[1]]
    return number_word(ordinal[1]) if ordinal[1] != "ach" else 8


def kanji_counts_as_digits(text: str) -> str:
    """Write Japanese and Chinese numbers of things, and large ones, in digits.

    Example:
        >>> kanji_counts_as_digits("二人と十二匹、一緒に"), kanji_counts_as_digits("3億円と百分之六")
        ('2人と12匹、一緒に', '300000000円と百分之6')
    """
    if text.isascii():
        return text
    text = text.replace("百分之", "\ue000").replace("分之", "\ue001").replace("分の", "\ue002")
    text = _RUN.sub(_as_digits, text)
    return text.replace("\ue000", "百分之").replace("\ue001", "分之").replace("\ue002", "分の")


def _as_digits(match: re.Match[str]) -> str:
    run, after = match["run"], match["after"]
    before = match.string[match.start() - 1 : match.start()]
    if not re.search(r"[^\d.,]", run) or (run == "十" and after == "分"):
        return match.group()
    counted = after in _COUNTERS or "\ue000" <= after <= "\ue002" or "\ue000" <= before <= "\ue001"
    counted = counted or (bool(before) and before in "第週周期")
    if run == "一" and after in _ARTICLE_LIKE and before != "第":
        return match.group()
    large = len(run) > 1 and (run[0].isdigit() or any(each in "十百千万億亿" for each in run))
    value = _kanji_value(run) if counted or large or (len(run) > 2) else None
    return match.group() if value is None else value + after


@lru_cache(maxsize=1024)
def _kanji_value(run: str) -> str | None:
    if all(each in _KANJI for each in run):
        return "".join(str(_KANJI[each]) for each in run)
    total = part = 0.0
    for piece in re.findall(r"\d+(?:,\d{3})*(?:\.\d+)?|.", run):
        if piece[0].isdigit() and piece[0].isascii():
            part += float(piece.replace(",", ""))
        elif piece in _KANJI:
            part += _KANJI[piece]
        elif piece in _SMALL:
            ones = part % 10
            part += (ones or 1) * _SMALL[piece] - ones
        elif piece in _LARGE:
            total += (part or 1) * _LARGE[piece]
            part = 0.0
        else:
            return None
    value = total + part
    return str(int(value)) if value == int(value) else f"{value:g}"
