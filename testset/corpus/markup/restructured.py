"""reStructuredText, with the directives and roles of Sphinx.

docutils is not used: it gives the line of a block at most, no place within one, and neither reads
the directives of Sphinx nor leaves out those that open files.
"""

import re
from collections.abc import Sequence

from testset.corpus.markup.restructured_inline import seen_in_restructured
from testset.corpus.markup.restructured_lines import (
    FIELD,
    end_of_paragraph,
    ends_in_literal,
    indented,
    items_of,
    options_of,
    without_mark,
)
from testset.corpus.markup.restructured_tables import TABLE_LINE, rows_of
from testset.corpus.plain import PlainView
from testset.corpus.source import Line, Part, Source, lines_of
from testset.corpus.writer import ViewWriter

_RULE = re.compile(r"([!-/:-@[-`{-~])\1{2,}\s*$")
_BULLET = re.compile(r"[-*+•‣]\s+(?=\S)|[-*+]$")
_NUMBER = re.compile(r"\(?(?:\d{1,3}|#|[a-zA-Z]|[ivxlcIVXLC]{2,6})[.)]\s+(?=\S)")
_OPTION = re.compile(
    r"(?P<name>(?:--?[\w-]+|/\w+)(?:[ =][\w<>.-]+)?(?:, --?[\w-]+(?:[ =][\w<>.-]+)?)*)\s{2,}"
)
_DIRECTIVE = re.compile(r"\.\.\s+(?:\|[^|]+\|\s+)?(?P<name>[\w:.+-]+)::(?:\s+|$)(?P<argument>.*)")
_FOOTNOTE = re.compile(r"\.\.\s+\[[^\]]+\]\s+")
_REPLACE = re.compile(r"^\.\.\s+\|(?P<name>[^|\n]+)\|\s+replace::\s+(?P<text>.+)$", re.MULTILINE)
_CODE = frozenset(
    {"code", "code-block", "sourcecode", "parsed-literal", "doctest", "math", "testcode"}
)
_NOTES = frozenset(
    {"admonition", "attention", "caution", "danger", "deprecated", "error", "hint", "important"}
    | {"note", "seealso", "sidebar", "tip", "topic", "versionadded", "versionchanged", "warning"}
)
_TITLED = frozenset({"admonition", "sidebar", "topic"})
_VERSIONED = frozenset({"deprecated", "versionadded", "versionchanged"})
_UNSEEN = frozenset(
    {"contents", "currentmodule", "default-domain", "graphviz", "highlight", "image", "include"}
    | {"index", "literalinclude", "meta", "module", "py:currentmodule", "raw", "replace"}
    | {"role", "sectionauthor", "tabularcolumns", "testsetup", "testcleanup", "title", "toctree"}
)
_TABLES = frozenset({"table", "list-table"})
_BODIES = frozenset(
    {"glossary", "container", "only", "compound", "figure", "tab", "tabs", "rst-class"}
)
_STARTS = (".. ", ">>> ", ":")
"""How lines begin that are no paragraph."""


def read_restructured(text: str) -> PlainView:
    r"""Return the plain view of a document in reStructuredText.

    Example:
        >>> view = read_restructured("Vents\n=====\n\nOpen **both**, see\n:ref:`here <a>`.\n")
        >>> view.text, view.raw_span(7, 16)
        ('Vents\n\nOpen both, see here.', (13, 24))
    """
    writer = ViewWriter()
    replaced = {match["name"]: match["text"].strip() for match in _REPLACE.finditer(text)}
    _Reader(writer, replaced).read(lines_of(text))
    return writer.view()


