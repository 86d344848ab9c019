"""reStructuredText, with the directives and roles of Sphinx.

docutils is not used: it gives the line of a block at most, no place within one, and neither reads
the directives of Sphinx nor leaves out those that open files.
"""

import re
from collections.abc import Sequence
from functools import partial
from itertools import dropwhile

from testset.corpus.markup.inline import seen_in
from testset.corpus.markup.lines import NO_LINE, LineWriter, Row
from testset.corpus.markup.marks import patterns_of, words_of
from testset.corpus.markup.restructured_tables import TABLE_LINE, list_table, rows_of
from testset.corpus.plain import PlainView
from testset.corpus.source import Line, indented, lines_of

_MARKS = patterns_of("restructured")
_WORDS = words_of("restructured")


def read_restructured(text: str) -> PlainView:
    r"""Return the plain view of a document in reStructuredText.

    Example:
        >>> view = read_restructured("Vents\n=====\n\nOpen **both**, see\n:ref:`here <a>`.\n")
        >>> view.text, view.raw_span(7, 16)
        ('Vents\n\nOpen both, see here.', (13, 24))
    """
    names = {match["name"]: match["text"].strip() for match in _MARKS["replace"].finditer(text)}
    reader = _Reader(LineWriter(partial(seen_in, pattern=_MARKS["inline"], names=names)))
    reader.read(lines_of(text))
    return reader.page.view()


