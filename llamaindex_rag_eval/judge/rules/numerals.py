"""Numbers in words and figures, brought to one form: plain digits."""

import re
import unicodedata
from functools import cache, lru_cache

from llamaindex_rag_eval.judge.rules.vocabulary import by_language, numbers_of, words_of

_AMBIGUOUS = frozenset(words_of("ambiguous"))
"""Words that are more often something else than a number."""
_SCALES = numbers_of("scales")
_UNIT_WORDS = frozenset(words_of("one"))
"""Words that are one before a scale."""
_HUNDREDS = {"tausend": 1000, "hundert": 100}
_ORDINAL_STEMS = {"er": 1, "drit": 3, "sieb": 7, "ach": 8}
_HEAD = 3
"""Letters by which a word is told that may be a number."""
_WORD = re.compile("[A-Za-zÄÖÜäöüßẞİıſ\u212a]+")
"""Letters of English and German, and what is one of them in another case."""
_SCALED = re.compile(
    rf"(?P<number>\d(?<![\d.,].)[\d.,]*)[ -]?"
    rf"(?P<scale>(?:{'|'.join(sorted(_SCALES, key=len, reverse=True))})(?![a-zäöüß])\.?)",
    re.IGNORECASE,
)
_ONE_OF = re.compile(r"\b(?:one|single)-(?=[a-z])", re.IGNORECASE)
_AND_A_HALF = re.compile(r"(?P<whole>\b\d+|\bone) and a half\b", re.IGNORECASE)

_UNKNOWN = "几何多数"
_RUN = re.compile(
    rf"(?<![〇零一二两兩三四五六七八九十百千万萬億亿{_UNKNOWN}])"
    r"(?P<run>(?:\d+(?:,\d{3})*(?:\.\d+)?|[〇零一二两兩三四五六七八九十百]|千(?=[一二三四五六七八九]?[百十]))"
    r"(?:[\d〇零一二两兩三四五六七八九十百万萬億亿]|千(?![克米瓦卡赫字])|兆(?![瓦赫字]))*)"
    r"(?P<after>.?)",
    re.DOTALL,
)
_VERY = re.compile(r"十分(?![之の])")
_PIECE = re.compile(r"\d+(?:,\d{3})*(?:\.\d+)?|.")
_COUNTERS = frozenset(
    "人つ匹頭台羽本枚個名歳才階回冊杯両軒着足件只隻艘機棟基列段切皿束脚"
    "个位次天年月日号時时点點分秒小週周星倍度元円圆块米克斤公升里层岁期季刻所条张座家篇项種种页頁章级"
    "ドユメグキセトリパポカヶか箇錠片粒滴步歩比対对成割打席毫厘千兆"
)
_BEFORE = ("第", "週", "周", "期", "分之", "分の", "块", "成", "割")
_ARTICLE_LIKE = frozenset("个個位種种些点點度条张座家件只名本所级切段期")
"""Counters before which "one" is mostly an article or part of a word."""


def number_of(token: str) -> str | None:
    """Return the number that a token of `in_digits` writes, in plain digits, or None.

    Thousands are joined, trailing zeros of decimals and ordinal endings dropped.

    Example:
        >>> [number_of(token) for token in ("1,500", "3.50", "21st", "1980s", "cat")]
        ['1500', '3.5', '21', '1980', None]
    """
    if not token[:1].isdigit():  # most tokens
        return None
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


def in_digits(text: str) -> str:
    """Write the numbers of a text in digits: words of English and German, and CJK characters.

    "one" alone, "second" and "null" stay words, as do "一" before a counter that makes it an article
    and characters that count nothing: they are mostly something else.

    Example:
        >>> in_digits("twenty-five seats, zweieinhalb Liter, 1.2 million, the third one")
        '25 seats, 2.5 Liter, 1,200,000, the 3rd one'
        >>> in_digits("one of them, a single-zone model")
        'one of them, a 1-zone model'
        >>> in_digits("二人と十二匹、一緒に"), in_digits("3億円と百分之六")
        ('2人と12匹、一緒に', '300,000,000円と100分之6')
    """
    if not text.isascii():
        text = _RUN.sub(_characters, text)
    text = _words(text)
    lower = text.lower()  # what stands in few texts is first looked for where that is quick
    if "half" in lower:
        text = _AND_A_HALF.sub(_with_half, text)
    if "e-" in lower:
        text = _ONE_OF.sub("1-", text)
    return _SCALED.sub(_scaled, text)


def _with_half(match: re.Match[str]) -> str:
    return f"{1 if match['whole'].lower() == 'one' else match['whole']}.5"


def _scaled(match: re.Match[str]) -> str:
    number = number_of(match["number"].rstrip(".,"))
    if number is None or number.count(".") > 1:
        return match.group()
    return _grouped(float(number) * _SCALES[match["scale"].lower().rstrip(".")])


def _grouped(number: float) -> str:
    """Write a number with commas, so that no thousand looks like a year."""
    return f"{round(number):,}" if abs(number - round(number)) < 1e-6 else f"{number:g}"


# ------------------------------------------------------------------ words


