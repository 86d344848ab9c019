"""Tables: one row an item, for spreadsheets and pandas; nothing is lost on the way back.

Plain columns come first; a nested field (gold spans, turns, checks) is JSON in its cell. In CSV no
cell is a formula to a spreadsheet, and control codes are left out.
"""

import csv
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from llamaindex_rag_eval.data.files import csv_text, jsonl_objects, unescape_formula, write_table
from llamaindex_rag_eval.data.plain_text import json_safe
from llamaindex_rag_eval.data.rows import field_names
from llamaindex_rag_eval.data.tables import csv_file, texts_of_cell
from llamaindex_rag_eval.errors import DatasetError
from testset.formats.format import Format, ImportedRow, as_messages, unknown_in, write_lines
from testset.golden.golden_set import GoldenSet
from testset.golden.item import GoldenItem

NESTED = (
    *("reference_aliases", "reference_facts", "axes", "gold"),
    *("hard_negatives", "turns", "checks", "created"),
)
PLAIN = (
    *("id", "question", "reference", "type", "kind", "expected_behaviour"),
    *("difficulty", "difficulty_by", "topic", "split", "status"),
)
COLUMNS = (*PLAIN, *NESTED)
CONTEXTS = "reference_contexts"
"""A column of files that are not ours: texts that hold the answer."""
REFERENCES = ("reference", "ground_truth", "expected_output", "gt_answer", "answer")
"""Columns for the right answer; the first that a table has is read."""


def write_csv(golden: GoldenSet, path: Path) -> tuple[Path, ...]:
    """Write a CSV file with a head line."""
    rows = ([cells[name] for name in COLUMNS] for cells in map(_cells, golden))
    return (write_table(path, csv_text([COLUMNS, *rows])),)


def write_rows(path: Path, columns: Iterable[str], rows: Iterable[Iterable[object]]) -> Path:
    """Write a CSV file of rows below the names of its columns.

    Raises:
        OutputError: The file cannot be written.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([columns, *rows])
    return write_lines(path, [text.getvalue().removesuffix("\n")])


def read_csv(path: Path) -> list[ImportedRow]:
    """Read a CSV file: ours, or any with a column "question"; case does not count in such names.

    A cell of a column "reference_contexts" holds one text, or a list as JSON or as Python writes
    it. Where there is no column "reference", the first of the others of `REFERENCES` is it.

    Raises:
        DatasetError: It cannot be read, or a cell of a nested column is no JSON.
    """
    return [
        _row({name: unescape_formula(cell) for name, cell in cells.items()}, str(path), line)
        for line, cells in csv_file(path)
    ]


def read_jsonl(path: Path) -> list[ImportedRow]:
    """Read what `read_csv` does from JSON Lines, an object a row.

    Raises:
        DatasetError: It cannot be read, or an object has no question.
    """
    return [_row(row, str(path), line) for line, row in jsonl_objects(path)]


def _cells(item: GoldenItem) -> dict[str, str]:
    data = item.model_dump(mode="json")
    nested = {name: json_safe(json.dumps(data[name], ensure_ascii=False)) for name in NESTED}
    return {name: str(data[name]) for name in PLAIN} | nested


def _row(written: Mapping[str, object], file: str, line: int) -> ImportedRow:
    names = field_names(written, {*COLUMNS, *REFERENCES, CONTEXTS})
    cells = {
        names[name]: value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
        for name, value in written.items()
        if value is not None
    }
    if "question" not in cells:
        there = ", ".join(map(repr, written)) or "none"
        raise DatasetError(f"expected a column 'question'; there are {there}", file=file, line=line)
    reference = next((name for name in REFERENCES if name in cells), "reference")
    fields: dict[str, object] = {name: cells[name] for name in PLAIN if cells.get(name)}
    for name in NESTED:
        try:
            fields[name] = json.loads(cells.get(name) or "null")
        except ValueError as error:
            raise DatasetError("expected JSON", file=file, line=line, field=name) from error
    turns = as_messages(fields.pop("turns", None))
    kept = {name: value for name, value in fields.items() if value is not None}
    return ImportedRow(
        cells["question"],
        cells.get(reference, ""),
        tuple((text,) for text in contexts_of_cell(cells.get(CONTEXTS, ""), file, line)),
        turns,
        kept,
        unknown_in(cells, {*COLUMNS, CONTEXTS, reference}),
    )


def contexts_of_cell(cell: str, file: str, line: int) -> tuple[str, ...]:
    """Return the contexts of a cell: one text, or a list of them that are all needed.

    Raises:
        DatasetError: It holds a list that cannot be read.
    """
    try:
        texts = texts_of_cell(cell)
    except ValueError as error:
        raise DatasetError(str(error), file=file, line=line, field=CONTEXTS) from error
    return tuple(text for text in ([cell] if texts is None else texts) if text.strip())


FORMATS = (Format("csv", write=write_csv, read=read_csv), Format("jsonl", read=read_jsonl))
