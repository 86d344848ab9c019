"""Tables of reStructuredText: grids with "+---+", and simple ones between lines of "=== ==="."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from testset.corpus.markup.lines import Row
from testset.corpus.source import Line, indented

TABLE_LINE = re.compile(r"\+(?:[-=]{2,}\+)+\s*$|={2,}(?:\s+={2,})+\s*$")
"""The first line of a table."""
_COLUMN = re.compile(r"=+|-+")


def rows_of(lines: Sequence[Line], at: int) -> tuple[list[Row], int] | None:
    """Return the rows of the table that begins at a line, and the line after it.

    Returns:
        Nothing if the table has no end.
    """
    if lines[at].text.startswith("+"):
        return _grid(lines, at)
    return _simple(lines, at)


def list_table(body: Sequence[Line], heads: int) -> list[Row]:
    """Return the rows of a table that is written as a list of lists."""
    rows = enumerate(_items_of(body))
    return [(list(_items_of(row)), number < heads) for number, row in rows]


def _items_of(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """Yield the items of a bullet list, each without its mark."""
    at = 0
    while at < len(lines):
        mark = re.match(r"[-*+](?:\s+|$)", lines[at].text)
        body, after = indented(lines, at + 1)
        if mark is not None:
            yield [lines[at].cut(mark.end()), *body]
        at = max(after, at + 1)


def _grid(lines: Sequence[Line], at: int) -> tuple[list[Row], int] | None:
    end = at
    while end < len(lines) and lines[end].text.startswith(("+", "|")):
        end += 1
    rows: list[Row] = []
    block: list[Line] = []
    for line in lines[at + 1 : end]:
        if not line.text.startswith("+"):
            block.append(line)
            continue
        if block:
            rows.append((_grid_cells(block, lines[at].text), "=" in line.text))
        block = []
    return (rows, end) if rows else None


def _grid_cells(block: Sequence[Line], border: str) -> list[list[Line]]:
    """Return the cells of a row, cut where the border has its corners and the row has a bar."""
    corners = [number for number, mark in enumerate(border) if mark == "+"]
    bars = [n for n in corners if all(line.text[n : n + 1] in {"|", ""} for line in block)]
    return [
        [line.cut(low + 1, high) for line in block if line.text[low + 1 : high].strip()]
        for low, high in pairwise(bars)
    ]


def _simple(lines: Sequence[Line], at: int) -> tuple[list[Row], int] | None:
    columns = [match.start() for match in _COLUMN.finditer(lines[at].text)]
    borders = [at]
    end = at + 1
    while end < len(lines) and len(borders) < 3:
        if TABLE_LINE.match(lines[end].text):
            borders.append(end)
            if end + 1 == len(lines) or lines[end + 1].blank:
                break
        end += 1
    if len(borders) == 1:
        return None
    rows: list[tuple[list[list[Line]], bool]] = []
    ends = [*columns[1:], None]
    for number in range(at + 1, borders[-1]):
        line = lines[number]
        if line.blank or number in borders or _COLUMN.fullmatch(line.text.replace(" ", "")):
            continue
        cells = [[line.cut(low, high)] for low, high in zip(columns, ends, strict=True)]
        if not cells[0][0].blank or not rows:
            rows.append((cells, len(borders) > 2 and number < borders[1]))
            continue
        for cell, more in zip(rows[-1][0], cells, strict=True):  # it goes on with the row above
            cell += [part for part in more if not part.blank]
    return [*rows], borders[-1] + 1
