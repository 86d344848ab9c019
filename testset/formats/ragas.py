"""Ragas: rows of an `EvaluationDataset`, as JSON Lines, or as CSV where the name ends in .csv.

A conversational question carries its conversation in front of it, one message a line. Source:
"Evaluation Schema", https://docs.ragas.io/en/stable/references/evaluation_schema/, and for
`synthesizer_name` ragas' test sets.
"""

from pathlib import Path
from typing import get_args

from pydantic import JsonValue

from llamaindex_rag_eval.data.plain_text import plain_text
from llamaindex_rag_eval.data.tables import csv_file
from testset.formats.format import Format, ImportedRow
from testset.formats.records import Field, Records
from testset.formats.table import CONTEXTS, contexts_of_cell, write_rows
from testset.golden.golden_set import GoldenSet
from testset.golden.item import GoldenItem, QuestionType

STYLES = {
    "misspelt": "Misspelled queries",
    "web_search": "Web search like queries",
    "formal": "Perfect grammar",
    "plain": "Perfect grammar",
}
"""Our style -> the name ragas gives it, which means the last of several; others keep theirs."""
OURS = {theirs: ours for ours, theirs in STYLES.items()}
LENGTHS = frozenset({"short", "medium", "long"})


def _with_conversation(item: GoldenItem) -> str:
    return "\n".join([*(f"{turn.role}: {turn.content}" for turn in item.turns), item.question])


def _type(synthesizer: object) -> str:
    """Return the question type of a synthesizer: ours by its name, else by how that begins.

    Example:
        >>> _type("summary"), _type("multi_hop_abstract_query_synthesizer"), _type(None)
        ('summary', 'multi_hop', 'single_hop')
    """
    name = str(synthesizer)
    if name in get_args(QuestionType):
        return name
    return "multi_hop" if name.startswith("multi_hop") else "single_hop"


ROWS = Records(
    "ragas",
    (
        Field("user_input", "question", _with_conversation),
        Field(CONTEXTS, "contexts"),
        Field("reference", "reference"),
        Field(
            "persona_name",
            "axes.persona",
            lambda item: item.axes.persona or None,
            lambda name: name or None,
        ),
        Field(
            "query_style",
            "axes.style",
            lambda item: STYLES.get(item.axes.style, item.axes.style),
            lambda name: OURS.get(name, name) or None,
        ),
        Field(
            "query_length",
            "axes.length",
            lambda item: item.axes.length,
            lambda name: name if name in LENGTHS else None,
        ),
        Field("synthesizer_name", "type", lambda item: item.type, _type),
    ),
)


def write(golden: GoldenSet, path: Path) -> tuple[Path, ...]:
    """Write rows; in CSV a list is written as Python writes it, which is what ragas reads."""
    if path.suffix != ".csv":
        return ROWS.write(golden, path)
    rows = ([_plain(value) for value in ROWS.row(item).values()] for item in golden)
    return (write_rows(path, [field.path for field in ROWS.fields], rows),)


def read(path: Path) -> list[ImportedRow]:
    """Read rows of an `EvaluationDataset` or of a test set.

    Raises:
        DatasetError: The file cannot be read, or has no `user_input`.
    """
    if path.suffix != ".csv":
        return ROWS.read(path)
    return [
        ROWS.imported(
            {**cells, CONTEXTS: contexts_of_cell(cells.get(CONTEXTS, ""), str(path), line)},
            path,
            line,
        )
        for line, cells in csv_file(path)
    ]


def _plain(value: JsonValue) -> object:
    """Return a cell without control codes; it is no formula's escape, which ragas would read."""
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    return plain_text(value) if isinstance(value, str) else value


FORMATS = (Format("ragas", write=write, read=read),)
