"""Quantities: the numbers of a text with their units, parts, joint amounts and bounds."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Literal

from llamaindex_rag_eval.judge.rules.numerals import number_of
from llamaindex_rag_eval.judge.rules.vocabulary import numbers_of, pattern_of, union_of

Reading = tuple[str, float, float]
"""What a unit measures, its size, and its zero."""

_LATIN = re.compile(
    r"[ \u00a0-]?(?P<one>[a-zß-ÿµ°%‰$€£¥₩₹₽₺][a-zß-ÿšžčęůłñ$µ/²³23]*)(?P<two> [a-z]+)?"
)
_EAST = re.compile(r" ?[个個]?(?P<east>[\u3040-\u30ff\u4e00-\u9fff℃]{1,9})")
_ENDINGS = ("", "s", "n", "en", "e")
"""Of plurals and cases."""
_SHORTEST = 3
"""Letters of a name that may have one."""


@cache
def units() -> dict[str, tuple[Reading, ...]]:
    """Return what each name of a unit may measure: the table `units.txt`.

    Each line has what is measured, a size, perhaps a zero, and names. Sizes are the definitions of
    the International System of Units, of the international yard and pound and of the US gallon. A
    month is a twelfth of a year of 365.25 days. Currencies measure different things.
    """
    by_name: dict[str, list[Reading]] = {}
    table = files(__package__).joinpath("units.txt").read_text(encoding="utf-8")
    for line in table.splitlines():
        head, _, names = line.partition(":")
        dimension, size, zero = [*head.split(), "0"][:3]
        for name in names.split():
            by_name.setdefault(name.replace("_", " "), []).append(
                (dimension, float(size), float(zero))
            )
    return {name: tuple(readings) for name, readings in by_name.items()}


def unit_at(text: str, start: int) -> tuple[tuple[Reading, ...], int]:
    """Return what the unit at a place of a text in small letters may measure, and its end.

    Returns:
        Nothing, and the place itself, if no unit is there; else the longest name.

    Example:
        >>> unit_at("12 kg", 2), unit_at("20 square metres", 2), unit_at("12 seats", 2)
        (((('gram', 1000.0, 0.0),), 5), ((('area', 1.0, 0.0),), 16), ((), 2))
    """
    match = _LATIN.match(text, start)
    if match:
        for name in (f"{match['one']}{match['two']}" if match["two"] else "", match["one"]):
            if readings := units_called(name):
                return readings, match.start("one") + len(name)
    elif match := _EAST.match(text, start):
        name = match["east"]
        for size in range(len(name), 0, -1):
            if readings := units_called(name[:size]):
                return readings, match.start("east") + size
    return (), start


def units_called(name: str) -> tuple[Reading, ...]:
    """Return what a name may measure, each with its size and its zero.

    Example:
        >>> units_called("hours"), units_called("pounds")
        ((('second', 3600.0, 0.0),), (('gram', 453.59237, 0.0), ('pound', 1.0, 0.0)))
    """
    stems = (name.removesuffix(each) for each in _ENDINGS if name.endswith(each))
    return next((readings for stem in stems if (readings := _known(stem, name))), ())


def _known(stem: str, name: str) -> tuple[Reading, ...]:
    return units().get(stem, ()) if stem == name or len(stem) >= _SHORTEST else ()


@dataclass(frozen=True, slots=True)
class Value:
    """A number with its unit, a date or time, or a code, as far as the text gives it.

    Attributes:
        kind: What it is.
        number: The number as it stands; 0 for dates and times.
        readings: For a number with a unit, what it may measure and how much of it.
        fields: For a date or time, its parts: `y`ear, `m`onth, `d`ay, `w`eekday, `q`uarter,
            `decade`, `century`, `t`ime in minutes; `either` if day and month may be exchanged.
        bound: 1 for at least, -1 for at most, else 0.
        start: Where it begins in the normalised text.
        end: Where it ends.
        code: A path, flag or version as it stands, or the letters and digits of a name.
    """

    kind: Literal["number", "date", "code"]
    number: float = 0.0
    readings: tuple[tuple[str, float], ...] = ()
    fields: tuple[tuple[str, int], ...] = ()
    bound: int = 0
    start: int = 0
    end: int = 0
    code: str = ""

    def shares_unit(self, other: "Value") -> bool:
        """Return whether both are numbers with units of which one may measure the same."""
        return not dict(self.readings).keys().isdisjoint(dict(other.readings))


_NUMBER = re.compile(r"\d(?<![a-z\d.].)\d*(?:[.,]\d+)*(?:(?:st|nd|rd|th|s)\b)?")
_ARTICLE_FOR_ONE = re.compile(r"\b(?:one|ein(?:e[nrms]?)?|an?(?= hour| \w+ and a half\b))\b")
_COUNTERS = frozenset("人名个個枚本匹頭つ台件席")
"""What stands behind a number that counts things."""
_CURRENCY = re.compile(
    r"((?:\b(?:us|hk|[acr]))?\$|[€£¥₩₹₽₺]|\bkr"
    r"|\b(?:usd|eur|gbp|chf|cad|aud|hkd|cny|jpy|krw|dkk|nok|sek|inr|pln|czk)) ?$"
)
_PARTS = numbers_of("parts")
_PART = re.compile(
    rf"\b(?:(?P<above>\d+|drei|one|ein)[ -]?)?(?P<part>{'|'.join(sorted(_PARTS, key=len, reverse=True))})"
    r"(?P<of>(?:[ -](?:of )?(?:an? |the |der |des )?)?)"
)
_SHARES = re.compile(
    r"(?=[\dao])(?:(?P<below>\d+)分[之の](?P<above>\d+(?:\.\d+)?)"
    r"|(?<![\d/])(?P<over>\d{1,2})/(?P<under>\d{1,3})(?![\d/])"
    r"|\b(?:an?|one|(?P<parts>\d+)) (?P<whole>\d+)(?:th|rd)s?(?= of\b)"
    r"|(?P<some>\d+) (?:out of|of|von)(?: the| den)? (?P<all>\d+)(?![\d.,]*\d))"
)
_HALF = re.compile(r"半分(?![钟鐘])|半数|(?<![个個])(?P<unit>半)(?:个|個)?(?=[\u3040-\u9fff])")
_BY_HALF = re.compile(r"(?:\b(?:by|to|only|than|die|about) |^)$")
_BEFORE = re.compile(
    r"(?:\b|(?<=[\u3040-\u9fff]))"
    rf"(?:(?P<most>{union_of('most')})|(?P<least>{union_of('least')})|(?P<less>{union_of('less')})|(?P<more>{union_of('more')}))"
    r"(?: \w+|[\u4e00-\u9fff]{1,3})? ?(?:us\$|[$€£¥])?$"
)
_DENIED = pattern_of("bound_denied")
_AFTER = re.compile(
    rf"[^\d、，。,.]{{0,5}}?(?:(?P<least>{union_of('least_after')})|(?P<most>{union_of('most_after')})"
    rf"|(?P<less>{union_of('less_after')})|(?P<more>{union_of('more_after')}))"
)
_DENIED_AFTER = pattern_of("denied_after", "[^、，。]{0,12}{}")
_LINK = pattern_of("range", " ?(?:[–—~〜-] ?(?:the |den |zu )?|{})")
_JOINT = re.compile(r" ?(?:and |und |,? )?|零|と")


def shares_in(plain: str) -> Iterator[Value]:
    """Yield parts: of a unit as in "half an hour", else of a whole as in "3 of 4"."""
    for match in _SHARES.finditer(plain):
        above = float(match["above"] or match["over"] or match["some"] or match["parts"] or 1)
        below = float(match["below"] or match["under"] or match["all"] or match["whole"])
        if 0 < above <= below:
            yield Value("number", above, (("ratio", above / below),), (), 0, *match.span())
    for match in _PART.finditer(plain):
        many, below = match["above"], _PARTS[match["part"]]
        share = (float(many) if (many or "").isdigit() else 3 if many == "drei" else 1) / below
        readings, end = unit_at(plain, match.end() - match["of"].endswith(" "))
        if readings:
            yield Value("number", share, _measured(share, readings), (), 0, match.start(), end)
        elif many or (below == 2 and _is_share(match, plain)):
            end = match.end("part")
            yield Value("number", share, (("ratio", share),), (), 0, match.start(), end)
    for match in _HALF.finditer(plain):
        readings, end = unit_at(plain, match.end()) if match["unit"] else ((("ratio", 1, 0),), 0)
        if readings:
            end = end or match.end()
            yield Value("number", 0.5, _measured(0.5, readings), (), 0, match.start(), end)


def _is_share(match: re.Match[str], plain: str) -> bool:
    """Return whether a half is one of a whole, and no "second half" or "half past"."""
    behind = re.match(r" ?(?:of|the|der|des|as)\b| ?[.,;]|$", plain[match.end("part") :])
    return bool(behind) and bool(_BY_HALF.search(plain[: match.start()]))


def numbers_in(plain: str) -> Iterator[Value]:
    """Yield the numbers that are no dates, with their units."""
    for match in (*_NUMBER.finditer(plain), *_ARTICLE_FOR_ONE.finditer(plain)):
        written = number_of(match.group()) if match.re is _NUMBER else "1"
        if written is None or written.count(".") > 1:
            continue
        number, start = float(written), match.start()
        readings, end = unit_at(plain, match.end())
        if not readings and (sign := _CURRENCY.search(plain[max(0, start - 5) : start])):
            readings, start = units_called(sign[1]), start - len(sign[0])
        if half := re.compile(r" (?:and a half|einhalb)|[个個]半|半(?![\u4e00-\u9fff])").match(
            plain, end
        ):
            number, end = number + 0.5, half.end()
            if not readings:
                readings, end = unit_at(plain, end)
        if not readings and plain[end : end + 1] in _COUNTERS:
            end += 1
        if match.re is _NUMBER or readings or plain.strip(" .!。") == match.group():
            yield Value("number", number, _measured(number, readings), (), 0, start, end)


def _measured(number: float, readings: tuple[Reading, ...]) -> tuple[tuple[str, float], ...]:
    return tuple((dimension, size * number + zero) for dimension, size, zero in readings)


def joined(values: list[Value], plain: str) -> list[Value]:
    """Join "1 hour 30 minutes" and "7 pounds 50"; give both ends of a range its unit."""
    amounts: list[Value] = []
    for value in values:
        last = amounts[-1] if amounts else value
        between = plain[last.end : value.start] if amounts else "."
        if amounts and _JOINT.fullmatch(between) and (sum_ := _sum(last, value, between)):
            amounts[-1] = replace(last, readings=sum_, end=value.end)
        else:
            amounts.append(value)
    for position, (first, other) in reversed([*enumerate(pairwise(amounts))]):
        ranged = _LINK.fullmatch(plain[first.end : other.start])
        if ranged and not first.readings and other.readings and other.number:
            scale = first.number / other.number
            readings = tuple((name, size * scale) for name, size in other.readings)
            amounts[position] = replace(first, readings=readings)
    return amounts


def _sum(first: Value, other: Value, between: str) -> tuple[tuple[str, float], ...]:
    """Return two amounts together, if the second goes on with the first; else nothing."""
    if first.kind != "number" or other.kind != "number" or not first.readings:
        return ()
    sizes = dict(other.readings)
    return tuple(
        (name, size + sizes[name])
        for name, size in first.readings
        if sizes.get(name, 0)
        and sizes[name] < size / max(first.number, 1)
        and (name == "second" or not between.strip())
    )


def bounded(value: Value, plain: str) -> Value:
    """Return a value with the bound that the words beside it make it."""
    clause = re.split(r"[.;，。；]", plain[max(0, value.start - 48) : value.start])[-1]
    match, denied = _BEFORE.search(clause), False
    if match:
        denied = bool(_DENIED.search(clause[: match.start()]))
    elif match := _AFTER.match(plain, value.end):
        denied = bool(_DENIED_AFTER.match(plain, match.end()))
    if not match:
        return value
    bound = 1 if match["least"] or match["more"] else -1
    return replace(value, bound=-bound if denied and (match["more"] or match["less"]) else bound)
