"""HTML, read by the parser of the standard library, which knows where each tag and text begins."""

import html
import re
from collections.abc import Iterable
from html.parser import HTMLParser

from testset.corpus.markup.front_matter import write_front_matter
from testset.corpus.markup.marks import patterns_of, words_of
from testset.corpus.plain import PlainView
from testset.corpus.source import BREAK, Part, lines_of
from testset.corpus.writer import ViewWriter

_MARKS = patterns_of("html")
_WORDS = words_of("html")


def read_html(text: str) -> PlainView:
    r"""Return the plain view of a page.

    Example:
        >>> view = read_html("<h1>Vents</h1><p>Open &amp; <b>close</b>.</p>")
        >>> view.text, view.raw_span(7, 13)
        ('Vents\n\nOpen & close.', (17, 27))
    """
    writer = ViewWriter()
    lines = lines_of(text)
    body = write_front_matter(lines, writer)
    write_html(text, writer, lines[body].start if body < len(lines) else len(text), len(text))
    return writer.view()


def write_html(text: str, writer: ViewWriter, start: int, end: int) -> None:
    """Write the blocks of a part of a text that is HTML."""
    reader = _Reader(text[start:end], start, writer)
    reader.feed(text[start:end])
    reader.close()
    reader.flush()


class _Reader(HTMLParser):
    """Writes a block whenever one ends."""

    def __init__(self, text: str, base: int, writer: ViewWriter) -> None:
        super().__init__(convert_charrefs=False)
        self.text, self.base, self.writer = text, base, writer
        self.lines = [match.end() for match in re.finditer("\n", text)]
        self.parts: list[Part] = []
        self.hidden: list[str] = []
        self.level = 0
        self.code: str | None = None
        self.term: list[Part] = []
        self.rows: list[list[list[Part]]] = []
        self.heads = 0
        self.caption = ""
        self.notes: list[str] = []
        self.in_title = False
        self.ended, self.apart = "", False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        classes = " ".join(value or "" for name, value in attrs if name == "class")
        self.in_title = tag == "title"
        leads = tag in _WORDS["leading"] and _MARKS["navigation"].search(classes)
        if tag in _WORDS["hidden"] or tag in self.hidden or leads:
            self.hidden.append(tag)
        if self.hidden:
            return
        if self.code is None and tag in _WORDS["chips"]:
            follows = tag == self.ended and (classes or tag != "span")
            self.apart |= bool(follows or _MARKS["badge"].search(classes))
        if tag in _WORDS["blocks"]:
            self.flush()
        if match := _MARKS["heading"].match(tag):
            self.level = int(match[1])
        elif tag == "br":
            self._add(BREAK, self._at(), self._at() + len(self.get_starttag_text() or ""))
        elif tag == "pre" or (tag == "code" and self.code == ""):
            match = _MARKS["language"].search(classes)
            self.code = match[1] if match else ""
        elif tag in _WORDS["lists"]:
            self.writer.open_list()
        elif tag in _WORDS["noted"]:
            match = _MARKS["names"].search(classes) if _MARKS["note"].search(classes) else None
            name = "quote" if tag == "blockquote" else match[1] if match else ""
            self._note([*self.notes, name or self.writer.inside])
        else:
            self._structure(tag)

    def _note(self, notes: list[str]) -> None:
        """Let what comes stand in the last of the admonitions and quotes that are open."""
        self.notes, self.writer.inside = notes, notes[-1] if notes else ""

    def _structure(self, tag: str) -> None:
        """Begin an item, a cell, a row or a table."""
        if tag == "li":
            self.writer.fresh_item = True
        elif tag == "table":
            self.writer.open_table()
        elif tag == "tr":
            self._end_row()
            self.rows.append([])
            self.heads = 0
        elif tag in {"td", "th"} and self.rows:
            self.parts = []
            self.rows[-1].append(self.parts)
            self.heads += tag == "th"

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "br":
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        self.ended = tag
        if self.hidden:
            while tag in self.hidden and self.hidden.pop() != tag:
                pass
            self.in_title = False
        elif tag == "dt" and not self.rows:
            self.term, self.parts = self.parts, []
        elif tag == "dd":
            self.flush()
            self.term = []
        elif tag in {"caption", "figcaption"}:
            self._caption()
        elif tag in {"tr", "table"}:
            self._end_row()
            if tag == "table":
                self.writer.close_table()
                self.caption = ""
        elif tag in _WORDS["blocks"]:
            self.flush()
            self._leave(tag)

    def _leave(self, tag: str) -> None:
        self.level = 0
        if tag == "pre":
            self.code = None
        elif tag == "li":
            self.writer.fresh_item = False
        elif tag in _WORDS["lists"]:
            self.writer.close_list()
        elif tag in _WORDS["noted"]:
            self._note(self.notes[:-1])

    def handle_data(self, data: str) -> None:
        if self.in_title:
            self.writer.declared = self.writer.declared or " ".join(data.split())
            return
        self._add(data, self._at(), self._at() + len(data))

    def handle_charref(self, name: str) -> None:
        self._reference(f"&#{name}")

    def handle_entityref(self, name: str) -> None:
        self._reference(f"&{name}")

    def _reference(self, written: str) -> None:
        low = self._at()
        length = len(written)
        if self.text[low - self.base + length :][:1] == ";":
            length += 1
        self._add(html.unescape(f"{written};"), low, low + length)

    def _add(self, text: str, low: int, high: int) -> None:
        """Add text; between two words that are set apart, a blank."""
        if self.hidden:
            return
        last = self.parts[-1].text[-1:] if self.parts else ""
        if self.apart and last.isalnum() and text[:1].isalnum():
            self.parts.append(Part(" ", low, low))
        self.parts.append(Part(text, low, high))
        self.ended, self.apart = "", False

    def _at(self) -> int:
        line, column = self.getpos()
        return self.base + column + (self.lines[line - 2] if line > 1 else 0)

    def flush(self) -> None:
        """Write the block that is open; within a cell of a table, a line ends."""
        if self.rows:
            if self.parts:
                end = self.parts[-1].raw_end
                self.parts.append(Part("\n", end, end))
            return
        parts, self.parts = self.parts, []
        if self.code is not None:
            language, group = self.code.casefold(), self.writer.group
            self.writer.write_code(_lines_in(parts), language=language, group=group)
        elif self.level:
            shown = [part for part in parts if part.text.strip() not in _WORDS["anchors"]]
            self.writer.write("heading", shown, level=self.level)
        elif self.term and not self.writer.fresh_item and any(part.text.strip() for part in parts):
            self.writer.write_cells("definition", [self.term, parts], between=": ")
            self.term = []
        else:
            self.writer.write_running(parts)

    def _caption(self) -> None:
        if self.rows:
            return
        self.caption = " ".join("".join(part.text for part in self.parts).split())
        self.writer.write("caption", self.parts)
        self.parts = []

    def _end_row(self) -> None:
        """Write the row that is open; one with only head cells names the columns."""
        if not self.rows:
            return
        cells = self.rows.pop()
        self.parts = []
        if self.rows:  # a table in a cell: its text stays in that cell
            self.rows[-1].extend(cells)
            self.parts = self.rows[-1][-1] if self.rows[-1] else []
            return
        is_head = 0 < self.heads == len(cells)
        self.writer.write_row(cells, is_head=is_head, caption=self.caption)


def _lines_in(parts: Iterable[Part]) -> list[list[Part]]:
    """Return the lines of code."""
    lines: list[list[Part]] = [[]]
    for part in parts:
        if part.text != BREAK and len(part.text) != part.raw_end - part.raw_start:
            lines[-1].append(part)
            continue
        for match in _MARKS["line"].finditer(part.text):
            if match[0] in {"\n", BREAK}:
                lines.append([])
            else:
                low, high = (part.raw_start + offset for offset in match.span())
                lines[-1].append(Part(match[0], low, high))
    return lines
