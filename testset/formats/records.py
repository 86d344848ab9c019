"""Formats that keep one object a question: how each is written and read stands in `records.yaml`.

A field says what it is called in the other tool's object, as `inputs.question`, and what it is
here. A new format is an entry of the table.
"""

import json
import uuid
from collections.abc import Callable, Iterator, Mapping
from functools import reduce
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel, ConfigDict

from llamaindex_rag_eval.data.files import jsonl_objects, read_text
from llamaindex_rag_eval.data.plain_text import plain_text
from llamaindex_rag_eval.data.tables import csv_file
from llamaindex_rag_eval.errors import DatasetError
from testset.formats.format import (
    Format,
    ImportedRow,
    as_mapping,
    as_messages,
    as_text,
    as_texts,
    contexts_of,
    metadata_of,
    unknown_in,
    write_lines,
)
from testset.formats.table import CONTEXTS, contexts_of_cell, write_rows
from testset.golden.golden_set import GoldenSet
from testset.golden.item import GoldenItem

NAMESPACE = uuid.UUID("5b8f2a1e-6c1d-5e0a-9d53-0c2f6f1f7a44")
"""Makes UUIDs of our ids: an item that is uploaded twice is the same example."""


def _author(item: GoldenItem) -> dict[str, str | None]:
    if item.status == "edited":
        return {"model_name": None, "type": "human"}
    return {"model_name": item.created.models.get("writer", ""), "type": "ai"}


def _conversation(item: GoldenItem) -> str:
    return "\n".join([*(f"{turn.role}: {turn.content}" for turn in item.turns), item.question])


WRITERS: Mapping[str, Callable[[GoldenItem], Any]] = {
    "question": lambda item: item.question,
    "reference": lambda item: item.reference,
    "contexts": lambda item: contexts_of(item),
    "turns": lambda item: [{"role": turn.role, "content": turn.content} for turn in item.turns],
    "metadata": metadata_of,
    "id": lambda item: item.id,
    "document": lambda item: item.doc_ids[0] if item.doc_ids else None,
    "split": lambda item: item.split or "base",
    "author": _author,
    "conversation": _conversation,
    "joined contexts": lambda item: "\n\n".join(contexts_of(item)),
    "nothing": lambda _: None,
    "uuid": lambda item: str(uuid.uuid5(NAMESPACE, item.id)),
}
"""Name in the table -> how it is written; other names are fields of an item."""

READERS: Mapping[str, Callable[[Any], Any]] = {
    "question": as_text,
    "reference": as_text,
    "contexts": lambda value: tuple((text,) for text in as_texts(value)),
    "turns": as_messages,
    "metadata": as_mapping,
}
"""Name in the table -> how it is read; what else is written by a name is in the metadata, too."""


