"""A golden set: its items, the file of the items, and the report of their generation beside it.

What was asked for and not filled, rejected, skipped and spent is in `golden.account.json` beside
`golden.jsonl`, so that a data card made later, after a review, still lists it.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from llamaindex_rag_eval.data.files import read_text, write_whole
from llamaindex_rag_eval.data.plain_text import json_safe
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import DatasetError
from testset.golden.item import GoldenItem
from testset.version import VERSION

_MISPLACED, _NO_DOCUMENT = "other text at its offsets", "no such document"


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
    """Golden items in order, with the report of how they were made.

    Attributes:
        items: The items.
        size: How many were asked for.
        shortfall: Cells that could not be filled; empty if `len(items) == size`.
        rejected: Questions turned down by checks.
        skipped: Files that could not be read, with reasons.
        facts: What else the data card lists: seed, version, documents, passages.
        reserve: Items that passed all checks and are not of the set: one that is extended takes
            from them first.
    """

    items: tuple[GoldenItem, ...]
    size: int = 0
    shortfall: tuple[Shortfall, ...] = ()
    rejected: tuple[Rejection, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    facts: Mapping[str, str] = field(default_factory=dict)
    reserve: tuple[GoldenItem, ...] = ()

    def __len__(self) -> int:
        return len(self.items)

    def __iter__(self) -> Iterator[GoldenItem]:
        return iter(self.items)

    @property
    def in_use(self) -> tuple[GoldenItem, ...]:
        """The items that are neither rejected nor stale."""
        return tuple(item for item in self.items if item.status not in ("rejected", "stale"))

    def samples(self) -> tuple[SingleTurnSample, ...]:
        """Return the items in use as samples without responses."""
        return tuple(item.sample() for item in self.in_use)

    def write(self, path: str | Path) -> Path:
        """Write the items as JSONL, one a line; equal sets give equal bytes.

        The file appears whole or not at all; folders on the way are made.

        Raises:
            OutputError: The file cannot be written.
        """
        return write_whole(path, map(json_line, self.items))

    @classmethod
    def read(cls, path: str | Path) -> "GoldenSet":
        """Read a golden set that `write` wrote.

        Raises:
            DatasetError: There is no such file, or a line is no golden item; says which and why.
        """
        lines = read_text(path).split("\n")
        numbered = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
        items = tuple(_item_from_line(line, str(path), number) for number, line in numbered)
        return cls(items, size=len(items))

    def verify(self, texts: Mapping[str, str]) -> tuple[Mismatch, ...]:
        """Return every gold span for which `document[start:end] == quote` does not hold.

        Args:
            texts: Document id -> text, as in `Corpus.texts`.
        """
        spans = [(item.id, span) for item in self for group in item.gold for span in group]
        located = ((item_id, span, texts.get(span.doc_id)) for item_id, span in spans)
        return tuple(
            Mismatch(item_id, span.doc_id, _MISPLACED if text else _NO_DOCUMENT)
            for item_id, span, text in located
            if text is None or text[span.start : span.end] != span.quote
        )


def json_line(item: GoldenItem) -> str:
    """Return an item as it stands in a file, with the end of its line."""
    data = item.model_dump(mode="json")
    return json_safe(json.dumps(data, ensure_ascii=False, separators=(",", ":"))) + "\n"


def _item_from_line(line: str, file: str, number: int) -> GoldenItem:
    try:
        return GoldenItem.model_validate_json(line)
    except ValidationError as error:
        first = error.errors()[0]
        path = ".".join(str(part) for part in first["loc"])
        if first["type"] == "missing" and number == 1:
            expected = f"no golden set: {path!r} is missing; `rag-eval generate` writes one,"
            raise DatasetError(
                f"{expected} `rag-eval golden import` makes one", file=file
            ) from error
        message = first["msg"] + _other_version(line)
        raise DatasetError(message, file=file, line=number, field=path) from error


def _other_version(line: str) -> str:
    """Return that a line was written by another version; empty if it was not, or is no item."""
    with suppress(ValueError, KeyError, TypeError, RecursionError):
        version = json.loads(line)["created"]["version"]
        if version != VERSION and isinstance(version, str):
            return f" (written by version {version!r}; this is version {VERSION!r})"
    return ""


def sorted_by_id(items: Sequence[GoldenItem]) -> tuple[GoldenItem, ...]:
    """Return items in the order of their ids, which does not depend on the plan."""
    return tuple(sorted(items, key=lambda item: item.id))


class _Report(BaseModel):
    """What a generation knew beside its items, as it is kept in `.account.json`."""

    model_config = ConfigDict(frozen=True)

    size: int
    items: tuple[str, ...]
    shortfall: tuple[Shortfall, ...] = ()
    rejected: tuple[Rejection, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    facts: Mapping[str, str] = {}
    reserve: tuple[GoldenItem, ...] = ()


def write_report(golden: GoldenSet, path: Path) -> Path:
    """Write the report of the golden set at `path` beside it.

    Raises:
        OutputError: It cannot be written.
    """
    report = _Report.model_validate({**vars(golden), "items": [item.id for item in golden]})
    return write_whole(_report_path(path), [report.model_dump_json(indent=1) + "\n"])


def with_report(golden: GoldenSet, path: Path) -> GoldenSet:
    """Return the golden set at `path` with the report of its generation, if there is one.

    The report of another set, which had this path before, is ignored.

    Raises:
        DatasetError: The file beside it is no such report.
    """
    beside = _report_path(path)
    if not beside.is_file():
        return golden
    try:
        report = _Report.model_validate_json(beside.read_bytes())
    except (OSError, ValidationError) as error:
        expected = "expected the report of the generation of a golden set"
        raise DatasetError(expected, file=str(beside)) from error
    if not {item.id for item in golden} <= set(report.items):
        return golden
    return GoldenSet(**{**dict(report), "items": golden.items})


def _report_path(path: Path) -> Path:
    return path.with_suffix(".account.json")
