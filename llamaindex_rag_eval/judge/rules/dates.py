"""Dates and times of the day: their parts, as a text in four languages gives them."""

import re
from collections.abc import Iterable, Iterator, Mapping

from llamaindex_rag_eval.judge.rules.vocabulary import by_language, numbers_of, pattern_of, union_of


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


_DATES = [
    _compiled(pattern) for row in (*by_language("dates").values(), _ANYWHERE) for pattern in row
]


def dates_in(plain: str) -> Iterator[tuple[int, int, dict[str, int]]]:
    """Yield the dates and times of a text in small letters, each with its place and its parts."""
    for pattern in _DATES:
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
