"""Records: what a document says of something by its form: whose, what, and the value."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from testset.corpus.plain import Block
from testset.rules.candidate import Span
from testset.rules.structure.outline import Section
from testset.rules.structure.titles import letters
from testset.rules.structure.values import ValueKind, is_code, is_switch, kind_of, number_in

_LABEL = re.compile(
    r"(?P<label>[^:：\n]{1,60}?)\s*(?P<between>(?:(?<!\d):(?!//)|:(?![\d/])|：|\s[=–—…-](?=\s)|\s?・・・)\s*)(?P<value>\S.*)",
    re.DOTALL,
)
_EQUALS = re.compile(r"\s*=\s*")
"""What parts a name and its value in code, and a thing and its amount in a list."""
_SENTENCE = re.compile(r"[.!?;](?:\s|$)|[。！？；]")
_NESTED = re.compile(r"<(?:table|tr|li|sup)[ >]")
"""A table or a list in the cell of a table, or an exponent, which plain text takes for a digit."""
_NESTED_LEVEL = 2
_COLUMNS = 2
"""Columns of a table of labels and values."""
_MOST = 0.66
"""Share of the cells of a column at least that are of the kind that it asks for."""
_CASES = frozenset({"money", "hours", "time", "duration", "share"})
"""Kinds of values that are asked for by their case, where several columns hold one kind."""
LONGEST_VALUE = 300
LONGEST_NAME = 40
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
        corner: Of a table, what its rows are; a blank if it does not say.
        code: Whether the name, or else the label, is one of code.
        across: Whether it stands in a table whose columns are cases, each with the same kind of
            value, as prices for adults and for children.
        apart: Whether it stands below other text, so that its heading may not be about it.
    """

    section: Section
    name: str
    label: str
    value: str
    kind: ValueKind | None
    span: Span
    group: int = 0
    corner: str = ""
    code: bool = False
    across: bool = False
    apart: bool = False


def records_of(section: Section) -> Iterator[Record]:
    """Yield what labels and tables under a heading say."""
    name = _named(section)
    named: Block | None = None
    apart = False
    tables: dict[int, list[Block]] = {}
    for block in section.body:
        if block.kind == "row":
            apart = True
            tables.setdefault(block.group, []).append(block)
        elif block.kind == "definition":
            term, meaning = (*section.cells(block), "", "")[:2]
            code = section.is_code(term, block.start) or term.isupper()
            name = term if code else ""
            yield from _record(section, block, "", term, meaning, code=code)
            named = block if code else None
        elif block.kind in {"item", "paragraph"}:
            owner = _above(section, block)
            if owner is None:
                continue
            labelled = list(_labelled(section, block, name or owner, named))
            yield from (replace(record, apart=apart) for record in labelled)
            apart = apart or not labelled
    for rows in tables.values():
        yield from _table(section, rows)


def _above(section: Section, block: Block) -> str | None:
    """Return the item that one stands below, if that is a name of code; else `None`."""
    higher = [b for b in section.body if b.start < block.start and b.level < block.level]
    if block.kind != "item" or block.level < _NESTED_LEVEL or not higher:
        return ""
    text = section.text(higher[-1])
    return text if section.is_code(text, higher[-1].start) else None


def _labelled(section: Section, block: Block, name: str, named: Block | None) -> Iterator[Record]:
    """Yield the "label: value" that a block is, or its lines are.

    Where a definition above names whose they are, it is a part of the evidence.
    """
    for whole in _lines(section, block):
        match = _LABEL.fullmatch(section.text(whole).strip())
        if match and (block.kind == "item" or not _EQUALS.fullmatch(match["between"])):
            code = bool(name) or section.is_code(match["label"], whole.start)
            records = _record(section, whole, name, match["label"], match["value"], code=code)
            for record in records:
                span = record.span if named is None else section.span([named, block])
                yield replace(record, span=span)


def _lines(section: Section, block: Block) -> Iterator[Block]:
    """Yield the lines of a block; those of the file, if each of them is a "label: value"."""
    view = section.outline.document.view
    low, high = view.raw_span(block.start, block.end)
    raw = re.finditer(r"[^\n]+", section.outline.document.text[low:high])
    spans = [view.plain_span(low + line.start(), low + line.end()) for line in raw]
    pieces = [replace(block, start=span[0], end=span[1]) for span in spans if span]
    if len(pieces) > 1 and all(_LABEL.fullmatch(section.text(piece).strip()) for piece in pieces):
        yield from pieces
        return
    for line in re.finditer(r"[^\n]+", section.text(block)):
        yield replace(block, start=block.start + line.start(), end=block.start + line.end())


def is_labels(section: Section, block: Block) -> bool:
    """Return whether each line of a block is a "label: value"."""
    lines = (section.text(line).strip() for line in _lines(section, block))
    return all(map(_LABEL.fullmatch, lines))


def _named(section: Section) -> str:
    """Return the name of code that a heading is; behind it may stand since when it is there."""
    first, *more = section.heading.split() or [""]
    if section.mark is None or not first:
        return ""
    small = section.language.script != "latin" and not more and re.fullmatch("[a-z]+", first)
    return first if small or section.is_code(first, section.mark.start) else ""


def _record(
    section: Section,
    block: Block,
    name: str,
    label: str,
    value: str,
    *,
    corner: str = "",
    code: bool = False,
) -> Iterator[Record]:
    value, label = value.strip(), " ".join((label.replace("_", " ") if corner else label).split())
    if corner and (is_switch(value) or letters(value.split(" (")[0]) == letters(name)):
        return
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
        code,
    )


