"""Tables of samples: the cells of CSV files and of pandas frames.

Texts stand in their cells as they are, everything else as JSON. In CSV an empty cell is a field
that was not given, and a lone apostrophe is a text that was given and is empty.
"""

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from llamaindex_rag_eval.data.rows import FIELDS, Naming, plain, row_of, sample_at
from llamaindex_rag_eval.data.sample import ALIASES, Sample
from llamaindex_rag_eval.errors import DatasetError, OutputError

__all__ = ["csv_parts", "guarded", "read_csv", "row_of_record", "unguarded"]

TEXTS = frozenset({"id", "query", "response", "reference", "expected_behaviour", "error"})
"""Fields whose cell is the text itself."""

LISTS_OF_TEXTS = frozenset({"contexts", "reference_contexts"})
"""Fields whose cell may be one plain text instead of a JSON list."""

OURS: Mapping[str, str] = {alias: ours for ours, names in ALIASES.items() for alias in names}

NEEDS_GUARD = re.compile(r"'*[=+\-@\t\r]|'+\Z")
"""Texts that a spreadsheet would run as a formula, and those that look guarded already."""

IS_GUARDED = re.compile(r"'+[=+\-@\t\r]|'+\Z")

PYTHON_LIST = re.compile(r"\[\s*('.*'|\".*\")\s*\]\Z", re.DOTALL)
"""A list as `repr` shows it, which is what pandas writes into a CSV cell."""

LONGEST_CELL = 2**31 - 1
"""What `csv` may read in one cell; its default of 131,072 is less than many documents have."""


def guarded(text: str) -> str:
    """Return a text that no spreadsheet takes for a formula: an apostrophe goes before it.

    Example:
        >>> guarded("=1+1"), guarded("1+1")
        ("'=1+1", '1+1')
    """
    return f"'{text}" if NEEDS_GUARD.match(text) else text


def unguarded(cell: str) -> str:
    """Return the text that `guarded` was given.

    Example:
        >>> unguarded("'=1+1"), unguarded("'tis")
        ('=1+1', "'tis")
    """
    return cell[1:] if IS_GUARDED.match(cell) else cell


def csv_parts(samples: Iterable[Sample]) -> Iterator[str]:
    """Yield the pieces of a CSV file: a header with the fields that are used, then the rows.

    Raises:
        OutputError: A text holds a NUL character, and this is Python 3.10.
    """
    rows = [row_of(sample) for sample in samples]
    used = [field for field in FIELDS if any(field in row for row in rows)]
    for cells in (used, *([_cell(row, field) for field in used] for row in rows)):
        buffer = io.StringIO(newline="")
        try:
            csv.writer(buffer).writerow(cells)
        except csv.Error as error:  # Python 3.10 has no way to write a NUL character
            raise OutputError("CSV cannot hold these texts here; write .jsonl instead") from error
        yield buffer.getvalue()


def _cell(row: Mapping[str, object], field: str) -> str:
    value = row.get(field)
    if value is None:
        return ""
    if field in TEXTS:
        return guarded(str(value)) or "'"
    return json.dumps(value, ensure_ascii=False)


def read_csv(path: str | Path) -> Iterator[Sample]:
    """Yield the samples of a CSV file with a header; see the module for what its cells mean.

    Raises:
        DatasetError: The file cannot be read, or a row describes no sample.
    """
    file = str(path)
    naming = Naming(file=file)
    with _long_cells():
        numbered = list(_rows(_text(Path(path)), file))
    if not numbered:
        raise DatasetError("expected a header line with the names of the fields", file=file)
    header = _header(numbered[0][1], file)
    for line, cells in numbered[1:]:
        if len(cells) != len(header):
            raise DatasetError(
                f"expected {len(header)} cells as in the header, got {len(cells)}; is a quotation "
                "mark missing, or the file cut off?",
                file=file,
                line=line,
            )
        named = zip(header, cells, strict=True)
        row = {name: _value(name, cell, file, line) for name, cell in named if name and cell}
        yield naming.named(sample_at(row, file=file, line=line), line)


def row_of_record(record: Mapping[object, object], place: int) -> dict[str, object]:
    """Return a record of a frame as a row: missing values left out, cells in JSON unpacked.

    Raises:
        DatasetError: A cell that should hold JSON holds something else.
    """
    row: dict[str, object] = {}
    for name, cell in record.items():
        value = plain(cell)
        if value is None or str(value) in ("NaT", "<NA>"):
            continue
        field = str(name)
        if field == "id" and isinstance(value, float) and value.is_integer():
            value = int(value)  # a column of whole numbers with a gap is one of floats
        if isinstance(value, str) and _is_json(field):
            value = _unpacked(field, value, "", place)
        row[field] = value
    return row


@contextmanager
def _long_cells() -> Iterator[None]:
    """Lift the limit of `csv`, which is one for the whole process, and put it back."""
    before = csv.field_size_limit(LONGEST_CELL)
    try:
        yield
    finally:
        csv.field_size_limit(before)


def _text(path: Path) -> str:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise DatasetError(f"cannot be read: {error.strerror or error}", file=str(path)) from error
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        expectation = f"expected UTF-8 text: {error.reason}; save the file as 'CSV UTF-8'"
        raise DatasetError(expectation, file=str(path), line=line) from None


def _rows(text: str, file: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows that hold something, each with the line it begins in."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 1
    try:
        for cells in reader:
            if cells:
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as error:
        raise DatasetError(f"expected CSV: {error}", file=file, line=line) from None


def _header(cells: Sequence[str], file: str) -> list[str]:
    names = [cell.strip() for cell in cells]
    twice = sorted({name for name in names if name and names.count(name) > 1})
    if twice:
        raise DatasetError("expected one column of this name", file=file, line=1, field=twice[0])
    return names


def _is_json(name: str) -> bool:
    ours = OURS.get(name, name)
    return ours in FIELDS and ours not in TEXTS


def _value(name: str, cell: str, file: str, line: int) -> object:
    if name == "user_input" and cell.lstrip().startswith("[{"):
        return _unpacked("messages", cell, file, line)
    if name == "ground_truths":
        return _ground_truths(cell)
    return _unpacked(name, cell, file, line) if _is_json(name) else unguarded(cell)


def _ground_truths(cell: str) -> object:
    parsed = _json(cell)
    return parsed if isinstance(parsed, list) else unguarded(cell)


def _unpacked(name: str, cell: str, file: str, line: int) -> object:
    """Return what the JSON in a cell says; a list of texts may be one plain text."""
    parsed = _json(cell)
    if OURS.get(name, name) not in LISTS_OF_TEXTS:
        if parsed is None and cell.strip() != "null":
            raise DatasetError(
                f"expected JSON, got {cell[:60]!r}", file=file, line=line, field=name
            )
        return parsed
    if isinstance(parsed, list) and all(isinstance(entry, str | dict) for entry in parsed):
        return parsed
    if PYTHON_LIST.match(cell.strip()):
        raise DatasetError(
            "expected a JSON list, got one in Python's notation; write it with `json.dumps`",
            file=file,
            line=line,
            field=name,
        )
    return [unguarded(cell)]


def _json(cell: str) -> object:
    try:
        return json.loads(cell, parse_constant=lambda _: None)
    except (ValueError, RecursionError):
        return None
