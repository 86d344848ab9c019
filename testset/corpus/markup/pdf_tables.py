"""Tables of a PDF's page: those with rules by pdfplumber, those without by gaps that line up."""

from collections.abc import Iterator, Sequence
from statistics import mean
from typing import Any, NamedTuple

from testset.corpus.markup.marks import patterns_of
from testset.corpus.markup.pdf_furniture import Line, Segment

_MOST_EDGES = 10_000
"""Lines that a page may have: one with more is a drawing."""
_TALL = 8
"""Lines of a cell, at most, if its rules part the rows of a table."""
_FULL_ROWS = 3
"""Rows with two cells and more that a table without rules has, at least."""
_PROSE = 30
"""Characters of a cell, in the mean, from which a column is running text."""
_NEAR = 1.6
"""Distance of a line over the size of its letters, at most, if it goes on with a cell."""
_MARKS = patterns_of("pdf")
Span = tuple[float, float]
"""Where something begins and ends on its line."""


class Cell(NamedTuple):
    """A cell of a table with rules: its table and its place in it, and its box on the page."""

    table: int
    row: int
    column: int
    box: tuple[float, float, float, float]


def gridded_cells(page: Any) -> list[Cell]:
    """Return the cells of the tables of a page whose rules make two rows and two columns."""
    tables = page.find_tables() if len(page.edges) < _MOST_EDGES else ()
    return [
        Cell(number, row, column, box)
        for number, table in enumerate(tables, 1)
        if len(table.rows) > 1 and len(table.columns) > 1
        for row, cells in enumerate(table.rows)
        for column, box in enumerate(cells.cells)
        if box is not None
    ]


def cell_of(word: dict[str, Any], cells: Sequence[Cell]) -> Cell | None:
    """Return the cell that the middle of a word is in."""
    x, y = (word["x0"] + word["x1"]) / 2, (word["top"] + word["bottom"]) / 2
    boxes = ((cell, *cell.box) for cell in cells)
    return next(
        (c for c, left, top, right, low in boxes if left <= x < right and top <= y < low), None
    )


def gridded_rows(cells: dict[Cell, list[Line]]) -> list[Line] | None:
    """Return the rows of one table with rules as lines; `None` if its rules do not part its rows.

    Args:
        cells: The lines of each cell that has any.
    """
    texts = {
        (cell.row, cell.column): " ".join(line.text for line in lines)
        for cell, lines in cells.items()
    }
    rows, columns = (sorted(set(numbers)) for numbers in zip(*texts, strict=True))
    tall = sum(len(lines) for lines in cells.values() if len(lines) > _TALL)
    if len(rows) < 2 or len(columns) < 2 or 2 * tall > sum(map(len, cells.values())):
        return None
    table = [tuple(texts.get((row, column), "") for column in columns) for row in rows]
    head = [line for cell, lines in cells.items() if cell.row == rows[0] for line in lines]
    first = head[0]._replace(bold=all(line.bold for line in head), code=False)
    return _rows(table, first, next(iter(cells)).table)


def with_tables(lines: Sequence[Line]) -> Iterator[Line]:
    """Yield the lines of a page, those whose gaps line up as rows of a table.

    Two columns of running text, drawn line by line, are read one after the other.
    """
    at = 0
    while at < len(lines):
        columns, end = _table_at(lines, at)
        rows = _cells(lines[at:end], columns) if columns else []
        if rows and all(mean(map(len, column)) > _PROSE for column in zip(*rows, strict=True)):
            parts = (
                (line, part)
                for n in range(len(columns))
                for line in lines[at:end]
                for part in line.segments
                if _index(part, columns) == n
            )
            yield from (
                line._replace(text=part.text, left=part.left, segments=()) for line, part in parts
            )
        elif rows:
            yield from _rows(rows, lines[at], -at - 1)
        else:
            yield from lines[at:end]
        at = end


def _rows(rows: Sequence[tuple[str, ...]], first: Line, table: int) -> list[Line]:
    """Return the rows of a table as lines; `first` is like the first of them."""
    return [
        first._replace(
            text=" ".join(cells),
            bold=first.bold and not number,
            segments=(),
            cells=cells,
            table=table,
        )
        for number, cells in enumerate(rows)
    ]


def _table_at(lines: Sequence[Line], at: int) -> tuple[list[Span], int]:
    """Return the columns of the table that begins at a line, none if none does, and its end."""
    columns: list[Span] = []
    end, full = at, list[Line]()
    for number, line in enumerate(lines[at:], at):
        if number > at and not _is_below(line, lines[number - 1]):
            break
        if len(line.segments) > 1:
            spans = [(part.left, part.right) for part in line.segments]
            wider = _merged([*columns, *spans])
            if not all(_fits(row, wider) for row in [*full, line]):
                break
            columns, end = wider, number + 1
            full.append(line)
        elif not columns or not _fits(line, columns):
            break
    while full and end < len(lines) and _goes_on(lines[end], lines[end - 1], columns):
        end += 1
    return (columns, end) if len(full) >= _FULL_ROWS else ([], max(at + 1, end))


def _is_below(line: Line, above: Line) -> bool:
    """Return whether a line may be the next row of a table: just below, and no code."""
    near = 0 < above.height - line.height < 4 * max(line.size, above.size)
    return near and bool(line.segments) and bool(above.segments)


def _fits(line: Line, columns: Sequence[Span]) -> bool:
    """Return whether each part of a line is in a column of its own."""
    indexes = [_index(part, columns) for part in line.segments]
    return None not in indexes and len(set(indexes)) == len(indexes)


def _index(part: Segment, columns: Sequence[Span]) -> int | None:
    """Return the number of the column that a part of a line is in; `None` for several or none."""
    touched = [
        n for n, (left, right) in enumerate(columns) if part.left < right and left < part.right
    ]
    return touched[0] if len(touched) == 1 else None


def _merged(spans: Sequence[Span]) -> list[Span]:
    """Return spans in order, those that overlap as one."""
    merged: list[Span] = []
    for left, right in sorted(spans):
        if merged and left < merged[-1][1]:
            merged[-1] = merged[-1][0], max(merged[-1][1], right)
        else:
            merged.append((left, right))
    return merged


def _goes_on(line: Line, above: Line, columns: Sequence[Span]) -> bool:
    """Return whether a line goes on with a cell of the row above: with one that is not the first.

    A number that stands alone, as a sum, is a row.
    """
    if len(line.segments) != 1 or not _is_below(line, above) or line.text[:1].isdigit():
        return False
    return (
        bool(_index(line.segments[0], columns)) and above.height - line.height < _NEAR * line.size
    )


def _cells(lines: Sequence[Line], columns: Sequence[Span]) -> list[tuple[str, ...]]:
    """Return the texts of the cells of each row."""
    rows: list[list[str]] = []
    for number, line in enumerate(lines):
        if not number or not _goes_on(line, lines[number - 1], columns):
            rows.append([""] * len(columns))
        for part in line.segments:
            column = _index(part, columns) or 0
            rows[-1][column] = f"{rows[-1][column]} {part.text}".strip()
    return [tuple(row) for row in rows]