class Field(BaseModel):
    """A field of another tool's object, as an entry of the table has it; see there."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    path: str
    ours: str = ""
    write: str = ""
    names: Mapping[str, str] = {}
    other: str = ""

    def written(self, item: GoldenItem) -> Any:
        """Return its value for an item."""
        name = self.write or self.ours
        if name in WRITERS:
            return WRITERS[name](item)
        value = reduce(getattr, name.split("."), item)
        return self.names.get(str(value), value) or None

    @property
    def implies(self) -> bool:
        """Whether it says what a field of an item is."""
        return bool(self.ours) and self.ours not in WRITERS

    def meant(self, value: object) -> str:
        """Return what a value says of the item: one that its field may have; empty if it is none.

        A name that begins with one of those is that one, as `multi_hop_abstract_query_synthesizer`.
        """
        text = "" if value is None else str(value)
        named = {theirs: ours for ours, theirs in self.names.items()}.get(text, text)
        known = _values(self.ours)
        return next((name for name in known if named.startswith(name)), "") if known else named


class Records(BaseModel):
    """A format of JSON objects, as the table has it; see there."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    fields: tuple[Field, ...]
    within: str | None = None
    indent: int = 2
    csv: bool = False

    def write(self, golden: GoldenSet, path: Path) -> tuple[Path, ...]:
        """Write one object a question.

        In CSV a list is written as Python writes it, which is what ragas reads.

        Raises:
            OutputError: The file cannot be written.
        """
        rows = [self.row(item) for item in golden]
        if self.csv and path.suffix == ".csv":
            columns = [field.path for field in self.fields]
            return (write_rows(path, columns, (map(_plain, row.values()) for row in rows)),)
        if self.within is None:
            return (write_lines(path, [json.dumps(row, ensure_ascii=False) for row in rows]),)
        whole = {self.within: rows} if self.within else rows
        return (write_lines(path, [json.dumps(whole, ensure_ascii=False, indent=self.indent)]),)

    def row(self, item: GoldenItem) -> dict[str, Any]:
        """Return the object of an item."""
        row: dict[str, Any] = {}
        for field in self.fields:
            _put(row, field.path, field.written(item))
        return row

    def read(self, path: Path) -> list[ImportedRow]:
        """Read the questions.

        Raises:
            DatasetError: The file cannot be read, or an object has no question.
        """
        return [self._imported(row, path, line) for line, row in self._objects(path)]

    def _imported(self, row: Mapping[str, object], path: Path, line: int | None) -> ImportedRow:
        columns: dict[str, Any] = {}
        implied: dict[str, Any] = {}
        for field in self.fields:
            value = _at(row, field.path)
            if value in (None, "") and field.other:
                value = _at(row, field.other)
            if field.ours == "question" and value is None:
                top, _, name = field.path.rpartition(".")
                where = {"file": str(path), "line": line, "field": top or name}
                names = ", ".join(map(repr, row)) or "nothing"
                expected = f"expected a question under this name; the row has {names}"
                raise DatasetError(expected, **where)  # type: ignore[arg-type]  # keywords
            if field.ours in READERS:
                columns[field.ours] = READERS[field.ours](value)
            elif field.implies and (meant := field.meant(value)):
                _put(implied, field.ours, meant)
        columns["metadata"] = {**implied, **columns.get("metadata", {})}
        return ImportedRow(**columns, unknown=self._unknown(row))

    def _objects(self, path: Path) -> Iterator[tuple[int | None, Mapping[str, object]]]:
        if self.csv and path.suffix == ".csv":
            for line, cells in csv_file(path):
                contexts = contexts_of_cell(cells.get(CONTEXTS, ""), str(path), line)
                yield line, {**cells, CONTEXTS: contexts}
            return
        if self.within is None:
            yield from jsonl_objects(path)
            return
        try:
            whole = json.loads(read_text(path))
        except ValueError as error:
            raise DatasetError("expected JSON", file=str(path)) from error
        rows = as_mapping(whole).get(self.within) if self.within else whole
        if not isinstance(rows, list):
            what = f"a list {self.within!r}" if self.within else "a list"
            raise DatasetError(f"expected {what} of objects", file=str(path), field=self.within)
        yield from ((None, as_mapping(row)) for row in rows)

    def _unknown(self, row: Mapping[str, object]) -> tuple[str, ...]:
        """Return the names without a place in an item; a file of ours repeats some of it."""
        known: dict[str, set[str]] = {"": set()}
        top = next((field.path for field in self.fields if field.ours == "metadata"), "")
        metadata = as_mapping(_at(row, top)) if top else {}
        own = "gold" in metadata and "checks" in metadata  # `metadata_of` wrote it
        if top:
            known[top] = set(GoldenItem.model_fields)
        for field in self.fields:
            if field.ours and (own or field.implies or field.ours in READERS):
                for path in (field.path, field.other):
                    group, _, name = path.rpartition(".")
                    known.setdefault(group, set()).add(name)
        known[""] |= known.keys()
        return tuple(
            name
            for group, names in known.items()
            for name in unknown_in(as_mapping(_at(row, group)), names, under=group and f"{group}.")
        )


def _values(path: str) -> tuple[str, ...]:
    """Return the values that a field of an item may have; none if any text will do."""
    *groups, name = path.split(".")
    model: Any = GoldenItem
    for group in groups:
        model = model.model_fields[group].annotation
    return get_args(model.model_fields[name].annotation)


def _plain(value: object) -> object:
    """Return a cell without control codes; it is no formula's escape, which ragas would read."""
    if isinstance(value, list):
        return [_plain(entry) for entry in value]
    return plain_text(value) if isinstance(value, str) else value


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


def _format(name: str, table: Mapping[str, Any]) -> Format:
    fields = [
        {"path": path, **(field if isinstance(field, dict) else {"ours": field})}
        for path, field in table["fields"].items()
    ]
    records = Records.model_validate({**table, "name": name, "fields": fields})
    return Format(name, write=records.write, read=records.read)


_TABLES = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))

FORMATS = tuple(_format(name, table) for name, table in _TABLES.items())