class _Reader:
    """Reads blocks by their indentation."""

    def __init__(self, writer: ViewWriter, replaced: dict[str, str]) -> None:
        self.writer, self.replaced = writer, replaced
        self.styles: list[tuple[str, bool]] = []
        self.language = ""
        self.caption = ""

    def read(self, lines: Sequence[Line], *, group: int = 0, depth: int = 0) -> None:
        """Write the blocks of lines whose margin is removed."""
        at = 0
        while at < len(lines):
            if lines[at].blank:
                at += 1
                continue
            at = self._block(lines, at, group, depth)

    def _block(self, lines: Sequence[Line], at: int, group: int, depth: int) -> int:
        """Write the block that begins at a line, and return the line after it."""
        line = lines[at]
        text = line.text
        if line.indent:
            return self._quote(lines, at, group, depth)
        if text == ".." or text.startswith(".. "):
            return self._explicit(lines, at, group, depth)
        if (after := self._heading(lines, at)) > at:
            return after
        if _BULLET.match(text) or self._is_numbered(lines, at):
            return self._list(lines, at, group, depth)
        if TABLE_LINE.match(text) and (table := rows_of(lines, at)):
            return self._table(*table)
        if FIELD.match(text) or _OPTION.match(text):
            return self._fields(lines, at)
        return self._running(lines, at, group, depth)

    def _running(self, lines: Sequence[Line], at: int, group: int, depth: int) -> int:
        """Write a block that no mark begins: examples, rules, definitions, paragraphs."""
        text = lines[at].text
        if text.startswith(">>> "):
            end = end_of_paragraph(lines, at)
            self.writer.write_code(lines[at:end], language="python", group=group)
            return end
        last = at + 1 == len(lines)
        if text.startswith("__ ") or (_RULE.match(text) and (last or lines[at + 1].blank)):
            return at + 1
        if not last and lines[at + 1].indent and not lines[at + 1].blank:
            return self._definition(lines, at, group, depth)
        return self._paragraph(lines, at, group)

    def _quote(self, lines: Sequence[Line], at: int, group: int, depth: int) -> int:
        body, after = indented(lines, at)
        before = self.writer.inside
        self.writer.inside = before or ("" if group else "quote")
        self.read(body, group=group, depth=depth)
        self.writer.inside = before
        return after

    def _heading(self, lines: Sequence[Line], at: int) -> int:
        over = _RULE.match(lines[at].text) is not None
        title = at + over
        if title + 1 >= len(lines) or lines[title].blank or _RULE.match(lines[title].text):
            return at
        under = _RULE.match(lines[title + 1].text)
        if under is None or (over and lines[at].text.strip() != lines[title + 1].text.strip()):
            return at
        if not over and lines[title].indent:
            return at
        style = (under[1], over)
        if style not in self.styles:
            self.styles.append(style)
        level = self.styles.index(style) + 1
        source = Source([lines[title].stripped()])
        self.writer.write("heading", self._inline(source), level=level)
        return title + 2

    def _is_numbered(self, lines: Sequence[Line], at: int) -> bool:
        """Return whether a line is a numbered item: the next is one too, blank, or indented."""
        match = _NUMBER.match(lines[at].text)
        if match is None:
            return False
        if at + 1 == len(lines):
            return True
        after = lines[at + 1]
        return after.blank or after.indent >= match.end() or bool(_NUMBER.match(after.text))

    def _list(self, lines: Sequence[Line], at: int, group: int, depth: int) -> int:
        lead = self.writer.lead()
        group = group or self.writer.new_group()
        while at < len(lines):
            mark = _BULLET.match(lines[at].text) or _NUMBER.match(lines[at].text)
            if mark is None:
                break
            body, after = indented(lines, at + 1, least=1)
            first = [lines[at].cut(mark.end())]
            while body and not body[0].blank:
                first.append(body.pop(0))
            self._item(first, body, group, depth + 1, lead)
            while after < len(lines) and lines[after].blank:
                after += 1
            at = after
        return at

    def _item(
        self, first: list[Line], body: Sequence[Line], group: int, depth: int, lead: str
    ) -> None:
        """Write the first paragraph of an item as the item, and the rest after it."""
        starts_block = first[0].text.startswith(".. ") or _BULLET.match(first[0].text)
        if starts_block:
            self.read([*first, *body], group=group, depth=depth)
            return
        literal = ends_in_literal(first)
        parts = self._inline(Source(without_mark(first)))
        self.writer.write("item", parts, level=depth, group=group, lead=lead)
        if literal:
            body = self._literal(body, group)
        self.read(body, group=group, depth=depth)

    def _literal(self, lines: Sequence[Line], group: int) -> Sequence[Line]:
        """Write the indented lines as code, and return the lines after them."""
        at = 0
        while at < len(lines) and lines[at].blank:
            at += 1
        if at == len(lines) or not lines[at].indent:
            return lines
        body, after = indented(lines, at)
        self.writer.write_code(body, language=self.language, group=group)
        return lines[after:]

    def _paragraph(self, lines: Sequence[Line], at: int, group: int) -> int:
        end = end_of_paragraph(lines, at)
        block = list(lines[at:end])
        literal = ends_in_literal(block)
        self.writer.write("paragraph", self._inline(Source(without_mark(block))), group=group)
        if not literal:
            return end
        return len(lines) - len(self._literal(lines[end:], group))

    def _definition(self, lines: Sequence[Line], at: int, group: int, depth: int) -> int:
        if ends_in_literal([lines[at]]):
            return self._paragraph(lines, at, group)
        body, after = indented(lines, at + 1)
        self._define(lines[at], body, group, depth)
        return after

    def _define(self, term: Line, body: Sequence[Line], group: int, depth: int) -> None:
        """Write a term with the first paragraph of what it means, and the rest after it."""
        end = 0
        if body and not (_BULLET.match(body[0].text) or body[0].text.startswith(_STARTS)):
            end = end_of_paragraph(body, 0)
        meaning = without_mark(body[:end])
        cells = [self._inline(Source(part)) for part in ([term.stripped()], meaning) if part]
        self.writer.write_cells("definition", cells, between=": ", group=group)
        rest = body[end:]
        if ends_in_literal(body[:end]):
            rest = self._literal(rest, group)
        self.read(rest, group=group, depth=depth)

    def _fields(self, lines: Sequence[Line], at: int) -> int:
        match = FIELD.match(lines[at].text) or _OPTION.match(lines[at].text)
        assert match is not None  # noqa: S101 - the caller has seen it
        body, after = indented(lines, at + 1)
        name = lines[at].cut(*match.span("name"))
        low = match.start("value") if match.re is FIELD else match.end()
        end = end_of_paragraph(body, 0)
        cells = [[name], [lines[at].cut(low), *body[:end]]]
        found = [self._inline(Source(part)) for part in cells]
        self.writer.write_cells("definition", found, between=": ")
        self.read(body[end:])
        return after

    def _table(self, rows: Sequence[tuple[Sequence[Sequence[Line]], bool]], after: int) -> int:
        group, header = self.writer.new_group(), tuple[str, ...]()
        caption, self.caption = self.caption, ""
        for cells, is_head in rows:
            found = [self._inline(Source([line.stripped() for line in cell])) for cell in cells]
            texts = self.writer.write_cells(
                "row", found, group=group, header=header, caption=caption
            )
            header = texts if is_head and not header else header
        return after

    def _explicit(self, lines: Sequence[Line], at: int, group: int, depth: int) -> int:
        """Read a directive, a footnote, a target or a comment."""
        body, after = indented(lines, at + 1)
        line = lines[at]
        match = _DIRECTIVE.match(line.text)
        if match is not None:
            argument = line.cut(match.start("argument"))
            self._directive(match["name"].casefold(), argument, body, group, depth)
        elif footnote := _FOOTNOTE.match(line.text):
            self.read([line.cut(footnote.end()), *body])
        return after

    def _directive(
        self, name: str, argument: Line, body: list[Line], group: int, depth: int
    ) -> None:
        options, body = options_of(body)
        if name in _CODE:
            language = argument.text.strip() if name != "math" else "math"
            caption = options.get("caption", "")
            self.writer.write_code(
                body, language=language or self.language, group=group, caption=caption
            )
        elif name == "highlight":
            self.language = argument.text.strip()
        elif name in _NOTES:
            self._note(name, argument, body, group, depth)
        elif name in _TABLES:
            self._titled_table(name, argument, options, body)
        elif name in _BODIES:
            self.read(body, group=group, depth=depth)
        elif name == "rubric":
            self.writer.write("paragraph", self._inline(Source([argument])))
        elif name not in _UNSEEN and not name.startswith(("auto", "click:")):
            while body and body[0].blank:
                body = body[1:]
            self._define(argument, body, group, depth)

    def _note(self, name: str, argument: Line, body: list[Line], group: int, depth: int) -> None:
        before, self.writer.inside = self.writer.inside, name
        lines = body
        if name in _TITLED:
            self.writer.write("admonition", self._inline(Source([argument])))
        elif name in _VERSIONED:
            words = argument.text.split(maxsplit=1)
            rest = argument.cut(argument.text.find(words[1])) if len(words) > 1 else None
            if words:
                version = argument.cut(0, argument.indent + len(words[0]))
                self.writer.write("admonition", Source([version]).parts())
            lines = [rest, *body] if rest is not None else body
        elif not argument.blank:
            lines = [argument, *body]
        self.read(lines, group=group, depth=depth)
        self.writer.inside = before

    def _titled_table(
        self, name: str, argument: Line, options: dict[str, str], body: list[Line]
    ) -> None:
        self.caption = argument.text.strip()
        self.writer.write("caption", self._inline(Source([argument])))
        if name == "table":
            self.read(body)
            return
        heads = int(options.get("header-rows", "0") or 0)
        rows = [
            ([cell for cell, _ in items_of(row)], number < heads)
            for number, (row, _) in enumerate(items_of(body))
        ]
        self._table(rows, 0)

    def _inline(self, source: Source) -> list[Part]:
        return list(seen_in_restructured(source, self.replaced))
