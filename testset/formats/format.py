"""A row of another tool's file, on its way to become a golden item.

Other tools know texts that answer a question, not where they stand. Where the file was written by
us, the places came along in its metadata; otherwise the texts are looked for in the documents.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue, ValidationError

from llamaindex_rag_eval.data.sample import Message
from llamaindex_rag_eval.errors import DatasetError, OutputError
from testset.corpus.documents import Corpus
from testset.golden.item import GoldenItem, GoldSpan, item_id
from testset.golden.spans import locate

__all__ = ["Row", "json_lines", "metadata_of", "text_of_file", "write_text"]

OWN = frozenset({"question", "reference", "turns"})
"""Fields for which every format has a place of its own."""


@dataclass(frozen=True, slots=True)
class Row:
    """One question as another tool keeps it.

    Attributes:
        question: The question.
        reference: The right answer; empty where the tool has none.
        contexts: Texts that hold it: groups that are all needed, any text of a group will do.
        turns: The conversation before it.
        metadata: What `metadata_of` gave, or what another tool wrote; other names are dropped.
    """

    question: str
    reference: str = ""
    contexts: tuple[tuple[str, ...], ...] = ()
    turns: tuple[Message, ...] = ()
    metadata: Mapping[str, object] = field(default_factory=dict)

    def item(self, corpus: Corpus | None) -> GoldenItem:
        """Return the golden item; its contexts become evidence where the documents hold them.

        Raises:
            DatasetError: The row asks nothing, or its metadata breaks the schema of an item.
        """
        if not self.question.strip():
            raise DatasetError("expected a question, got none", field="question")
        fields = {
            name: value
            for name, value in self.metadata.items()
            if name in GoldenItem.model_fields and name not in OWN
        }
        if not fields.get("gold"):
            fields["gold"] = self._placed(corpus) if corpus is not None else ()
        fields |= {"question": self.question, "reference": self.reference, "turns": self.turns}
        try:
            item = GoldenItem.model_validate({"id": "new", **fields})
        except ValidationError as error:
            first = error.errors()[0]
            place = ".".join(map(str, first["loc"]))
            raise DatasetError(first["msg"], field=place) from error
        return item if fields.get("id") else item.model_copy(update={"id": _id(item)})

    def _placed(self, corpus: Corpus) -> tuple[tuple[GoldSpan, ...], ...]:
        groups = (
            tuple(span for text in group if (span := _found(text, corpus)) is not None)
            for group in self.contexts
        )
        return tuple(group for group in groups if group)


def metadata_of(item: GoldenItem) -> dict[str, JsonValue]:
    """Return what other formats have no field for, as JSON: places, checks, axes and the rest."""
    data: dict[str, JsonValue] = item.model_dump(mode="json", exclude=set(OWN))
    return data


def text_of_file(path: Path) -> str:
    """Return the text of a file.

    Raises:
        DatasetError: It cannot be read, or is not UTF-8.
    """
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise DatasetError(f"cannot be read: {error}", file=str(path)) from error


def json_lines(path: Path) -> Iterator[Mapping[str, object]]:
    """Go through the objects of a JSON Lines file.

    Raises:
        DatasetError: It cannot be read, or a line is no JSON object; says which.
    """
    for number, line in enumerate(text_of_file(path).split("\n"), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except ValueError as error:
            raise DatasetError("expected JSON", file=str(path), line=number) from error
        if not isinstance(row, dict):
            raise DatasetError("expected a JSON object", file=str(path), line=number)
        yield row


def write_text(path: Path, lines: Sequence[str]) -> Path:
    """Write lines as UTF-8, their folder made if it is not there.

    Raises:
        OutputError: The file cannot be written.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes("".join(f"{line}\n" for line in lines).encode())
    except OSError as error:
        raise OutputError(f"cannot write {str(path)!r}: {error.strerror}") from error
    return path


def _id(item: GoldenItem) -> str:
    gold = tuple((span.doc_id, span.quote) for group in item.gold for span in group)
    return item_id(item.question, item.reference, item.type, gold)


def _found(text: str, corpus: Corpus) -> GoldSpan | None:
    """Return where a text stands: word for word in any document, else nearly so in any."""
    exact = [entry for entry in corpus.documents if text.strip() and text.strip() in entry.text]
    for entry in exact or corpus.documents:
        place = locate(text, entry.text)
        if place is not None:
            return GoldSpan.cut(entry.doc_id, entry.hash, entry.text, place.start, place.end)
    return None
