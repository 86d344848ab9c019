"""Imports: the file of another tool as a golden set."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from llamaindex_rag_eval.errors import DatasetError, InputError
from testset.corpus.documents import Corpus
from testset.formats import (
    autorag,
    deepeval,
    labelled_rag,
    langsmith,
    qrels,
    ragas,
    raget,
    table,
)
from testset.formats.format import Row
from testset.golden.golden_set import GoldenSet
from testset.golden.item import GoldenItem

__all__ = ["IMPORT_FORMATS", "ImportFormat", "Imported", "import_golden"]

ImportFormat = Literal[
    "autorag", "beir", "csv", "deepeval", "jsonl", "labelled_rag", "langsmith", "raget", "ragas"
]

_READERS: dict[str, Callable[[Path], list[Row]]] = {
    "autorag": autorag.read,
    "beir": qrels.read_beir,
    "csv": table.read_csv,
    "deepeval": deepeval.read,
    "labelled_rag": labelled_rag.read,
    "langsmith": langsmith.read,
    "raget": raget.read,
    "ragas": ragas.read,
}

IMPORT_FORMATS: tuple[str, ...] = tuple(sorted([*_READERS, "jsonl"]))
"""The names of the formats."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import came to.

    Attributes:
        golden: The items, each question with its evidence once.
        unplaced: Ids of the items whose contexts stand in no document that was given.
        twins: How many rows were left out as the same item again.
    """

    golden: GoldenSet
    unplaced: tuple[str, ...] = ()
    twins: int = 0


def import_golden(
    path: str | Path, *, source: ImportFormat, corpus: Corpus | None = None
) -> Imported:
    """Read another tool's file.

    Args:
        path: The file; a folder for "autorag" and "beir".
        source: The format. A TREC qrels file holds neither texts nor questions: it has no import.
        corpus: Where to look for the contexts; without it, an item has evidence only where the
            file says where it stands, as those do that were exported from here.

    Raises:
        InputError: There is no such format.
        DatasetError: The file cannot be read, or a row is no question; says which.
    """
    if source == "jsonl":
        return Imported(GoldenSet.read(path))
    if source not in _READERS:
        raise InputError(
            f"no format is named {source!r}; expected one of {', '.join(IMPORT_FORMATS)}"
        )
    items: dict[str, GoldenItem] = {}
    unplaced: list[str] = []
    rows = _READERS[source](Path(path))
    for number, row in enumerate(rows, 1):
        item = _item(row, corpus, str(path), number)
        items.setdefault(item.id, item)
        if len(item.gold) < len(row.contexts) and item.id not in unplaced:
            unplaced.append(item.id)
    golden = GoldenSet(tuple(items.values()), size=len(items))
    return Imported(golden, tuple(unplaced), len(rows) - len(items))


def _item(row: Row, corpus: Corpus | None, file: str, number: int) -> GoldenItem:
    try:
        return row.item(corpus)
    except DatasetError as error:
        where = f"row {number}: {error.expectation}"
        raise DatasetError(where, file=file, field=error.field) from error