class _Reader:
    """Reads blocks by their indentation."""

    def __init__(self, page: LineWriter) -> None:
        self.page = page
        self.styles: list[tuple[str, bool]] = []
        self.language = ""
        self.caption = ""

    def read(self, lines: Sequence[Line]) -> None:
        """Read the blocks of lines whose indentation is removed."""
        at, depth = 0, self.page.depth
        while at < len(lines):
            at = at + 1 if lines[at].blank else self._block(lines, at, depth)
        self.page.nest(depth)

    def _block(self, lines: Sequence[Line], at: int, depth: int) -> int:
        """Read the block that begins at a line, and return the line after it."""
        line, heading = lines[at], _heading_at(lines, at)
        mark = None if heading else _MARKS["bullet"].match(line.text) or _number_at(lines, at)
        self.page.nest(depth + bool(mark))
        if heading:
            return self._heading(*heading)
        if TABLE_LINE.match(line.text) and (table := rows_of(lines, at)):
            return self._table(*table)
        body, after = indented(lines, at if line.indent else at + 1)
        if line.indent:
            with self.page.within(self.page.inside or ("" if depth else "quote")):
                self.read(body)
        elif line.text == ".." or line.text.startswith(".. "):
            self._explicit(line, body)
        elif mark:
            with self.page.item():
                self.read([line.cut(mark.end()), *body])
        elif field := _MARKS["field"].match(line.text) or _MARKS["option"].match(line.text):
            self._define(line.cut(*field.span("name")), [line.cut(field.end()), *body])
        else:
            return self._running(lines, at)
        return after

    def _running(self, lines: Sequence[Line], at: int) -> int:
        """Read a block that no mark begins: examples, rules, definitions, paragraphs."""
        line, end = lines[at], _end_of_paragraph(lines, at)
        if line.text.startswith(">>> "):
            self.page.code(lines[at:end], "python")
            return end
        if line.text.startswith("__ ") or (_MARKS["rule"].match(line.text) and end == at + 1):
            return at + 1
        if end > at + 1 and lines[at + 1].indent and not line.text.rstrip().endswith("::"):
            body, after = indented(lines, at + 1)
            self._define(line, body)
            return after
        return self._paragraph(lines, at)

    def _heading(self, title: Line, style: tuple[str, bool], after: int) -> int:
        """Write a heading, whose level is told by the order in which styles come."""
        if style not in self.styles:
            self.styles.append(style)
        self.page.heading(title, self.styles.index(style) + 1)
        return after

    def _paragraph(self, lines: Sequence[Line], at: int, term: Line = NO_LINE) -> int:
        """Read a paragraph with the code after it, if a "::" at its end says that code follows.

        Of the "::" one colon stays, or none if it stands alone. The paragraph may say what a term
        means.
        """
        end = _end_of_paragraph(lines, at)
        text = lines[end - 1].text.rstrip()
        if not text.endswith("::"):
            self.page.define(term, lines[at:end])
            return end
        shown = text[:-2] if text == "::" or text[:-2].endswith(" ") else text[:-1]
        self.page.define(term, [*lines[at : end - 1], lines[end - 1].cut(0, len(shown))])
        body, after = indented(lines, end)
        if body:
            self.page.code(body, self.language)
        return after

    def _define(self, term: Line, body: Sequence[Line]) -> None:
        """Read a term with the first paragraph of what it means, and what comes after that."""
        body = list(dropwhile(lambda line: line.blank, body))
        at = 0
        if not body or _MARKS["no_paragraph"].match(body[0].text):
            self.page.define(term)
        else:
            at = self._paragraph(body, 0, term)
        self.read(body[at:])

    def _table(self, rows: Sequence[Row], after: int) -> int:
        self.page.table(rows, self.caption)
        self.caption = ""
        return after

    def _explicit(self, line: Line, body: list[Line]) -> None:
        """Read a directive or a footnote; leave out a target or a comment."""
        if match := _MARKS["directive"].match(line.text):
            self._directive(match["name"].casefold(), line.cut(match.end()), body)
        elif match := _MARKS["footnote"].match(line.text):
            self.read([line.cut(match.end()), *body])

    def _directive(self, name: str, argument: Line, body: list[Line]) -> None:
        options = dict[str, str]()
        while body and (match := _MARKS["field"].match(body[0].text)):
            options[match["name"]] = body.pop(0).text[match.end() :]
        title = argument.text.strip()
        if name in _WORDS["code"]:
            language = "math" if name == "math" else title or self.language
            self.page.code(body, language, options.get("caption", ""))
        elif name == "highlight":
            self.language = title
        elif name in _WORDS["notes"]:
            with self.page.within(name):
                self._note(name, argument, body)
        elif name in {"table", "list-table"}:
            self.caption = title
            self.page.text([argument], "caption")
            if name == "table":
                self.read(body)
            else:
                self._table(list_table(body, int(options.get("header-rows") or 0)), 0)
        elif name in _WORDS["bodies"]:
            self.read(body)
        elif name == "rubric":
            self.page.text([argument])
        elif name not in _WORDS["unseen"] and not name.startswith(("auto", "click:")):
            self._define(argument, body)

    def _note(self, name: str, argument: Line, body: list[Line]) -> None:
        title = len(argument.text) if name in _WORDS["titled"] else 0
        if name in _WORDS["versioned"] and not argument.blank:
            title = len(argument.text.split()[0])
        self.page.text([argument.cut(0, title)], "admonition")
        self.read([argument.cut(title).stripped(), *body])


def _heading_at(lines: Sequence[Line], at: int) -> tuple[Line, tuple[str, bool], int] | None:
    """Return the heading at a line, its style, and the line after it."""
    over = _MARKS["rule"].match(lines[at].text) is not None
    title = at + over
    if title + 1 >= len(lines) or lines[title].blank or _MARKS["rule"].match(lines[title].text):
        return None
    under = _MARKS["rule"].match(lines[title + 1].text)
    if under is None or (over and lines[at].text.strip() != lines[title + 1].text.strip()):
        return None
    if not over and lines[title].indent:
        return None
    return lines[title], (under[1], over), title + 2


def _number_at(lines: Sequence[Line], at: int) -> re.Match[str] | None:
    """Return the number of an item; the line after it is one too, blank, or indented."""
    match = _MARKS["number"].match(lines[at].text)
    if match is None or at + 1 == len(lines):
        return match if at else None
    after = lines[at + 1]
    is_item = after.blank or after.indent >= match.end() or _MARKS["number"].match(after.text)
    return match if is_item else None


def _end_of_paragraph(lines: Sequence[Line], at: int) -> int:
    """Return the line after a paragraph."""
    while at < len(lines) and not lines[at].blank:
        at += 1
    return at
