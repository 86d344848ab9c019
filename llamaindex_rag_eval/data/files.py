"""Files of samples in JSON and JSON Lines, cells that are safe in a spreadsheet, atomic writing."""

import csv
import io
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain
from pathlib import Path
from typing import Any

from llamaindex_rag_eval.data.plain_text import json_safe, plain_text
from llamaindex_rag_eval.data.rows import row_of, sample_from_row, samples_of
from llamaindex_rag_eval.data.sample import Sample
from llamaindex_rag_eval.errors import DatasetError, OutputError

FORMULA = re.compile(r"'*[=+\-@\t\r]|'+\Z")
"""Texts that a spreadsheet would run as a formula, and those that look escaped already."""

ESCAPED_FORMULA = re.compile(r"'+[=+\-@\t\r]|'+\Z")
"""What `escape_formula` makes of them: at least one apostrophe stands before."""

BOM = b"\xef\xbb\xbf"
"""The byte order mark, which Windows writes before UTF-8."""


def read_text(path: str | Path, *, hint: str = "") -> str:
    """Return the text of a file in UTF-8, without a byte order mark, its line ends kept.

    Args:
        path: The file.
        hint: What the error says beside, of a file that is not UTF-8.

    Raises:
        DatasetError: It cannot be read, or is not UTF-8.
    """
    raw = b"".join(_lines(path))
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        expectation = f"expected UTF-8 text: {error.reason}{hint}"
        raise DatasetError(expectation, file=str(path), line=line) from None


def write_whole(path: str | Path, parts: Iterable[str]) -> Path:
    """Write a UTF-8 file atomically, and return its path.

    The parts are written to a temporary file beside it, which then replaces it, so that no reader
    sees an incomplete file. Missing folders are created. If the path is a symbolic link, its
    target is replaced and the link stays.

    Raises:
        OutputError: The file cannot be written, or a text is not Unicode (half of a surrogate
            pair). A file that existed before is unchanged.
    """
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():
        raise OutputError(f"cannot write {str(path)!r}: it is not a file")
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with part.open("w", encoding="utf-8", newline="") as file:
            file.writelines(parts)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, target)
    except OSError as error:
        raise OutputError(f"cannot write {str(path)!r}: {error.strerror or error}") from error
    except UnicodeEncodeError as error:
        raise OutputError(f"cannot write {str(path)!r}: a text is not Unicode: {error}") from None
    finally:
        with suppress(OSError):  # of a folder that cannot be written, which is reported already
            part.unlink(missing_ok=True)
    return Path(path)


def write_table(path: str | Path, parts: Iterable[str]) -> Path:
    """Write a CSV file for spreadsheets, with the byte order mark by which Excel knows UTF-8.

    Raises:
        OutputError: As of `write_whole`.
    """
    return write_whole(path, chain([BOM.decode()], parts))


def jsonl_line(sample: Sample) -> str:
    """Return a sample as one line of JSON, with its newline."""
    text = json.dumps(row_of(sample), ensure_ascii=False, allow_nan=False)
    return json_safe(text) + "\n"


def iter_jsonl(path: str | Path, *, strict: bool = True) -> Iterator[Sample]:
    """Yield the samples of a JSON Lines file, reading one line at a time.

    The file is UTF-8, with or without a byte order mark, and may have line ends of any system.
    Empty lines are skipped. A value `NaN`, which some tools write, counts as not given.

    Args:
        path: The file.
        strict: Whether an incomplete last line is an error; with `False` it is skipped.

    Raises:
        DatasetError: The file cannot be read, or a line describes no sample; it names the line.
    """
    return samples_of(jsonl_rows(_lines(path), strict=strict), sample_from_line, file=str(path))


def jsonl_rows(lines: Iterable[bytes], *, strict: bool = True) -> Iterator[tuple[int, bytes]]:
    """Yield the lines of a JSON Lines file that are not empty, each with its number from 1.

    Unless `strict`, a last line that was cut off is left out.
    """
    for number, line in enumerate(lines, start=1):
        raw = line.removeprefix(BOM) if number == 1 else line
        if not strict and not line.endswith(b"\n"):
            try:
                _row_in(raw)
            except DatasetError:
                return
        if raw.strip():
            yield number, raw


