"""Units of measure: their names in four languages, what they measure, and their size.

Each line of `units.txt` has what is measured, a size, perhaps a zero, and names. Sizes are the definitions of the International System of Units, of the international yard and pound
and of the US gallon. A month is a twelfth of a year of 365.25 days. Currencies measure different
things.
"""

import re
from functools import cache
from importlib.resources import files

Reading = tuple[str, float, float]
"""What a unit measures, its size, and its zero."""

_LATIN = re.compile(r"[ \u00a0-]?(?P<one>[a-zß-ÿµ°%‰$€£¥][a-zß-ÿµ/²³23]*)(?P<two> [a-z]+)?")
_EAST = re.compile(r" ?[个個]?(?P<east>[\u3040-\u30ff\u4e00-\u9fff℃]{1,9})")
_ENDINGS = ("", "s", "n", "en", "e")
"""Of plurals and cases."""
_SHORTEST = 3
"""Letters of a name that may have one."""


@cache
def _units() -> dict[str, tuple[Reading, ...]]:
    found: dict[str, list[Reading]] = {}
    table = files(__package__).joinpath("units.txt").read_text(encoding="utf-8")
    for line in table.splitlines():
        head, _, names = line.partition(":")
        dimension, size, zero = [*head.split(), "0"][:3]
        for name in names.split():
            found.setdefault(name.replace("_", " "), []).append(
                (dimension, float(size), float(zero))
            )
    return {name: tuple(readings) for name, readings in found.items()}


def unit_at(text: str, start: int) -> tuple[tuple[Reading, ...], int]:
    """Return what the unit at a place of a text in small letters may measure, and its end.

    Returns:
        Nothing, and the place itself, if no unit is there; else the longest name.

    Example:
        >>> unit_at("12 kg", 2), unit_at("20 square metres", 2), unit_at("12 seats", 2)
        (((('gram', 1000.0, 0.0),), 5), ((('area', 1.0, 0.0),), 16), ((), 2))
    """
    found = _LATIN.match(text, start)
    if found:
        for name in (f"{found['one']}{found['two']}" if found["two"] else "", found["one"]):
            if readings := units_called(name):
                return readings, found.start("one") + len(name)
    elif found := _EAST.match(text, start):
        name = found["east"]
        for size in range(len(name), 0, -1):
            if readings := units_called(name[:size]):
                return readings, found.start("east") + size
    return (), start


def units_called(name: str) -> tuple[Reading, ...]:
    """Return what a name may measure, each with its size and its zero.

    Example:
        >>> units_called("hours"), units_called("pounds")
        ((('second', 3600.0, 0.0),), (('gram', 453.59237, 0.0), ('pound', 1.0, 0.0)))
    """
    stems = (name.removesuffix(each) for each in _ENDINGS if name.endswith(each))
    return next((found for stem in stems if (found := _known(stem, name))), ())


def _known(stem: str, name: str) -> tuple[Reading, ...]:
    return _units().get(stem, ()) if stem == name or len(stem) >= _SHORTEST else ()
