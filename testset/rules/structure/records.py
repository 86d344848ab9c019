"""Records: what a document says of something by its form: whose, what, and the value."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from testset.corpus.plain import Block
from testset.rules.candidate import Span
from testset.rules.structure.outline import Section
from testset.rules.structure.values import ValueKind, is_code, kind_of

__all__ = ["Record", "records_of"]

_LABEL = re.compile(
    r"(?P<label>[^:：\n]{1,60}?)\s*(?:[:：](?!//)|\s[–—-](?=\s))\s*(?P<value>\S.*)", re.DOTALL
)
_SENTENCE = re.compile(r"[.。!！?？;；]\s*(?:\S|$)")
LONGEST_VALUE = 300
LONGEST_NAME = 60
"""Characters of a value, and of a name, at most."""


@dataclass(frozen=True)
class Record:
    """One value.

    Attributes:
        section: Where it stands.
        name: Whose it is; empty if only its heading says.
        label: What it is.
        value: The value as it is written.
        kind: Of the value; `None` for text.
        span: The line, item or row.
        group: The lists and tables that it is comparable in, by number; 0 for none.
        corner: Of a table, what its rows are.
    """

    section: Section
    name: str
    label: str
    value: str
    kind: ValueKind | None
    span: Span
    group: int = 0
    corner: str = ""


def records_of(section: Section) -> Iterator[Record]:
    """Yield what labels and tables under a heading say."""
    name = _named(section)
    tables: dict[int, list[Block]] = {}
    for block in section.body:
        if block.kind == "row":
            tables.setdefault(block.group, []).append(block)
        elif block.kind == "definition":
            term, meaning = (*section.cells(block), "", "")[:2]
            name = term if is_code(term) else ""
            yield from _record(section, block, "", term, meaning)
        elif block.kind in {"item", "paragraph"} and (
            match := _LABEL.fullmatch(section.text(block))
        ):
            yield from _record(section, block, name, match["label"], match["value"])
    for rows in tables.values():
        yield from _table(section, rows)


def _named(section: Section) -> str:
    """Return the name of code that a heading is; behind it may stand since when it is there."""
    first, *more = section.heading.split() or [""]
    latin = section.language.script == "latin"
    return first if is_code(first) or (not latin and not more and first.isascii()) else ""


def _record(
    section: Section, block: Block, name: str, label: str, value: str, *, corner: str = ""
) -> Iterator[Record]:
    value, label = value.strip(), " ".join(label.split())
    usable = section.clean(value) and section.clean(label) and "\n" not in value
    if not usable or len(value) > LONGEST_VALUE or not label or _SENTENCE.search(label):
        return
    if any(label.count(a) != label.count(b) for a, b in ("()", "（）", "[]", "「」")):
        return
    if name == "" and section.language.structure.is_one("useless", label):
        return
    span = section.span([block])
    yield Record(
        section,
        name,
        label,
        value,
        kind_of(value, section.language.structure.values),
        span,
        block.group,
        corner,
    )


def _table(section: Section, rows: Sequence[Block]) -> Iterator[Record]:
    """Yield the cells of a table; of one without a header, two columns are labels and values."""
    header = rows[0].header or rows[-1].header
    body = [row for row in rows if section.cells(row) != header]
    if not header:
        for row in body:
            cells = section.cells(row)
            if len(cells) == len(("label", "value")):
                yield from _record(section, row, "", *cells)
        return
    corner = "" if section.language.structure.is_one("useless", header[0]) else header[0]
    names = [section.cells(row)[0] for row in body if section.cells(row)]
    for row in body:
        cells = section.cells(row)
        name = " ".join(cells[0].split("\n")[0].split()) if cells else ""
        if len(cells) != len(header) or not name or names.count(cells[0]) > 1:
            continue
        if len(name) > LONGEST_NAME or re.search(r"[;=]", name):
            continue
        for column, value in zip(header[1:], cells[1:], strict=True):
            yield from _record(section, row, name, column, value, corner=corner or " ")
