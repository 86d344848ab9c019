"""Exports and imports: golden sets in the file formats of other tools."""

import pkgutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import import_module
from pathlib import Path

from llamaindex_rag_eval.data.files import jsonl_objects
from llamaindex_rag_eval.errors import DatasetError, InputError
from testset import formats
from testset.corpus.documents import Corpus
from testset.formats import ExportFormat, ImportFormat
from testset.formats.format import Format, ImportedRow
from testset.golden.difficulty import with_difficulty
from testset.golden.golden_set import GoldenSet
from testset.golden.item import GoldenItem
from testset.golden.splits import with_splits

OWN_FORMAT = "jsonl"
"""Our own file: it keeps every item as it is."""


def export_golden(
    golden: GoldenSet, path: str | Path, *, to: ExportFormat, corpus: Corpus | None = None
) -> tuple[Path, ...]:
    """Write a golden set for another tool; rejected and stale items are left out.

    Args:
        golden: The set.
        path: The file to write; a folder for "autorag", "beir" and "huggingface".
        to: The format. "jsonl" is our own and keeps every item.
        corpus: The documents: needed by "autorag" and "beir", whose gold is chunks; with them
            "trec" judges chunks too, else whole documents.

    Returns:
        The files written.

    Raises:
        InputError: There is no such format, or it needs the documents.
        OutputError: A file cannot be written.
    """
    if to == OWN_FORMAT:
        return (golden.write(path),)
    chosen = _format(to, lambda entry: entry.write or entry.write_chunks)
    usable = replace(golden, items=golden.in_use)
    if chosen.write_chunks is not None and corpus is not None:
        return chosen.write_chunks(usable, Path(path), corpus)
    if chosen.write is None:
        raise InputError(f"{to!r} holds the documents too; give them (--docs)")
    return chosen.write(usable, Path(path))


@dataclass(frozen=True, slots=True)
class Imported:
    """A golden set read from another tool's file.

    Attributes:
        golden: The items, each question with its gold spans once.
        unplaced: Ids of the items some of whose contexts stand in no document that was given.
        twins: How many rows were left out as the same item again.
        unknown: Names of columns that were left out since items have no place for them.
        repeated: Id of an item with a context that stands in several documents -> these; the
            first is the one that was taken.
    """

    golden: GoldenSet
    unplaced: tuple[str, ...] = ()
    twins: int = 0
    unknown: tuple[str, ...] = ()
    repeated: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def import_golden(
    path: str | Path, *, source: ImportFormat, corpus: Corpus | None = None
) -> Imported:
    """Read another tool's file.

    Args:
        path: The file; a folder for "autorag" and "beir".
        source: The format. "jsonl" is our own, or has the columns of "csv". A TREC qrels file holds
            neither texts nor questions: it has no import.
        corpus: Where to look for the contexts. It is needed unless there are none, or the file
            says where they stand, as those do that were exported from here.

    Raises:
        InputError: There is no such format, or contexts are given and no documents.
        DatasetError: The file cannot be read, a row has no question (says which), or none of the
            contexts stands in the documents.
    """
    if source == OWN_FORMAT and _is_own(Path(path)):
        return Imported(GoldenSet.read(path))
    chosen = _format(source, lambda entry: entry.read)
    items: dict[str, GoldenItem] = {}
    unplaced: list[str] = []
    repeated: dict[str, tuple[str, ...]] = {}
    rows = chosen.read(Path(path)) if chosen.read is not None else []
    for number, row in enumerate(rows, 1):
        item = _item(row, corpus, str(path), number)
        items.setdefault(item.id, item)
        if len(item.gold) < len(row.contexts) and item.id not in unplaced:
            unplaced.append(item.id)
        if not row.metadata.get("gold"):
            repeated |= _repeated(item, corpus)
    if unplaced and corpus is None:
        count = f"{len(unplaced)} of {len(items)} questions come with contexts"
        raise InputError(f"{count}; give the documents that hold them (--docs)")
    wanted = sum(len(row.contexts) for row in rows)
    if wanted and not any(item.gold for item in items.values()):
        what = f"none of the {wanted} contexts stands word for word in these documents"
        raise DatasetError(what, file=str(path))
    golden = GoldenSet(tuple(items.values()), size=len(items))
    unknown = tuple(dict.fromkeys(name for row in rows for name in row.unknown))
    return Imported(golden, tuple(unplaced), len(rows) - len(items), unknown, repeated)


def _is_own(path: Path) -> bool:
    """Return whether the first object of a file has all that an item is written with."""
    _, first = next(jsonl_objects(path), (0, {}))
    return {"id", "question", "gold", "checks"} <= first.keys()


def _repeated(item: GoldenItem, corpus: Corpus | None) -> dict[str, tuple[str, ...]]:
    """Return id -> documents that hold one of its quotes, for an item with such in several."""
    texts = {} if corpus is None else corpus.texts
    for span in (span for group in item.gold for span in group):
        holding = {name for name, text in texts.items() if span.quote in text}
        if len(holding) > 1:
            return {item.id: (span.doc_id, *sorted(holding - {span.doc_id}))}
    return {}


def _item(row: ImportedRow, corpus: Corpus | None, file: str, number: int) -> GoldenItem:
    try:
        return row.item(corpus)
    except DatasetError as error:
        where = f"row {number}: {error.expectation}"
        raise DatasetError(where, file=file, field=error.field) from error


def with_missing_fields(golden: GoldenSet, corpus: Corpus) -> GoldenSet:
    """Return a set in which no item lacks a difficulty or, if none had one, a split."""
    measured = with_difficulty(golden, corpus)
    items = tuple(old if old.difficulty else new for old, new in zip(golden, measured, strict=True))
    if not any(item.split for item in items):  # a second draw could put a document on both sides
        items = with_splits(items)
    return GoldenSet(items, size=len(items))


def formats_by_name() -> dict[str, Format]:
    """Return the formats that the modules of this package declare as `FORMATS`, by name."""
    modules = sorted(entry.name for entry in pkgutil.iter_modules(formats.__path__))
    loaded = (import_module(f"{formats.__name__}.{name}") for name in modules)
    return {entry.name: entry for module in loaded for entry in getattr(module, "FORMATS", ())}


def _format(name: str, usable: Callable[[Format], object]) -> Format:
    formats = {entry.name: entry for entry in formats_by_name().values() if usable(entry)}
    if name not in formats:
        expected = ", ".join(sorted({*formats, OWN_FORMAT}))
        raise InputError(f"no format is named {name!r}; expected one of {expected}")
    return formats[name]
