"""Furniture of a PDF's pages: headers, footers, numbers of pages, and a table of contents.

Nothing is left out that does not recur: a line at the edge of a page may be the sum of an invoice.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby, islice, pairwise
from typing import NamedTuple

LARGER = 1.08
"""How much larger than the text around it a heading is set, at least."""
_LEADS_ON = re.compile(r"(?:\s*\.){4,}\s*[\divxlc]*\s*$")
"""A line of a table of contents: dots that lead to the number of a page."""
_EDGE = 2
"""Lines at the head and at the foot of a page that may stand on each page."""
_REPEATED = 3
"""Pages on which they stand then."""
_SAME_HEIGHT = 8
"""Points within which a line stands in the same place of each page."""
_COUNTED = re.compile(r"\d+|\b[ivxlc]+\b")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_SHOWN = 3
"""Lines that are shown of those that are left out."""


class Segment(NamedTuple):
    """A part of a line between wide gaps: where it begins and ends, and what it says."""

    left: float
    right: float
    text: str


class Line(NamedTuple):
    """A line of letters, or a row of a table."""

    text: str
    left: float
    """Distance of its first character from the left edge."""
    height: float
    """Its distance from the lower edge."""
    size: float
    """The size of most of its letters."""
    bold: bool
    """Whether all letters are bold."""
    code: bool
    """Whether most are of one width."""
    page: int
    """The number of its page, from 0."""
    segments: tuple[Segment, ...] = ()
    """Its parts between wide gaps; none of code and of a row."""
    cells: tuple[str, ...] = ()
    """The texts of its cells if it is a row of a table."""
    table: int = 0
    """The number of that table on its page."""


def without_furniture(lines: Sequence[Line], body: float) -> tuple[list[Line], str]:
    """Return the lines that are no furniture, and in words which are; empty for none.

    Args:
        lines: Of all pages, in order.
        body: The size of running text.
    """
    dropped = _edges(lines, body) | _contents(lines)
    left_out = _account([line for line in lines if line in dropped])
    return [line for line in lines if line not in dropped], left_out


def _account(dropped: Sequence[Line]) -> str:
    """Return in words which lines are left out; empty for none."""
    if not dropped:
        return ""
    first = dict.fromkeys(" ".join(line.text.split()) for line in dropped)
    shown = ", ".join(repr(text) for text in islice(first, _SHOWN))
    more = ", ..." if len(first) > _SHOWN else ""
    what = "lines that recur at the edge of pages or list its contents"
    return f"{len(dropped)} {what}: {shown}{more}"


def _edges(lines: Sequence[Line], body: float) -> set[Line]:
    """Return the lines that recur at the edge of many pages: the same, or counting the pages.

    What is larger than running text and counts is a heading.
    """
    pages = (list(own) for _, own in groupby(lines, lambda line: line.page))
    placed = (sorted(own, key=lambda line: line.height) for own in pages)
    edges = [
        line
        for own in placed
        for line in dict.fromkeys(own[:_EDGE] + own[-_EDGE:])
        if not line.cells
    ]
    on_pages = Counter(
        key for _, key in {(line.page, key) for line in edges for key in _keys(line)}
    )
    return {
        line
        for line in edges
        for key in _keys(line)
        if on_pages[key] >= _REPEATED and not (key.counts and line.size > LARGER * body)
    }


class _Key(NamedTuple):
    """What two lines have in common of which one repeats the other on another page.

    Attributes:
        height: Where the line is.
        text: The text, without its numbers.
        numbers: Its numbers; the one that counts the pages is less the number of the page.
        counts: Whether one of them does.
    """

    height: int
    text: str
    numbers: tuple[int, ...]
    counts: bool


def _keys(line: Line) -> Iterator[_Key]:
    """Yield the keys by which a line may repeat another: as it is, or by a number that counts."""
    text = " ".join(line.text.casefold().split())
    numbers = tuple(_number(digits) for digits in _COUNTED.findall(text))
    text = _COUNTED.sub("#", text)
    height = round(line.height / _SAME_HEIGHT)
    yield _Key(height, text, numbers, counts=False)
    for index, number in enumerate(numbers):
        less = (*numbers[:index], number - line.page, *numbers[index + 1 :])
        yield _Key(height, text, less, counts=True)


def _number(text: str) -> int:
    """Return a number in Arabic or Roman digits.

    Example:
        >>> _number("14"), _number("xiv")
        (14, 14)
    """
    if text.isdecimal():
        return int(text)
    values = [_ROMAN[digit] for digit in text]
    return sum(-a if a < b else a for a, b in pairwise([*values, 0]))


def _contents(lines: Sequence[Line]) -> set[Line]:
    """Return the lines of a table of contents: dots lead on from a title of a later page."""
    last_page = {
        _letters(line.text): line.page for line in lines if not _LEADS_ON.search(line.text)
    }
    led = ((line, _letters(_LEADS_ON.sub("", line.text))) for line in lines)
    return {
        line
        for line, title in led
        if _LEADS_ON.search(line.text) and title and last_page.get(title, -1) > line.page
    }


def _letters(text: str) -> str:
    return re.sub(r"[\W\d]+", "", text.casefold())
