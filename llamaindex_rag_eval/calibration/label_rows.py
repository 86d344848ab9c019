"""Rows of a file of labels, as they stand in it: CSV with a header, or JSON Lines."""

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from llamaindex_rag_eval.data.tables import unguarded
from llamaindex_rag_eval.errors import DatasetError

__all__ = ["Row", "label_rows"]

Row = tuple[int, Mapping[str, object]]
"""The number of a line, and what it holds by column."""


def label_rows(path: Path) -> Iterator[Row]:
    """Yield the rows of a `.csv` file, or else of JSON Lines; empty lines are skipped.

    Raises:
        DatasetError: The file cannot be read, or a line is no row; it names the line.
    """
    try:
        # Universal newlines stay as they are: a quoted cell may hold some.
        with path.open(encoding="utf-8-sig", newline="") as file:
            if path.suffix.lower() == ".csv":
                yield from _csv_rows(csv.DictReader(file))
            else:
                yield from _json_rows(file, str(path))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise DatasetError(f"cannot be read: {reason}", file=str(path)) from error


def _csv_rows(reader: "csv.DictReader[str]") -> Iterator[Row]:
    for row in reader:
        cells = {k.strip(): v for k, v in row.items() if isinstance(k, str)}
        yield reader.line_num, {k: v if v is None else unguarded(v) for k, v in cells.items()}


def _json_rows(lines: Iterator[str], file: str) -> Iterator[Row]:
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise DatasetError("expected one JSON object", file=file, line=number)
        yield number, row
