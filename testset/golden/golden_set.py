"""A golden set: its items, how they are kept in a file, and what could not be filled."""

import json
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import ValidationError

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import DatasetError, OutputError
from testset.golden.item import GoldenItem

__all__ = ["GoldenSet", "Mismatch", "Rejection", "Shortfall"]


@dataclass(frozen=True, slots=True)
class Shortfall:
    """A cell of the plan that could not be filled.

    Attributes:
        topic: The topic of the cell; "*" for all.
        type: The question type.
        wanted: How many items the plan asked of it.
        got: How many there are.
        reason: Why there are not more.
    """

    topic: str
    type: str
    wanted: int
    got: int
    reason: str


@dataclass(frozen=True, slots=True)
class Rejection:
    """A question that a check turned down, and why."""

    question: str
    reference: str
    doc_id: str
    check: str
    evidence: str


@dataclass(frozen=True, slots=True)
class Mismatch:
    """A gold span that does not lie where its item says."""

    item_id: str
    doc_id: str
    reason: str


@dataclass(frozen=True)
class GoldenSet:
    """Golden items in order, with the account of how they were made.

    Attributes:
        items: The items.
        size: How many were asked for.
        shortfall: Cells that could not be filled; empty if `len(items) == size`.
        rejected: Questions turned down by checks.
        skipped: Files that could not be read, with reasons.
        facts: What else the data card tells: seed, version, documents, passages.
    """

    items: tuple[GoldenItem, ...]
    size: int = 0
    shortfall: tuple[Shortfall, ...] = ()
    rejected: tuple[Rejection, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[GoldenItem]:
        return iter(self.items)

    def samples(self) -> tuple[SingleTurnSample, ...]:
        """Return the items as samples without responses; rejected and stale ones are left out."""
        return tuple(i.sample() for i in self.items if i.status not in ("rejected", "stale"))

    def write(self, path: str | Path) -> Path:
        """Write the items as JSONL, one a line; equal sets give equal bytes.

        The file appears whole or not at all.

        Raises:
            OutputError: The file cannot be written.
        """
        target = Path(path)
        lines = "".join(_line(item) for item in self.items)
        part = target.with_name(target.name + ".part")
        try:
            part.write_bytes(lines.encode())
            os.replace(part, target)
        except OSError as error:
            raise OutputError(f"cannot write {str(target)!r}: {error.strerror}") from error
        return target

    @classmethod
    def read(cls, path: str | Path) -> "GoldenSet":
        """Read a golden set that `write` wrote.

        Raises:
            DatasetError: There is no such file, or a line is no golden item; says which and why.
        """
        try:
            lines = Path(path).read_text(encoding="utf-8").split("\n")
        except (OSError, UnicodeDecodeError) as error:
            raise DatasetError(f"cannot be read: {error}", file=str(path)) from error
        numbered = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
        items = tuple(_item(line, str(path), number) for number, line in numbered)
        return cls(items, size=len(items))

    def verify(self, texts: Mapping[str, str]) -> tuple[Mismatch, ...]:
        """Return every gold span for which `document[start:end] == quote` does not hold.

        Args:
            texts: Document id -> text, as in `Corpus.texts`.
        """
        found: list[Mismatch] = []
        for item in self.items:
            for span in (span for group in item.gold for span in group):
                text = texts.get(span.doc_id)
                if text is None:
                    found.append(Mismatch(item.id, span.doc_id, "no such document"))
                elif text[span.start : span.end] != span.quote:
                    found.append(Mismatch(item.id, span.doc_id, "other text at its offsets"))
        return tuple(found)


def _line(item: GoldenItem) -> str:
    data = item.model_dump(mode="json")
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def _item(line: str, file: str, number: int) -> GoldenItem:
    try:
        return GoldenItem.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        place = ".".join(str(part) for part in first["loc"])
        raise DatasetError(first["msg"], file=file, line=number, field=place) from error


def ordered(items: Sequence[GoldenItem]) -> tuple[GoldenItem, ...]:
    """Return items in the order of their ids, which no plan can change."""
    return tuple(sorted(items, key=lambda item: item.id))
