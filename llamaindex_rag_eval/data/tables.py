"""Tables of samples: CSV files and pandas frames.

A cell holds a text as it is, and any other value as JSON. In CSV an empty cell is a field that was
not given, and a lone apostrophe is a text that was given and is empty.
"""

import ast
import csv
import io
import json
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import Any, TextIO

from llamaindex_rag_eval.data.files import escape_formula, read_text, unescape_formula
from llamaindex_rag_eval.data.rows import (
    FIELDS,
    as_json,
    field_names,
    row_of,
    sample_from_row,
    samples_of,
)
from llamaindex_rag_eval.data.sample import FIELD_OF_ALIAS as FIELD_OF_ALIAS, Sample
from llamaindex_rag_eval.errors import DatasetError

TEXTS = frozenset({"id", "query", "response", "reference", "expected_behaviour", "error"})
"""Fields whose cell holds the text itself."""

LISTS_OF_TEXTS = frozenset({"contexts", "reference_aliases", "reference_contexts"})
"""Fields whose cell may hold one text instead of a JSON list."""

PYTHON_LIST = re.compile(r"\[\s*('.*'|\".*\")\s*\]\Z", re.DOTALL)
"""A list as `repr` shows it, which is what pandas writes into a CSV cell."""

SEPARATORS = (",", ";", "\t")
"""What stands between cells; a semicolon where a comma is in numbers."""

WORKBOOKS = frozenset({".ods", ".xls", ".xlsm", ".xlsx"})
"""Suffixes of files of spreadsheets."""

LONGEST_CELL = 2**31 - 1
"""Characters that `csv` may read in one cell; many documents exceed its default of 131,072."""


def csv_lines(samples: Iterable[Sample]) -> Iterator[str]:
    """Yield the lines of a CSV file: a header of the fields that any sample has, then the rows."""
    rows = [row_of(sample) for sample in samples]
    used = [field for field in FIELDS if any(field in row for row in rows)]
    for cells in (used, *([_cell(row, field) for field in used] for row in rows)):
        buffer = io.StringIO(newline="")
        csv.writer(buffer).writerow(cells)
        yield buffer.getvalue()


def _cell(row: Mapping[str, object], field: str) -> str:
    value = row.get(field)
    if value is None:
        return ""
    if field in TEXTS:
        return escape_formula(str(value)) or "'"
    return json.dumps(value, ensure_ascii=False)


def read_csv(path: str | Path) -> Iterator[Sample]:
    """Yield the samples of a CSV file with a header.

    Raises:
        DatasetError: The file cannot be read, or a row describes no sample.
    """
    return samples_of(csv_file(path), sample_from_cells, file=str(path))


def sample_from_cells(cells: Mapping[str, str]) -> Sample:
    """Return the sample that a row of a CSV file describes: its cells by the names in the header.

    Raises:
        DatasetError: The row describes no sample.
    """
    filled = {name: cell for name, cell in cells.items() if name and cell}
    return sample_from_row({name: _cell_value(name, cell) for name, cell in filled.items()})


