"""Formats that keep one object a question: a table of fields writes and reads them.

A field says what it is called in the other tool's object, as `inputs.question`, and what it is
here. A new format is a table; a field that differs brings its own `write` and `read`.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from llamaindex_rag_eval.data.files import read_text
from llamaindex_rag_eval.errors import DatasetError
from testset.formats.format import (
    Format,
    ImportedRow,
    as_mapping,
    as_messages,
    as_text,
    as_texts,
    json_lines,
    metadata_of,
    unknown_in,
    write_lines,
)
from testset.golden.golden_set import GoldenSet
from testset.golden.item import GoldenItem

WRITERS: Mapping[str, Callable[[GoldenItem], Any]] = {
    "question": lambda item: item.question,
    "reference": lambda item: item.reference,
    "contexts": lambda item: [group[0].quote for group in item.gold],
    "turns": lambda item: [{"role": turn.role, "content": turn.content} for turn in item.turns],
    "metadata": metadata_of,
    "id": lambda item: item.id,
    "document": lambda item: item.doc_ids[0] if item.doc_ids else None,
}
"""Field here -> how it is written, where its table does not say."""

READERS: Mapping[str, Callable[[Any], Any]] = {
    "question": as_text,
    "reference": as_text,
    "contexts": lambda value: tuple((text,) for text in as_texts(value)),
    "turns": as_messages,
    "metadata": as_mapping,
}
"""Field here -> how it is read, where its table does not say. Others are in the metadata, too."""


@dataclass(frozen=True, slots=True)
class Field:
    """A field of another tool's object.

    Attributes:
        path: Its name there; a field within a field behind a dot.
        ours: What it is here: a name of `WRITERS`, or a field of an item as `axes.style`. Empty if
            it is not read.
        write: Returns its value for an item.
        read: Returns what its value says; `None` if that is nothing.
        other: Another name of it in files that are read.
    """

    path: str
    ours: str = ""
    write: Callable[[GoldenItem], Any] | None = None
    read: Callable[[Any], Any] | None = None
    other: str = ""


@dataclass(frozen=True, slots=True)
class Records:
    """A format of JSON objects.

    Attributes:
        name: As users give it.
        fields: In the order in which they are written.
        within: Where the objects are: `None` for one a line, "" for one list, else the name of the
            list in an object.
        indent: Of JSON that is not one object a line.
    """

    name: str
    fields: tuple[Field, ...]
    within: str | None = None
    indent: int = 2

    @property
    def format(self) -> Format:
        """How golden sets are written and read."""
        return Format(self.name, write=self.write, read=self.read)

    def write(self, golden: GoldenSet, path: Path) -> tuple[Path, ...]:
        """Write one object a question.

        Raises:
            OutputError: The file cannot be written.
        """
        rows = [self.row(item) for item in golden]
        if self.within is None:
            return (write_lines(path, [json.dumps(row, ensure_ascii=False) for row in rows]),)
        whole = {self.within: rows} if self.within else rows
        return (write_lines(path, [json.dumps(whole, ensure_ascii=False, indent=self.indent)]),)

    def read(self, path: Path) -> list[ImportedRow]:
        """Read the questions.

        Raises:
            DatasetError: The file cannot be read, or an object has no question.
        """
        return [self.imported(row, path, line) for line, row in self._objects(path)]

    def row(self, item: GoldenItem) -> dict[str, Any]:
        """Return the object of an item."""
        row: dict[str, Any] = {}
        for field in self.fields:
            _put(row, field.path, (field.write or WRITERS[field.ours])(item))
        return row

    def imported(
        self, row: Mapping[str, object], path: Path, line: int | None = None
    ) -> ImportedRow:
        """Return the question of an object.

        Raises:
            DatasetError: It has none.
        """
        columns: dict[str, Any] = {}
        implied: dict[str, Any] = {}
        for field in self.fields:
            value = _at(row, field.path)
            if value in (None, "") and field.other:
                value = _at(row, field.other)
            if field.ours == "question" and value is None:
                top, _, name = field.path.rpartition(".")
                raise DatasetError(
                    f"expected {name!r}", file=str(path), line=line, field=top or name
                )
            if field.ours in READERS:
                columns[field.ours] = (field.read or READERS[field.ours])(value)
            elif field.read is not None and (meant := field.read(value)) is not None:
                _put(implied, field.ours, meant)
        columns["metadata"] = {**implied, **columns.get("metadata", {})}
        return ImportedRow(**columns, unknown=self._unknown(row))

    def _objects(self, path: Path) -> Iterator[tuple[int | None, Mapping[str, object]]]:
        if self.within is None:
            yield from enumerate(json_lines(path), 1)
            return
        try:
            whole = json.loads(read_text(path))
        except ValueError as error:
            raise DatasetError("expected JSON", file=str(path)) from error
        rows = as_mapping(whole).get(self.within) if self.within else whole
        if not isinstance(rows, list):
            what = f"a list {self.within!r}" if self.within else "a list"
            raise DatasetError(
                f"expected {what} of objects", file=str(path), field=self.within or ""
            )
        yield from ((None, as_mapping(row)) for row in rows)

    def _unknown(self, row: Mapping[str, object]) -> tuple[str, ...]:
        """Return the names without a place in an item; a file of ours repeats some of it."""
        paths = {field.ours: field.path for field in self.fields}
        metadata = as_mapping(_at(row, paths["metadata"])) if "metadata" in paths else {}
        own = "gold" in metadata and "checks" in metadata  # `metadata_of` wrote it
        known: dict[str, set[str]] = {"": set()}
        if "metadata" in paths:
            known[paths["metadata"]] = set(GoldenItem.model_fields)
        for field in self.fields:
            if field.ours and (own or field.read or field.ours in READERS):
                for path in (field.path, field.other):
                    group, _, name = path.rpartition(".")
                    known.setdefault(group, set()).add(name)
        known[""] |= known.keys()
        return tuple(
            name
            for group, names in known.items()
            for name in unknown_in(
                as_mapping(_at(row, group)), names, under=f"{group}." if group else ""
            )
        )


def _at(row: Mapping[str, object], path: str) -> Any:
    """Return what stands at a path; `None` if nothing does."""
    value: Any = row
    for name in path.split(".") if path else ():
        value = as_mapping(value).get(name)
    return value


def _put(row: dict[str, Any], path: str, value: object) -> None:
    *groups, name = path.split(".")
    for group in groups:
        row = row.setdefault(group, {})
    row[name] = value
