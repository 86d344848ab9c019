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


def _any(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


_MONTH, _WEEKDAY = _numbered("months"), _numbered("weekdays")
_LONG_MONTHS = [word for word in _MONTH if len(word) > 3]
_LONG_DAYS = [word for word in _WEEKDAY if len(word) > 1]
_ERAS = {era: int(year) for era, year in numbers_of("eras").items()}
_EVENING = pattern_of("evening")
_HALF = f"(?P<half>{union_of('morning')}|{union_of('evening')})"
_BEHIND = rf"(?:,? {_HALF}| ?(?P<m12>[ap])\.?m\b\.?)?"
_TO = r"(?P<to>viertel vor|(?:a )?quarter to|dreiviertel|halb)"
_PAST = r"(?P<past>half past|viertel nach|(?:a )?quarter past)"
_SHIFTS = {"halb": -30, "half past": 30, "viertel nach": 15, "quarter past": 15}
_DATES = [
    re.compile(pattern)
    for pattern in (
        r"(?P<y>\d{4})[-/.](?P<m>\d{1,2})[-/.](?P<d>\d{1,2})(?!\d)",
        r"(?<!\d)(?P<d>\d{1,2})(?P<sep>[./])(?P<m>\d{1,2})(?P=sep)(?P<y>\d{4})?(?!\d)",
        rf"(?:(?P<era>{'|'.join(_ERAS)})(?P<of>\d{{1,2}})|(?P<y>\d{{4}}))年"
        r"(?:(?P<m>\d{1,2})月)?(?:(?P<d>\d{1,2})[日号號](?![间間]))?",
        r"(?<!\d)(?P<m>\d{1,2})月(?:(?P<d>\d{1,2})[日号號](?![间間]))?",
        r"(?<!\d)(?P<d>(?!1日)\d{1,2})[日号號](?![间間後后内以]|に?\d)",
        rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?(?P<month>{_any(_MONTH)})\b\.?(?:,? (?P<y>\d{{4}}))?",
        rf"\b(?P<month>{_any(_MONTH)})\b\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?!\d|[.:,]\d)(?:,? (?P<y>\d{{4}}))?",
        rf"\b(?P<month>{_any(_MONTH)})\b\.?,? (?P<y>\d{{4}})",
        rf"\b(?P<month>{_any(_LONG_MONTHS)})\b",
        rf"\b(?P<weekday>{_any(_LONG_DAYS)})s?\b",
        r"(?:周|星期|礼拜|週)(?P<w>[1-6])|(?:周|星期|礼拜)(?P<weekday>[日天])|(?P<east>[月火水木金土日])曜日?",
        r"(?P<century>\d{1,2})(?:st|nd|rd|th|\.)?[ -]?(?:century|jahrhunderts?|世紀|世纪)",
        r"(?P<hundreds>\d{2})00s\b|(?P<decade>\d{3})0(?:s\b|er\b|年代)",
        r"\bq(?P<q>[1-4])\b|\b(?P<q1>[1-4])(?:st|nd|rd|th|\.)? (?:quarter|quartals?)\b"
        r"|\b(?P<second>second) quarter\b|第?(?P<q2>[1-4])(?:季度|四半期)",
        rf"(?:{_HALF}の?)?(?<!\d)(?P<hour>\d{{1,2}})[点點時时](?![間间])"
        r"(?:(?P<minute>\d{1,2})分|(?P<thirty>半)|(?P<quarter>[1-3])刻)?",
        rf"(?:{_HALF.replace('half', 'half0')}の?)?(?<![\d.:])(?P<hour>\d{{1,2}}):(?P<minute>\d{{2}})(?::\d\d)?(?![\d:]|[.,]\d)"
        rf"(?: ?uhr\b)?{_BEHIND}",
        rf"\b(?:{_PAST}|{_TO}) (?P<hour>\d{{1,2}})\b(?: uhr\b)?{_BEHIND}",
        r"(?<![\d.:])(?P<hour>\d{1,2})(?:\.(?P<minute>\d{2}))?(?: ?(?P<m12>[ap])\.?m\b\.?"
        rf"| ?uhr\b(?: (?P<minute1>\d{{1,2}})\b)?(?:,? {_HALF})?| o'clock(?:,? {_HALF.replace('half', 'half0')})?)",
        r"(?<![\d.,:/-])(?P<y>1[0-9]{3}|20\d\d)(?![\d.,:/%°-]*\d|(?![年のにかま至到])[\u3040-\u9fff])",
    )
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
    named = ("y", "m", "d", "w", "q", "century", "decade")
    fields = {name: int(parts[name]) for name in named if name in parts}
    if "month" in parts:
        fields["m"] = _MONTH[parts["month"]]
    if day := parts.get("weekday") or parts.get("east"):
        fields["w"] = _WEEKDAY[day]
    if parts.get("sep") == "/" and max(fields["d"], fields["m"]) <= 12:
        fields["either"] = 1
    if "era" in parts:
        fields["y"] = _ERAS[parts["era"]] + int(parts["of"])
    if "hundreds" in parts:
        fields["century"] = int(parts["hundreds"]) + 1
    if quarter := parts.get("q1") or parts.get("q2") or ("2" if "second" in parts else ""):
        fields["q"] = int(quarter)
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
    shift = (parts.get("to") or parts.get("past") or "").removeprefix("a ")
    minutes += _SHIFTS.get(shift, -15) if shift else 0
    if not 0 <= hours + minutes / 60 < 25 or minutes > 59:
        return None
    half = parts.get("m12") or parts.get("half") or parts.get("half0") or ""
    if half == "p" or _EVENING.fullmatch(half):
        return (hours % 12 + 12) * 60 + minutes
    known = bool(half) or hours > 12 or hours == 0
    return hours * 60 + minutes + (0 if known else 2 * 1440)