def _words(text: str) -> str:
    heads = _heads()
    likely = [word for word in {*_WORD.findall(text.lower())} if word[:_HEAD] in heads]
    if all(word not in _SCALES and _number_word(word) is None for word in likely):
        return text
    pieces, at, end = [], 0, 0
    words = list(_WORD.finditer(text))
    while at < len(words):
        named = [each.group().lower() for each in words[at : at + 2]]
        value = _number_word(named[0])
        if named[0] in _UNIT_WORDS and named[-1] in _SCALES:
            value = 1.0
        start, at = words[at].start(), at + 1
        if value is None:
            continue
        last = words[at - 1].group().lower()
        while at < len(words):
            gap, word = text[words[at - 1].end() : words[at].start()], words[at].group().lower()
            skipped = word == "and" and value >= 100 and at + 1 < len(words)
            next_ = words[at + 1].group().lower() if skipped else word
            more = 1.0 if next_ == "one" else _number_word(next_)
            if gap not in (" ", "-") or not (word in _SCALES or _fits(value, more)):
                break
            if word in _SCALES:
                value = _grown(value, _SCALES[word])
            else:
                value += more or 0
            at += 1 + skipped
            last = words[at - 1].group().lower()
        pieces += [text[end:start], _grouped(value) + _ordinal(last, value)]
        end = words[at - 1].end()
    return "".join([*pieces, text[end:]])


def _grown(value: float, scale: float) -> float:
    """Return a number with the word of a scale behind it: "two thousand three | hundred"."""
    rest = value % 1000 if scale == 100 else value
    return value - rest + rest * scale


def _fits(number: float, more: float | None) -> bool:
    """Return whether a number word goes on with another, as "twenty" does with "five"."""
    size = 10 if number % 100 else 100 if number % 1000 else 1000
    return more is not None and number >= 20 and 0 < more < size and not number % size


def _ordinal(word: str, value: float) -> str:
    if re.search(r"\wte[nrsm]?$", word):
        return "."
    ordinal = word.endswith("th") or word in ("first", "third", "second")
    return {1: "st", 2: "nd", 3: "rd"}.get(int(value) % 10, "th") if ordinal else ""


@cache
def _table() -> dict[str, float]:
    rows = [*by_language("numerals").values(), *by_language("ordinals").values()]
    table = {word: float(value) for row in rows for value, word in enumerate(row.split())}
    plain = {word: value for word, value in table.items() if word not in _AMBIGUOUS}
    return plain | numbers_of("tens")


@cache
def _heads() -> frozenset[str]:
    """Return how a number word may begin, as "dre" for "dreiundzwanzig": few other words do."""
    ordinals = [f"{stem}ste" for stem in _ORDINAL_STEMS]
    return frozenset(word[:_HEAD] for word in (*_table(), *_SCALES, *_HUNDREDS, *ordinals))


@lru_cache(maxsize=65_536)
def _number_word(word: str) -> float | None:
    """Return what a number word of English or German in small letters says, or None.

    Example:
        >>> [_number_word(word) for word in ("seven", "dreiundzwanzig", "zweieinhalb", "dritten")]
        [7.0, 23.0, 2.5, 3]
    """
    known = _table()
    if word in known:
        return known[word]
    for part, factor in _HUNDREDS.items():
        head, separator, tail = word.partition(part)
        if separator and (head or tail):
            many = 1 if head in {"", "ein"} else _number_word(head)
            rest = _number_word(tail.removeprefix("und")) if tail else 0
            return None if many is None or rest is None else many * factor + rest
    if word.endswith("einhalb") and (whole := known.get(word.removesuffix("einhalb"))):
        return whole + 0.5
    if word.endswith("mal") and len(word) > 6:
        return known.get(word.removesuffix("mal"))
    ones, link, tens = word.rpartition("und")
    if link and tens in known and (ones == "ein" or ones in known):
        return known[tens] + (1 if ones == "ein" else known[ones])
    ordinal = re.fullmatch(r"(.+?)(s?te[nrsm]?)", word) if "te" in word else None
    if ordinal is None:
        return None
    stem = ordinal[1]
    return _ORDINAL_STEMS.get(stem) or _number_word(stem)


# ------------------------------------------------------------------ characters


def _characters(match: re.Match[str]) -> str:
    """Write a run of characters in digits, if it counts something or is a large number."""
    run, after = match["run"], match["after"]
    before = match.string[max(0, match.start() - 2) : match.start()]
    if not re.search(r"[^\d.,]", run) or _VERY.match(match.string, match.start()):
        return match.group()
    with_half = match.string.startswith("半", match.end())
    if run == "一" and after in _ARTICLE_LIKE and not (before.endswith("第") or with_half):
        return match.group()
    counted = (after and after in _COUNTERS) or before.endswith(_BEFORE)
    large = len(run) > 1 and (run[0].isdigit() or len(run) > 2 or set(run) & set("十百千万億亿"))
    if not (counted or large):
        return match.group()
    value = _value(run)
    return (value.replace(",", "") if after == "年" else value) + after


def _value(run: str) -> str:
    pieces = _PIECE.findall(run)
    sizes = [
        float(piece.replace(",", ""))
        if piece[0].isdecimal()  # of any script
        else unicodedata.numeric(piece.replace("两", "兩"))
        for piece in pieces
    ]
    if all(size < 10 for size in sizes):
        return "".join(f"{size:.0f}" for size in sizes)
    total = part = 0.0
    for piece, size in zip(pieces, sizes, strict=True):
        if piece[0].isdecimal() or size < 10:
            part += size
        elif size < 10_000:
            ones = part % 10
            part += (ones or 1) * size - ones
        else:
            total, part = total + (part or 1) * size, 0.0
    return _grouped(total + part)
