"""Facts: what a document says of something by its form: whose, what, and the value."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from llamaindex_rag_eval.judge.rules.values import values_of
from testset.corpus.plain import Block
from testset.rules.candidate import Span
from testset.rules.outline import Outline, Section
from testset.rules.values import ValueKind, is_code, kind_of

Source = Literal["column", "heading", "label", "row"]
"""Where an attribute stands: above a column, over a section, before a value; or before a row, if
the columns are the entities."""

_LABEL = re.compile(
    r"(?P<label>[^:：\n]{2,40}?)\s*(?:(?<!\d):(?!//)|：|\s[–—](?=\s))\s*(?P<value>\S.*)", re.DOTALL
)
_SENTENCE = re.compile(r"[.!?;](?:\s|$)|[。！？；，]|, ")
_NESTED = re.compile(r"<(?:table|tr|li|sup|br)[ />]")
"""A table, a list or lines in the cell of a table, or an exponent, which looks like a digit."""
_PLACEHOLDER = re.compile(
    r"\b(?:J(?:ane|ohn) (?:Doe|Smith)|Lorem ipsum|Max Mustermann|foo(?:bar)?|TODO|TBD|FIXME|X{3,}|"
    r"example\.(?:com|org)|acme)\b|山田 ?太郎|张三|李四|홍길동|\[(?:your|insert|name)\b",
    re.IGNORECASE,
)
"""What stands in invented examples and templates."""
_LINK = r"\[[^\]]*\]\([^)]*\)|\[[^\]]*\]\[[^\]]*\]|`[^`]*`_+|\b\w+_\b|<[^>]*>|https?:\S+"
"""A link, in Markdown or reStructuredText."""
_LINKS = re.compile(rf"(?:{_LINK}|[^\w\n])++")
"""A line of links and nothing else; what was taken for one is not read in another way."""
LONGEST_LABEL = 5
"""Words of a label at most."""
LONGEST_NAME = 60
"""Characters of an entity at most."""
LONGEST_VALUE = 300
"""Characters of a value at most; half of them in Chinese, Japanese and Korean."""


@dataclass(frozen=True)
class Fact:
    """One value.

    Attributes:
        section: Where it stands.
        owners: Whose it may be, outermost first: the page, its headings, the row.
        attribute: What it is.
        source: Where the attribute stands.
        kind: Of the value.
        answer: The value.
        span: Where it stands.
        table: The number of its table in the document; 0 for none.
    """

    section: Section
    owners: tuple[str, ...]
    attribute: str
    source: Source
    kind: ValueKind
    answer: str
    span: Span
    table: int = 0


def facts_of(outline: Outline) -> Iterator[Fact]:
    """Yield all that headings, labels and tables of a document state, in their order."""
    for section in outline.sections:
        owners = tuple(name for name in (section.page, *section.path) if name)
        if any(map(section.language.is_example, owners)):
            continue
        yield from _headed(section, owners)
        tables: dict[int, list[Block]] = {}
        for block in section.body:
            if block.kind == "row":
                tables.setdefault(block.group, []).append(block)
            elif block.kind in {"item", "paragraph", "definition"} and block.inside != "quote":
                yield from _labelled(section, block, owners)
        for rows in tables.values():
            yield from _cells(section, rows, owners)


def headings_of(outline: Outline) -> Iterator[tuple[str, str]]:
    """Yield each heading of a document, and what it stands below."""
    document = outline.document.doc_id
    for section in outline.sections:
        above = section.path[-2] if len(section.path) > 1 else ""
        yield section.heading, f"{document} {above}"


def _headed(section: Section, owners: tuple[str, ...]) -> Iterator[Fact]:
    """Yield what stands below a heading as its value."""
    if section.path and section.whole and len(owners) > 1 and len(section.body) == 1:
        block, label = section.body[0], section.language.bare(section.heading)
        if block.kind in {"item", "paragraph"}:
            yield from _fact(section, block, owners[:-1], label, section.text(block), "heading")


def _labelled(section: Section, block: Block, owners: tuple[str, ...]) -> Iterator[Fact]:
    """Yield the "label: value" that a block, or each of its lines, is."""
    if block.kind == "definition":
        label, value = (*section.cells(block), "", "")[:2]
        yield from _fact(section, block, owners, label, value, "label")
        return
    for line in re.finditer(r"[^\n]+", section.text(block)):
        part = Block("paragraph", block.start + line.start(), block.start + line.end())
        match = _LABEL.fullmatch(line[0].strip())
        if match:
            yield from _fact(section, part, owners, match["label"], match["value"], "label")


def _cells(section: Section, rows: Sequence[Block], owners: tuple[str, ...]) -> Iterator[Fact]:
    """Yield the cells of a table whose rows have names, each below its column."""
    header = rows[0].header or rows[-1].header
    body = [row for row in rows if section.cells(row) != header]
    names = [section.cells(row)[0].strip() for row in body if section.cells(row)]
    reaching = any(len(section.cells(row)) != len(header) for row in body) or "" in names
    reaching = reaching or not header or not re.search(r"\w", header[0])
    captioned = any(section.language.is_example(row.caption) for row in rows[:1])
    if reaching or captioned or len(set(names)) < len(body) or len(set(header)) < len(header):
        return
    turned = all(map(_is_model, header[1:])) and not any(map(_is_model, names))
    for row, name in zip(body, names, strict=True):
        raw = section.span([row])
        word = "\n" not in name and re.search(r"[^\W\d_]{2}", name)
        if not word or kind_of(name) not in {"code", "text"} or _SENTENCE.search(name):
            continue
        if _NESTED.search(section.raw(raw)):
            continue
        for column, value in zip(header[1:], section.cells(row)[1:], strict=True):
            owner, label = (column, name) if turned else (name, column)
            source: Source = "row" if turned else "column"
            yield from _fact(section, row, (*owners, owner), label, value, source)


def _is_model(name: str) -> bool:
    """Return whether a name is one of code, or of a model, with a number in it."""
    return is_code(name) or re.fullmatch(r"[A-Z][\w-]* ?[\w.-]*\d[\w.-]*", name) is not None


def _fact(
    section: Section,
    block: Block,
    owners: tuple[str, ...],
    label: str,
    value: str,
    source: Source,
) -> Iterator[Fact]:
    label, value = " ".join(label.split()), value.strip()
    usable = value and "\n" not in value and len(value) <= LONGEST_VALUE and section.clean(value)
    pointing = section.language.is_open(value) or re.search("[?？]", value)
    if not usable or pointing or _invented(section, value) or not _is_label(section, label):
        return
    several = len(values_of(value)) > 1  # a list or a range, as of the pins of a plug
    kind = "text" if several else kind_of(value, person=section.language.is_person(label))
    span = section.span([block])
    if not (kind == "text" and _is_linked(section, block)):
        yield Fact(section, owners, label, source, kind, value, span, block.group)


def _is_label(section: Section, label: str) -> bool:
    """Return whether a heading or a label may be an attribute: a few words, clean.

    In Latin letters it begins with a capital.
    """
    even = all(label.count(a) == label.count(b) for a, b in ("()", "（）", "[]", "「」"))
    plain = even and section.clean(label) and not _SENTENCE.search(label.rstrip("?？"))
    named = section.language.names(label) and not section.language.is_example(label)
    short = len(label.split()) <= LONGEST_LABEL and len(label) <= LONGEST_NAME
    begun = re.match(r"¿?[^\W\d_a-z][^\W\d_]|[^\x00-\x7f]", label) is not None
    return plain and named and short and begun and not re.search('[/#“”"«»_=]', label)


def _invented(section: Section, text: str) -> bool:
    """Return whether a text is an example, and no fact: it says so, or has names that do."""
    return _PLACEHOLDER.search(text) is not None or section.language.is_example(text[:60])


def _is_linked(section: Section, block: Block) -> bool:
    """Return whether a block only leads elsewhere, as one of a menu."""
    raw, start = section.outline.document.text, section.span([block]).start
    end = raw.find("\n", start)
    line = raw.rfind("\n", 0, start) + 1, len(raw) if end < 0 else end
    return _LINKS.fullmatch(raw, *line) is not None
