"""Values: the quantities, dates, times and codes of a text, read so that they can be compared.

"Twelve kilograms" and "12 kg" are one value, so are "3 May 1998" and "1998-05-03", "halb neun
abends" and "20:30". Two values conflict if they are of one kind and not the same.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from llamaindex_rag_eval.judge.rules.codes import codes_in
from llamaindex_rag_eval.judge.rules.quantities import (
    Value as Value,
    bounded,
    joined,
    numbers_in,
    shares_in,
    unit_at,
)
from llamaindex_rag_eval.judge.rules.tokens import normalise
from llamaindex_rag_eval.judge.rules.vocabulary import by_language, numbers_of, pattern_of, union_of

_CLUE_WORDS = (
    r"半|[周期]|曜|hal[bf]|hälfte|viertel|quarter|\bone\b|\bein\w?\w?\b|\bhour\b"
    r"|\b(?:{month}|(?:{long_day})s?)\b"
)


def values_of(text: str) -> tuple[Value, ...]:
    """Return the values of a text in its order.

    Example:
        >>> [value.readings for value in values_of("It weighs twelve kilograms.")]
        [(('gram', 12000.0),)]
        >>> [value.fields for value in values_of("seit dem 3. Mai 1998")]
        [(('d', 3), ('m', 5), ('y', 1998))]
        >>> [(value.number, value.bound) for value in values_of("not more than 4 a day")]
        [(4.0, -1)]
    """
    return values_in(normalise(text))


@lru_cache(maxsize=8_192)
def values_in(plain: str) -> tuple[Value, ...]:
    """Return the values of a normalised text in its order."""
    amounts = [*codes_in(plain)]
    for code in amounts:
        plain = plain[: code.start] + "\0" * (code.end - code.start) + plain[code.end :]
    plain = plain.lower()
    if not _CLUE.search(plain):
        return tuple(amounts)
    for read in (_dates, shares_in, numbers_in):
        values = [*read(plain)]
        for value in values:
            plain = plain[: value.start] + "\0" * (value.end - value.start) + plain[value.end :]
        amounts += values
    placed = sorted(amounts, key=lambda value: value.start)
    return tuple(bounded(value, plain) for value in joined(placed, plain))


def _dates(plain: str) -> Iterator[Value]:
    for start, end, fields in dates_in(plain):
        if plain[start:end].isdigit() and unit_at(plain, end)[0]:
            continue  # "1500 megabytes" is no year
        yield Value("date", fields=tuple(sorted(fields.items())), start=start, end=end)


def agree(claim: Value, source: Value) -> bool:
    """Return whether a source's value bears out a claim's.

    Example:
        >>> one, other, far = values_of("1500 ml, 1.5 litres, 1.5 gallons")
        >>> agree(one, other), agree(one, far)
        (True, False)
    """
    if claim.kind != source.kind:
        return bool(_bare(claim)) and _bare(claim) == _bare(source)
    if claim.kind == "code":
        return claim.code == source.code
    if claim.kind == "date":
        own, theirs = dict(claim.fields), _widened(source)
        shared = own.keys() & theirs.keys()
        return bool(shared) and all(
            _same_field(key, own[key], theirs[key], own, theirs) for key in shared
        )
    if claim.bound * source.bound < 0:
        return False
    if claim.readings and source.readings:
        return any(
            dimension == other and _near(size, true)
            for dimension, size in claim.readings
            for other, true in source.readings
        )
    if claim.readings or source.readings:
        (reading, bare) = (claim, source) if claim.readings else (source, claim)
        ratio = [size for name, size in reading.readings if name == "ratio"]
        return _near(reading.number, bare.number) or any(_near(size, bare.number) for size in ratio)
    return abs(claim.number - source.number) <= 1e-6 * abs(claim.number)  # 3.10 is no 3.11 rounded


def _bare(value: Value) -> str:
    """Return a year, a day, a release as "3.10" or a number as a bare number, else ""."""
    fields = dict(value.fields)
    if fields.keys() in ({"y"}, {"d"}):
        return str(next(iter(fields.values())))
    if fields.keys() == {"d", "m"}:
        return f"{fields['d']}.{fields['m']}"  # "5.2." may be a version at the end of a sentence
    if value.kind == "code":
        return f"{float(value.code):g}" if value.code.replace(".", "", 1).isdigit() else ""
    return "" if value.readings or fields else f"{value.number:g}"


def _near(first: float, other: float) -> bool:
    """Return whether two numbers are equal, or one is the other rounded by less than 1 %."""
    gap, size = abs(first - other), max(abs(first), abs(other))
    if gap <= 1e-6 * size:
        return True
    if gap > 0.01 * size:
        return False
    decimals = [len(f"{each:.6f}".rstrip("0").partition(".")[2]) for each in (first, other)]
    return decimals[0] != decimals[1] and round(first, min(decimals)) == round(other, min(decimals))


def _widened(value: Value) -> dict[str, int]:
    """Return the parts of a date with what follows from them."""
    fields = dict(value.fields)
    if "y" in fields:
        fields.setdefault("decade", fields["y"] // 10)
    if "decade" in fields:
        fields.setdefault("century", fields["decade"] // 10 + 1)
    return fields


def _same_field(
    key: str, own: int, theirs: int, claim: Mapping[str, int], source: Mapping[str, int]
) -> bool:
    if key == "t" and max(own, theirs) >= 2 * 1440:
        return own % 720 == theirs % 720
    if key in "dm" and {"d", "m"} <= claim.keys() & source.keys() and "either" in {*claim, *source}:
        return {claim["d"], claim["m"]} == {source["d"], source["m"]}
    return own == theirs


def compete(claim: Value, source: Value) -> bool:
    """Return whether two values are of one kind, so that one of them cannot be the other."""
    if claim.kind == "date" and source.kind == "date":
        return not _widened(claim).keys().isdisjoint(_widened(source))
    if claim.kind != source.kind:
        return False
    if claim.kind == "code":
        return _form(claim.code) == _form(source.code)
    if claim.readings and source.readings:
        return claim.shares_unit(source) or _near(claim.number, source.number)
    return True


def _form(code: str) -> str:
    """Return what a code is: a path, or by its first letter a flag, version or name."""
    return "/" if "/" in code else "a" if code[0].isalpha() else code[0] if code[0] == "-" else "0"


def _numbered(kind: str) -> dict[str, int]:
    """Return the names of months or days, each with its number."""
    rows = by_language(kind).values()
    return {
        word: number
        for row in rows
        for number, names in enumerate(row.split(), start=1)
        for word in names.split("/")
    }


def any_of(words: Iterable[str]) -> str:
    """Return a pattern for any of some words, the longest first."""
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


MONTHS, _WEEKDAY = _numbered("months"), _numbered("weekdays")
_ERAS = {era: int(year) for era, year in numbers_of("eras").items()}
_EVENING = pattern_of("evening")
_SHIFTS = numbers_of("shifts")
_SHAPES = {
    "{month}": any_of(MONTHS),
    "{long_month}": any_of(word for word in MONTHS if len(word) > 3),
    "{long_day}": any_of(word for word in _WEEKDAY if len(word) > 1),
    "{era}": any_of(_ERAS),
    "{shift}": f"(?:a )?(?P<shift>{any_of(_SHIFTS)})",
    "{half}": f"(?P<half>{union_of('morning')}|{union_of('evening')})",
    "{half0}": f"(?P<half0>{union_of('morning')}|{union_of('evening')})",
}
"""What stands in braces in a pattern of a date."""
_ANYWHERE = (
    r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)",
    r"(?<!\d)(?P<d>\d{1,2})(?P<sep>[./])(?P<m>\d{1,2})(?P=sep)(?P<y>\d{4})?(?!\d)",
    r"\b(?P<d>\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?(?P<month>{month})\b\.?(?:,? (?P<y>\d{4}))?",
    r"\b(?P<month>{month})\b\.? (?P<d>\d{1,2})(?:st|nd|rd|th)?(?!\d|[.:,]\d)(?:,? (?P<y>\d{4}))?",
    r"\b(?P<month>{month})\b\.?,? (?P<y>\d{4})",
    r"\b(?P<month>{long_month})\b",
    r"\b(?P<weekday>{long_day})s?\b",
    r"(?:{half0}の?)?(?<![\d.:])(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::\d\d)?(?![\d:]|[.,]\d)(?: ?uhr\b)?"
    r"(?:,? {half}| ?(?P<m12>[ap])\.?m\b\.?)?",
    r"(?<![\d.,:/-])(?P<y>1[0-9]{3}|20\d\d)(?![\d.,:/%°-]*\d|(?![年のにかま至到])[\u3040-\u9fff])",
)


def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(re.sub(r"\{[a-z_0]+\}", lambda shape: _SHAPES[shape.group()], pattern))


_CLUE = _compiled(rf"\d|{_CLUE_WORDS}")
"""What a text with a value has."""
_DATED = _compiled(rf"{_CLUE_WORDS}|\d(?![\d ,;)]|[.:](?!\d))|(?<!\d)(?:\d{{1,3}}|\d{{5,}})(?!\d)")
"""What a text with a date has that is more than a year."""
_DATES = [
    _compiled(pattern) for row in (*by_language("dates").values(), _ANYWHERE) for pattern in row
]


def dates_in(plain: str) -> Iterator[tuple[int, int, dict[str, int]]]:
    """Yield the dates and times of a text in small letters, each with its place and its parts."""
    for pattern in _DATES if _DATED.search(plain) else _DATES[-1:]:
        taken = []
        for match in pattern.finditer(plain):
            parts = {name: part for name, part in match.groupdict().items() if part}
            if fields := _fields(parts):
                taken.append(match.span())
                yield (*match.span(), fields)
        for start, end in taken:
            plain = plain[:start] + "\0" * (end - start) + plain[end:]


def _fields(parts: Mapping[str, str]) -> dict[str, int]:
    """Return the parts of a date or a time; none if they are not possible."""
    named = ("y", "m", "d", "w", "century", "decade")
    fields = {name: int(parts[name]) for name in named if name in parts}
    if "month" in parts:
        fields["m"] = MONTHS[parts["month"]]
    if day := parts.get("weekday") or parts.get("east"):
        fields["w"] = _WEEKDAY[day]
    if parts.get("sep") == "/" and max(fields["d"], fields["m"]) <= 12:
        fields["either"] = 1
    if "era" in parts:
        fields["y"] = _ERAS[parts["era"]] + int(parts["of"])
    if "hundreds" in parts:
        fields["century"] = int(parts["hundreds"]) + 1
    if quarter := parts.get("quarter_of_year"):
        fields["q"] = 2 if quarter == "second" else int(quarter)
    minutes = _clock(parts)
    if minutes is not None:
        fields["t"] = minutes
    wrong = fields.get("m", 1) > 12 or not 0 < fields.get("d", 1) < 32
    return {} if wrong else fields


def _clock(parts: Mapping[str, str]) -> int | None:
    """Return minutes since midnight; over 2880 where morning and evening are left open."""
    if "hour" not in parts:
        return None
    hours = int(parts["hour"])
    minutes = int(parts.get("minute") or parts.get("minute1") or 0)
    minutes += 30 if "thirty" in parts else 15 * int(parts.get("quarter", 0))
    minutes += int(_SHIFTS.get(parts.get("shift", ""), 0))
    if not 0 <= hours + minutes / 60 < 25 or minutes > 59:
        return None
    half = parts.get("m12") or parts.get("half") or parts.get("half0") or ""
    if half == "p" or _EVENING.fullmatch(half):
        return (hours % 12 + 12) * 60 + minutes
    known = bool(half) or hours > 12 or hours == 0
    return hours * 60 + minutes + (0 if known else 2 * 1440)
