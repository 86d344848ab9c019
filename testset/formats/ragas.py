"""Ragas: rows of an `EvaluationDataset`, as JSON Lines, or as CSV where the name ends in .csv.

Fields: `user_input`, `reference`, `reference_contexts`, `persona_name`, `query_style`,
`query_length`, and `synthesizer_name` as its test sets have it. A conversational question carries
its conversation in front of it, one message a line. Source: "Evaluation Schema",
https://docs.ragas.io/en/stable/references/evaluation_schema/.
"""

import csv
import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

from pydantic import JsonValue

from llamaindex_rag_eval.data.plain_text import plain_text
from llamaindex_rag_eval.data.tables import csv_table
from llamaindex_rag_eval.errors import DatasetError
from testset.formats.format import (
    Format,
    ImportedRow,
    as_text,
    as_texts,
    json_lines,
    unknown_in,
    write_lines,
)
from testset.formats.table import CONTEXTS, contexts_of_cell
from testset.golden.golden_set import GoldenSet
from testset.golden.item import GoldenItem, QuestionType

STYLES = {
    "misspelt": "Misspelled queries",
    "web_search": "Web search like queries",
    "plain": "Perfect grammar",
    "formal": "Perfect grammar",
}
"""Our style -> the name ragas gives it; others keep their own."""


KNOWN = frozenset(
    {
        "user_input",
        "reference",
        CONTEXTS,
        "persona_name",
        "query_style",
        "query_length",
        "synthesizer_name",
    }
)


def write(golden: GoldenSet, path: Path) -> tuple[Path, ...]:
    """Write rows; in CSV a list is written as Python writes it, which is what ragas reads."""
    rows = [_fields(item) for item in golden]
    if path.suffix != ".csv":
        lines = [json.dumps(row, ensure_ascii=False) for row in rows]
        return (write_lines(path, lines),)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(rows[0] if rows else ("user_input", "reference_contexts", "reference"))
    writer.writerows([_plain(value) for value in row.values()] for row in rows)
    return (write_lines(path, [out.getvalue().removesuffix("\n")]),)


def _plain(value: JsonValue) -> object:
    """Return a cell without control codes; it is no formula's escape, which ragas would read."""
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    return plain_text(value) if isinstance(value, str) else value


def read(path: Path) -> list[ImportedRow]:
    """Read rows of an `EvaluationDataset` or of a test set.

    Raises:
        DatasetError: The file cannot be read, or has no `user_input`.
    """
    file = str(path)
    if path.suffix != ".csv":
        return [
            _row(row, tuple((text,) for text in as_texts(row.get(CONTEXTS))), file)
            for row in json_lines(path)
        ]
    return [
        _row(cells, contexts_of_cell(cells.get(CONTEXTS, ""), file, line), file)
        for line, cells in csv_table(path)[1]
    ]


def _fields(item: GoldenItem) -> dict[str, JsonValue]:
    messages = [f"{turn.role}: {turn.content}" for turn in item.turns]
    return {
        "user_input": "\n".join([*messages, item.question]),
        "reference_contexts": [group[0].quote for group in item.gold],
        "reference": item.reference,
        "persona_name": item.axes.persona or None,
        "query_style": STYLES.get(item.axes.style, item.axes.style),
        "query_length": item.axes.length,
        "synthesizer_name": item.type,
    }


def _row(
    row: Mapping[str, object], contexts: tuple[tuple[str, ...], ...], file: str
) -> ImportedRow:
    if "user_input" not in row:
        raise DatasetError("expected 'user_input'", file=file, field="user_input")
    axes: dict[str, object] = {"persona": as_text(row.get("persona_name"))}
    if row.get("query_length") in ("short", "medium", "long"):
        axes["length"] = row["query_length"]
    ours = {name: style for style, name in reversed(STYLES.items())}
    style = as_text(row.get("query_style"))
    axes["style"] = ours.get(style, style) or "plain"
    return ImportedRow(
        as_text(row["user_input"]),
        as_text(row.get("reference")),
        contexts,
        metadata={"axes": axes, "type": _type(as_text(row.get("synthesizer_name")))},
        unknown=unknown_in(row, KNOWN),
    )


def _type(synthesizer: str) -> str:
    """Return the question type of a synthesizer: ours by its name, else by how that begins.

    Example:
        >>> _type("summary"), _type("multi_hop_abstract_query_synthesizer"), _type("")
        ('summary', 'multi_hop', 'single_hop')
    """
    if synthesizer in get_args(QuestionType):
        return synthesizer
    return "multi_hop" if synthesizer.startswith("multi_hop") else "single_hop"


FORMATS = (Format("ragas", write=write, read=read),)