def iter_json(path: str | Path) -> Iterator[Sample]:
    """Yield the samples of a JSON file that holds a list of objects, which is read as a whole.

    Raises:
        DatasetError: The file cannot be read or holds no list, or an entry describes no sample.
    """
    file = str(path)
    try:
        rows = json.loads(b"".join(_lines(path)).removeprefix(BOM), parse_constant=_parse_constant)
    except (ValueError, RecursionError) as error:
        raise DatasetError(f"is no JSON: {error}", file=file) from None
    if not isinstance(rows, list):
        expected = "expected a list of objects, one a sample; `rag-eval more traces` reads traces"
        raise DatasetError(expected, file=file)
    try:
        yield from samples_of(enumerate(rows, 1), sample_from_row)
    except DatasetError as error:
        expected = f"entry {error.line}: {error.expectation}"
        raise DatasetError(expected, file=file, field=error.field) from None


def jsonl_objects(path: str | Path) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """Yield the objects of a JSON Lines file, each with the number of its line.

    Raises:
        DatasetError: The file cannot be read, or a line holds no object; it names the line.
    """
    for number, raw in jsonl_rows(_lines(path)):
        try:
            row = _row_in(raw)
        except DatasetError as error:
            raise error.at(str(path), number) from None
        if not isinstance(row, dict):
            raise DatasetError("expected one JSON object", file=str(path), line=number)
        yield number, row


def sample_from_line(raw: bytes) -> Sample:
    """Return the sample that a line of a JSON Lines file describes.

    Args:
        raw: The line, with its end: one without was cut off.

    Raises:
        DatasetError: It describes no sample.
    """
    return sample_from_row(_row_in(raw))


def _row_in(raw: bytes) -> object:
    try:
        return json.loads(raw.decode("utf-8"), parse_constant=_parse_constant)
    except (ValueError, RecursionError) as error:
        reason = f"expected one JSON object: {error}"
        if not raw.endswith(b"\n"):
            reason = (
                "expected one JSON object, but the file ends in the middle of it: delete this "
                "line, or read with `strict=False` to leave it out"
            )
        elif isinstance(error, UnicodeDecodeError):
            reason = f"expected UTF-8 text: {error.reason} at byte {error.start + 1} of the line"
        raise DatasetError(reason) from None


def _lines(path: str | Path) -> Iterable[bytes]:
    try:
        with Path(path).open("rb") as file:
            yield from file
    except OSError as error:
        raise DatasetError(f"cannot be read: {error.strerror or error}", file=str(path)) from error


def _parse_constant(name: str) -> None:
    """Return `None` for `NaN`; infinity is an error."""
    if name != "NaN":
        raise ValueError(f"{name} is no JSON value")


def escape_formula(text: str) -> str:
    """Return a text that no spreadsheet runs as a formula: an apostrophe is put before it.

    Example:
        >>> escape_formula("=1+1"), escape_formula("1+1")
        ("'=1+1", '1+1')
    """
    return f"'{text}" if FORMULA.match(text) else text


def safe_cell(text: str) -> str:
    """Return a text without control codes that no spreadsheet runs as a formula."""
    return escape_formula(plain_text(text))


def csv_text(rows: Iterable[Sequence[object]]) -> str:
    """Return rows as CSV, safe to open in a spreadsheet."""
    table = io.StringIO(newline="")
    csv.writer(table, lineterminator="\n").writerows(
        [safe_cell(cell) if isinstance(cell, str) else cell for cell in row] for row in rows
    )
    return table.getvalue()


def unescape_formula(cell: str) -> str:
    """Return the text that `escape_formula` was given.

    Example:
        >>> unescape_formula("'=1+1"), unescape_formula("'tis")
        ('=1+1', "'tis")
    """
    return cell[1:] if ESCAPED_FORMULA.match(cell) else cell


def plain_name(name: str) -> str:
    """Return a name as part of a file's name.

    Example:
        >>> plain_name("bm25 top_k=5/../x")
        'bm25-top_k=5-..-x'
    """
    return re.sub(r"[^\w=.-]+", "-", name).strip("-.")[:60]