def csv_file(path: str | Path) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield the rows of a CSV file by the names in its header, each with the number of its line.

    A field of a sample may be named there in any case. Between cells stands a comma, a semicolon or
    a tab, whichever the header has most of.

    Raises:
        DatasetError: The file cannot be read, has no header, or a row has other cells than it.
    """
    if Path(path).suffix.lower() in WORKBOOKS:
        raise DatasetError("is a workbook; save its sheet as 'CSV UTF-8'", file=str(path))
    text = read_text(path, hint="; save the file as 'CSV UTF-8'")
    yield from csv_rows(io.StringIO(text, newline=""), str(path))


def csv_rows(text: TextIO, file: str) -> Iterator[tuple[int, dict[str, str]]]:
    """Yield what `csv_file` does, of an open text whose line ends are as they were written."""
    rows = _rows(text, file)
    _, first = next(rows, (0, None))
    if first is None:
        raise DatasetError("expected a header line with the names of the fields", file=file)
    header = [cell.strip() for cell in first]
    fields = field_names(header)
    header = [fields[name] for name in header]
    twice = sorted({name for name in header if name and header.count(name) > 1})
    if twice:
        raise DatasetError("expected one column of this name", file=file, line=1, field=twice[0])
    for line, cells in rows:
        if len(cells) != len(header):
            raise DatasetError(
                f"expected {len(header)} cells as in the header, got {len(cells)}; is a "
                "quotation mark missing, or the file cut off?",
                file=file,
                line=line,
            )
        yield line, dict(zip(header, cells, strict=True))


def texts_of_cell(cell: str) -> list[str] | None:
    """Return the texts of a list in a cell, as JSON or in Python's notation; `None` for no list.

    Raises:
        ValueError: It looks like a list of texts in Python's notation, and is none.

    Example:
        >>> texts_of_cell('["a", "b"]'), texts_of_cell("['a', 'b']"), texts_of_cell("[1] says so")
        (['a', 'b'], ['a', 'b'], None)
    """
    parsed = _parse_json(cell)
    if parsed is None and PYTHON_LIST.match(cell.strip()):
        parsed = _python_list(cell.strip())
    if isinstance(parsed, list) and all(isinstance(entry, str) for entry in parsed):
        return parsed
    return None


def _python_list(cell: str) -> list[object]:
    """Return a list in Python's notation.

    Two texts without a comma between them, as numpy writes them, would be one text to Python.
    """
    try:
        parsed = ast.literal_eval(cell)
        tokens = tokenize.generate_tokens(io.StringIO(cell).readline)
        texts = sum(token.type == tokenize.STRING for token in tokens)
    except (ValueError, SyntaxError, MemoryError, RecursionError, tokenize.TokenError) as error:
        raise ValueError("expected a list of texts") from error
    if not isinstance(parsed, list) or texts != len(parsed):
        raise ValueError("expected a list of texts with commas between them")
    return parsed


def row_from_record(record: Mapping[Any, object]) -> dict[str, object]:
    """Return a row of a frame without missing values, its JSON cells parsed.

    Raises:
        DatasetError: A cell that should hold JSON holds something else.
    """
    row: dict[str, object] = {}
    names = field_names([str(name) for name in record])
    for name, cell in record.items():
        value: object = as_json(cell)
        if value is None or str(value) in ("NaT", "<NA>"):
            continue
        field = names[str(name)]
        if field == "id" and isinstance(value, float) and value.is_integer():
            value = int(value)  # pandas makes a column of ints with a gap one of floats
        if isinstance(value, str) and _is_json(field):
            value = _parsed_cell(field, value)
        row[field] = value
    return row


@contextmanager
def _no_cell_limit() -> Iterator[None]:
    """Lift the cell limit of `csv`, which is global to the process, and restore it."""
    before = csv.field_size_limit(LONGEST_CELL)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _rows(text: TextIO, file: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that are not empty, each with the number of its first line."""
    first = text.readline()
    separator = max(SEPARATORS, key=first.count)
    reader = csv.reader(chain([first], text), strict=True, delimiter=separator)
    line = 1
    while True:
        try:
            with _no_cell_limit():
                cells = next(reader, None)
        except csv.Error as error:
            raise DatasetError(f"expected CSV: {error}", file=file, line=line) from None
        if cells is None:
            return
        if cells:
            yield line, cells
        line = reader.line_num + 1


def _is_json(name: str) -> bool:
    """Return whether the column of this name holds JSON."""
    field = FIELD_OF_ALIAS.get(name, name)
    return field in FIELDS and field not in TEXTS


def _cell_value(name: str, cell: str) -> object:
    if name == "user_input" and cell.lstrip().startswith("[{"):
        return _parsed_cell("messages", cell)
    if name == "ground_truths" and isinstance(texts := _parse_json(cell), list):
        return texts
    return _parsed_cell(name, cell) if _is_json(name) else unescape_formula(cell)


def _parsed_cell(name: str, cell: str) -> object:
    """Return the value of the JSON in a cell; instead of a list of texts it may hold one text."""
    parsed = _parse_json(cell)
    if FIELD_OF_ALIAS.get(name, name) not in LISTS_OF_TEXTS:
        if parsed is None and cell.strip() != "null":
            raise DatasetError(f"expected JSON, got {cell[:60]!r}", field=name)
        return parsed
    if isinstance(parsed, list) and all(isinstance(entry, str | dict) for entry in parsed):
        return parsed
    try:
        texts = texts_of_cell(cell)
    except ValueError as error:
        what = f"{error}, got {cell[:60]!r}; write it with `json.dumps`"
        raise DatasetError(what, field=name) from error
    return [unescape_formula(cell)] if texts is None else texts


def _parse_json(cell: str) -> object:
    try:
        return json.loads(cell, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None
