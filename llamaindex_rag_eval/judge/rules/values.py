"""Values: the quantities, dates and times of a text, read so that they can be compared.

"Twelve kilograms" and "12 kg" are one value, so are "3 May 1998" and "1998-05-03", "halb neun
abends" and "20:30". Two values conflict if they are of one kind and not the same.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from llamaindex_rag_eval.judge.rules.dates import dates_in
from llamaindex_rag_eval.judge.rules.quantities import (
    Value as Value,
    bounded,
    joined,
    lapses_in,
    numbers_in,
    shares_in,
    unit_at,
)
from llamaindex_rag_eval.judge.rules.tokens import normalise

_CLUE = re.compile(
    r"\d|半|[周期]|曜|hal[bf]|hälfte|viertel|quarter|\bone\b|\bein\w?\w?\b|\bhour\b|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|tag|mittwoch|sonnabend|"
    r"jan|feb|mar|mär|apr|jun|jul|aug|sept|o[ck]t|nov|de[cz]"
)
"""What a text with a value has."""


@lru_cache(maxsize=8_192)
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
    plain = normalise(text).lower()
    if not _CLUE.search(plain):
        return ()
    found: list[Value] = []
    for read in (lapses_in, _dates, shares_in, numbers_in):
        values = [*read(plain)]
        for value in values:
            plain = plain[: value.start] + "\0" * (value.end - value.start) + plain[value.end :]
        found += values
    placed = sorted(found, key=lambda value: value.start)
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
        date, number = (claim, source) if claim.kind == "date" else (source, claim)
        fields = dict(date.fields)
        single = next(iter(fields.values())) if fields.keys() in ({"y"}, {"d"}) else None
        return single == number.number and not number.readings
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
            one == other and _near(size, true)
            for one, size in claim.readings
            for other, true in source.readings
        )
    if claim.readings or source.readings:
        (reading, bare) = (claim, source) if claim.readings else (source, claim)
        ratio = [size for name, size in reading.readings if name == "ratio"]
        return _near(reading.number, bare.number) or any(_near(size, bare.number) for size in ratio)
    return _near(claim.number, source.number)


def _near(one: float, other: float) -> bool:
    """Return whether two numbers are equal, or one is the other rounded by less than 1 %."""
    gap, size = abs(one - other), max(abs(one), abs(other))
    if gap <= 1e-6 * size:
        return True
    if gap > 0.01 * size:
        return False
    places = [len(f"{each:.6f}".rstrip("0").partition(".")[2]) for each in (one, other)]
    return places[0] != places[1] and round(one, min(places)) == round(other, min(places))


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


def written_as_in(texts: Iterable[str], claim: str) -> str:
    """Return a claim with each of its values as the first of the texts that has it writes it.

    Example:
        >>> written_as_in(["It is 2.4 kilometres long."], "It runs for 2,400 metres.")
        'It runs for 2.4 kilometres.'
    """
    values = values_of(claim)
    if not values:
        return claim
    there = [
        (value, normalise(text)[value.start : value.end])
        for text in texts
        for value in values_of(text)
    ]
    plain = normalise(claim)
    for value in reversed(values):
        forms = [form for other, form in there if agree(value, other)]
        if forms and plain[value.start : value.end].lower() not in map(str.lower, forms):
            plain = f"{plain[: value.start]}{forms[0]}{plain[value.end :]}"
    return plain


def compete(claim: Value, source: Value) -> bool:
    """Return whether two values are of one kind, so that one of them cannot be the other."""
    if claim.kind == "date" and source.kind == "date":
        return not _widened(claim).keys().isdisjoint(_widened(source))
    if claim.kind != source.kind:
        return False
    if claim.readings and source.readings:
        shared = {name for name, _ in claim.readings} & {name for name, _ in source.readings}
        return bool(shared) or _near(claim.number, source.number)
    return True