def _turned(section: Section, header: Sequence[str], body: Sequence[Block]) -> Iterator[Record]:
    """Yield the cells of a table whose columns are names, and whose rows are what they have."""
    for row in body:
        cells = section.cells(row)
        for name, value in zip(header[1:], cells[1:], strict=False):
            code = _is_model(name)
            yield from _record(section, row, name, cells[0], value, corner=" ", code=code)


def _sorts(section: Section, body: Sequence[Block]) -> list[list[str]]:
    """Return what the cells of each row are, but for its first: their kinds, numbers by units."""
    words, rows = section.language.structure.values, []
    for cells in map(section.cells, body):
        kinds = [(kind_of(cell, words) or "", number_in(cell)) for cell in cells[1:]]
        rows.append([k if k != "number" or not n else f"{k} {n[1]}" for k, n in kinds])
    return rows


def _is_turned(sorts: Sequence[Sequence[str]]) -> bool:
    """Return whether the rows of a table are each of one sort, and not all of the same."""
    alike = [set(row) for row in sorts]
    return all(len(row) == 1 for row in alike) and len(set[str]().union(*alike)) > 1


def _is_model(name: str) -> bool:
    """Return whether a name is one of code, or of a model, with a number in it."""
    return is_code(name) or re.fullmatch(r"[A-Z][\w-]* ?[\w.-]*\d[\w.-]*", name) is not None


def body_of(section: Section, rows: Sequence[Block]) -> list[Block]:
    """Return the rows of a table without its header."""
    header = rows[0].header or rows[-1].header
    return [row for row in rows if section.cells(row) != header]


def _table(section: Section, rows: Sequence[Block]) -> Iterator[Record]:
    """Yield the cells of a table; of one without a header, two columns are labels and values."""
    header, body = rows[0].header or rows[-1].header, body_of(section, rows)
    if not header:
        for row in body:
            cells = section.cells(row)
            if len(cells) == _COLUMNS:
                yield from _record(section, row, "", *cells)
        return
    names = [section.cells(row)[0] for row in body if section.cells(row)]
    reaching = any(1 < len(section.cells(row)) < len(header) for row in body) or "" in names
    if reaching or len({*header[1:], ""}) < len(header):
        return  # a cell reaches into other rows or columns, so that these are not what they seem
    models = all(map(_is_model, header[1:])) and not _is_model(header[0])
    sorts = _sorts(section, [row for row in body if len(section.cells(row)) == len(header)])
    if len(header) > _COLUMNS and (models or _is_turned(sorts)):
        yield from _turned(section, header, body)
        return
    columns = list(zip(*sorts, strict=True))
    kinds = [_main(column) for column in columns]
    for row in body if len(set(names)) == len(names) else ():
        cells = section.cells(row)
        name = " ".join(cells[0].split("\n")[0].split()) if cells else ""
        alone = len(name) <= LONGEST_NAME and re.match(r"[\w<$/(.-][^;=,，、]*$", name)
        sums = section.language.structure.is_one("sum", name)
        if alone and not sums and not is_switch(name) and len(cells) == len(header):
            for record in _row(section, header, row, name, kinds):
                cases = record.kind in _CASES and sum(record.kind in own for own in columns) > 1
                yield replace(record, across=cases)


def _amount(kind: str) -> str:
    """Return a kind; a duration is a number, as "2 days" among "6 evenings"."""
    return "number" if kind == "duration" else kind


def _main(column: Sequence[str]) -> str | None:
    """Return of what kind most cells of a column are; `None` if they are of many."""
    kind, count = Counter(_amount(sort.split(" ")[0]) for sort in column).most_common(1)[0]
    return kind if count >= _MOST * len(column) else None


def _row(
    section: Section, header: Sequence[str], row: Block, name: str, kinds: Sequence[str | None]
) -> Iterator[Record]:
    """Yield the cells of a row; the only one under a column that names nothing is its value.

    Of a column of values, a text says something else: it is not yielded, unless of code.
    """
    known, raw = section.language.structure, section.span([row])
    if _NESTED.search(section.outline.document.text, raw.start, raw.end):
        return
    corner = " " if known.is_one("useless", header[0]) else header[0]
    code = section.is_code(name, row.cells[0][0])
    if known.is_one("day", name) and (hours := _hours(section, row)) is not None:
        yield from _record(section, row, "", name, hours) if hours else ()
        return
    for column, value, kind in zip(header[1:], section.cells(row)[1:], kinds, strict=True):
        names_it = re.match(r"[^\W\d_]", column) and not known.is_one("useless", column)
        if names_it:
            records = _record(section, row, name, column, value, corner=corner, code=code)
            yield from (record for record in records if code or _amount(record.kind or "") == kind)
        elif len(header) == _COLUMNS and not known.is_one("silent", column):
            yield from _record(section, row, "", name, value)


def _hours(section: Section, row: Block) -> str | None:
    """Return from when to when the row of a day says; `None` if it says something else, too."""
    values = [value for value in section.cells(row)[1:] if re.search(r"\w", value)]
    kinds = [kind_of(value, section.language.structure.values) for value in values]
    if len(values) == 1 and kinds == [None]:
        return ""
    return " – ".join(values) if kinds in (["time", "time"], ["hours"]) else None
