"""A file format: how a golden set is written in it, and its rows read.

Other tools keep texts that answer a question, not where they stand. Where a file was exported from
here, the places came along in its metadata; otherwise the texts are looked for in the documents.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from pydantic import JsonValue, ValidationError

from llamaindex_rag_eval.data.files import read_text as read_text, write_whole
from llamaindex_rag_eval.data.plain_text import json_safe
from llamaindex_rag_eval.data.sample import Message
from llamaindex_rag_eval.errors import DatasetError
from testset.corpus.documents import Corpus
from testset.corpus.setting import below
from testset.golden.golden_set import GoldenSet
from testset.golden.item import BEHAVIOUR, GoldenItem, GoldSpan, item_id
from testset.golden.spans import cut_span, locate


@dataclass(frozen=True, slots=True)
class ImportedRow:
    """One question as another tool keeps it.

    Attributes:
        question: The question.
        reference: The right answer; empty where the tool has none.
        contexts: Texts that hold it: groups that are all needed, any text of a group will do.
        turns: The conversation before it.
        metadata: What `metadata_of` gave, or what another tool wrote.
        unknown: Names of columns that hold something and have no place in an item.
    """

    question: str
    reference: str = ""
    contexts: tuple[tuple[str, ...], ...] = ()
    turns: tuple[Message, ...] = ()
    metadata: Mapping[str, object] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()

    def item(self, corpus: Corpus | None) -> GoldenItem:
        """Return the golden item; its contexts become gold spans where the documents hold them.

        Raises:
            DatasetError: The row has no question, or its metadata breaks the schema of an item.
        """
        if not self.question.strip():
            raise DatasetError("expected a question, got none", field="question")
        fields = {
            name: value
            for name, value in self.metadata.items()
            if name in GoldenItem.model_fields and name not in OWN
        }
        if not fields.get("gold"):
            fields["gold"] = self._gold(corpus) if corpus is not None else ()
        fields.setdefault("expected_behaviour", BEHAVIOUR.get(str(fields.get("type")), "answer"))
        fields |= {"question": self.question, "reference": self.reference, "turns": self.turns}
        try:
            item = GoldenItem.model_validate({"id": "new", **fields})
        except ValidationError as error:
            first = error.errors()[0]
            path = ".".join(map(str, first["loc"]))
            raise DatasetError(first["msg"], field=path) from error
        return item if fields.get("id") else item.model_copy(update={"id": _content_id(item)})

    def _gold(self, corpus: Corpus) -> tuple[tuple[GoldSpan, ...], ...]:
        groups = (
            tuple(span for text in group if (span := _span_of(text, corpus)) is not None)
            for group in self.contexts
        )
        return tuple(group for group in groups if group)


@dataclass(frozen=True, slots=True)
class Format:
    """How golden sets are written in a format, and read from it.

    Attributes:
        name: As users give it: `rag-eval golden export --to NAME`.
        write: Writes a set to a path and returns the files; `None` if the format needs documents.
        write_chunks: Writes a set with the chunks of its documents; `None` if it has no place
            for them.
        read: Reads the rows of a path; `None` if there is nothing to import.
    """

    name: str
    write: Callable[[GoldenSet, Path], tuple[Path, ...]] | None = None
    write_chunks: Callable[[GoldenSet, Path, Corpus], tuple[Path, ...]] | None = None
    read: Callable[[Path], list[ImportedRow]] | None = None


MOST_ABOVE = 4
"""Lines at most that stand above a context without being in its document, and itself."""
OWN = frozenset({"question", "reference", "turns"})
"""Fields of an item for which every format has a place of its own."""


def metadata_of(item: GoldenItem) -> dict[str, JsonValue]:
    """Return what other formats have no field for, as JSON: places, checks, axes and the rest."""
    data: dict[str, JsonValue] = item.model_dump(mode="json", exclude=set(OWN))
    return data


def unknown_in(
    row: Mapping[str, object], known: Collection[str], *, under: str = ""
) -> tuple[str, ...]:
    """Return the names of a row that hold something and are not known.

    Args:
        row: Name -> value.
        known: Names that have a place in an item.
        under: Where the row stands in its file, put before each name.

    Example:
        >>> unknown_in({"query": "Who?", "rating": 3, "note": None}, {"query"}, under="inputs.")
        ('inputs.rating',)
    """
    filled = (name for name, value in row.items() if value not in (None, "", [], {}))
    return tuple(f"{under}{name}" for name in filled if name not in known)


def _content_id(item: GoldenItem) -> str:
    gold = tuple((span.doc_id, span.quote) for group in item.gold for span in group)
    return item_id(item.question, item.reference, item.type, gold)


def contexts_of(item: GoldenItem) -> list[str]:
    """Return the evidence of an item, below its title, headings and the header of its table."""
    return [below(group[0].setting, group[0].quote) for group in item.gold]


def _span_of(text: str, corpus: Corpus) -> GoldSpan | None:
    """Return where a text stands: word for word in any document, else nearly so in any.

    Lines above it that are in no document, as `contexts_of` writes them, are left out.
    """
    lines = text.strip().splitlines()
    for number in range(min(MOST_ABOVE, len(lines)) if text.startswith("[") else 1):
        shorter = "\n".join(lines[number:])
        exact = [entry for entry in corpus.documents if shorter and shorter in entry.text]
        if exact:
            text = shorter
            break
    for entry in exact or corpus.documents if lines else ():
        match = locate(text, entry.text)
        if match is not None and _numbers(text) <= _numbers(entry.text[match.start : match.end]):
            return cut_span(entry, match.start, match.end)
    return None


def _numbers(text: str) -> set[str]:
    """Return the numbers of a text: what is nearly a quote has all of those of the quote."""
    return set(re.findall(r"\d+", text))


def write_lines(path: Path, lines: Iterable[str]) -> Path:
    """Write lines as UTF-8, whole or not at all; folders on the way are made.

    Control characters that JSON may hold as they are become escapes.

    Raises:
        OutputError: The file cannot be written.
    """
    return write_whole(path, (f"{json_safe(line)}\n" for line in lines))


def as_text(value: object) -> str:
    """Return a text; empty for anything else.

    Example:
        >>> as_text("a"), as_text(None)
        ('a', '')
    """
    return value if isinstance(value, str) else ""


def as_texts(value: object) -> tuple[str, ...]:
    """Return the texts of a list; one text is a list of one.

    Example:
        >>> as_texts(["a", 1, "b"]), as_texts("a"), as_texts(None)
        (('a', 'b'), ('a',), ())
    """
    if isinstance(value, str):
        return (value,) if value else ()
    if not isinstance(value, list | tuple):
        return ()
    return tuple(entry for entry in value if isinstance(entry, str))


def as_mapping(value: object) -> Mapping[str, object]:
    """Return a mapping; an empty one for anything else."""
    return value if isinstance(value, dict) else {}


def as_messages(value: object) -> tuple[Message, ...]:
    """Return the messages of a conversation, those of users and assistants."""
    entries = value if isinstance(value, list | tuple) else ()
    return tuple(
        Message(role=entry["role"], content=as_text(entry.get("content")))
        for entry in entries
        if isinstance(entry, dict) and entry.get("role") in ("user", "assistant")
    )
