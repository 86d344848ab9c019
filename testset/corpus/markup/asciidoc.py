"""AsciiDoc, for which no parser in Python gives places."""

import re
from collections.abc import Iterator, Sequence
from functools import partial

from testset.corpus.markup.inline import seen_in
from testset.corpus.markup.lines import LineWriter, Row
from testset.corpus.markup.marks import names_of, patterns_of, words_of
from testset.corpus.plain import PlainView
from testset.corpus.source import Line, lines_of

_MARKS = patterns_of("asciidoc")
_WORDS = words_of("asciidoc")
_BLOCKS = ("delimiter", "item", "heading", "term", "paragraph")
"""What a block may be, first that matches: its pattern, and the method `_on_…` that reads it."""
_BREAKS = ("attached", "item", "term", "delimiter", "attributes", "unseen")
"""What a line may be that cannot go on with the paragraph of an item."""


def read_asciidoc(text: str) -> PlainView:
    r"""Return the plain view of a document in AsciiDoc.

    Example:
        >>> view = read_asciidoc("= Vents\n\nOpen *both*, see\nlink:a.html[here].\n")
        >>> view.text, view.raw_span(7, 16)
        ('Vents\n\nOpen both, see here.', (9, 19))
    """
    reader = _Reader()
    reader.read(lines_of(text))
    return reader.page.view()


class _Reader:
    """Reads blocks line by line; what stands before a block waits until it comes."""

    def __init__(self) -> None:
        self.attributes = names_of("asciidoc")
        self.page = LineWriter(partial(seen_in, pattern=_MARKS["inline"], names=self.attributes))
        self.style: list[str] = []
        self.caption = ""
        self.marks: list[str] = []
        self.attached = False

    def read(self, lines: Sequence[Line]) -> None:
        """Read the blocks of lines."""
        at = 0
        while at < len(lines):
            at = at + 1 if self._is_before(lines[at]) else self._block(lines, at)

    def _is_before(self, line: Line) -> bool:
        """Take a line that shows nothing by itself, or says something of the block after it."""
        text = line.text
        if line.blank or _MARKS["unseen"].match(text):
            return True
        if _MARKS["attached"].match(text):
            self.attached = True
        elif match := _MARKS["entry"].match(text):
            self.attributes[match["name"]] = (match["value"] or "").strip()
        elif match := _MARKS["attributes"].match(text):
            self.style = [part.strip() for part in (match["inside"] or "").split(",")]
        elif _MARKS["title"].match(text):
            self._end_list()
            self.caption = text[1:].strip()
            self.page.text([line.cut(1)], "caption")
        else:
            return False
        return True

    def _end_list(self) -> None:
        """End the items that are open, unless what comes is attached to the last of them."""
        if not self.attached:
            self.page.nest(self.page.depth - len(self.marks))
            self.marks = []

    def _block(self, lines: Sequence[Line], at: int) -> int:
        """Read the block that begins at a line, and return the line after it."""
        matches = ((name, _MARKS[name].match(lines[at].text)) for name in _BLOCKS)
        name, match = next((name, match) for name, match in matches if match)
        if name != "item":
            self._end_list()
        after: int = getattr(self, f"_on_{name}")(lines, at, match)
        self.style, self.caption, self.attached = [], "", False
        return after

    @property
    def _kind(self) -> str:
        """What the attributes before a block say that it is."""
        return self.style[0].casefold() if self.style else ""

    def _on_heading(self, lines: Sequence[Line], at: int, match: re.Match[str]) -> int:
        level, first = len(match["marks"]), self.page.empty
        self.page.heading(lines[at].cut(match.end()), level)
        after = at + 1
        while first and level == 1 and after < len(lines) and not lines[after].blank:
            self._is_before(lines[after])  # an attribute, else the author or the version
            after += 1
        return after

    def _on_delimiter(self, lines: Sequence[Line], at: int, match: re.Match[str]) -> int:
        mark, style = match[1], self._kind
        closing = "```" if mark.startswith("```") else mark
        ends = (n for n in range(at + 1, len(lines)) if lines[n].text.rstrip() == closing)
        end = next(ends, len(lines))
        body = lines[at + 1 : end]
        if mark.startswith("|"):
            self.page.table(self._rows(body), self.caption)
        elif closing == "```" or mark[0] == "." or mark.startswith("---") or style == "source":
            self._code(body, mark.removeprefix("```") if closing == "```" else "")
        elif mark[0] not in "+/":
            quote = "quote" if mark[0] == "_" else ""
            self._nested(body, style if style in _WORDS["notes"] else quote)
        return end + 1

    def _nested(self, body: Sequence[Line], note: str) -> None:
        before, depth = self.marks, self.page.depth
        self.marks, self.style = [], []
        with self.page.within(note):
            self.read(body)
        self.page.nest(depth)
        self.marks = before

    def _code(self, body: Sequence[Line], language: str = "") -> None:
        if self.style[:1] in (["source"], ["listing"]):
            language = language or next(iter(self.style[1:]), "")
        language = language or self.attributes.get("source-language", "")
        self.page.code(body, language, self.caption)

    def _on_item(self, lines: Sequence[Line], at: int, match: re.Match[str]) -> int:
        mark = re.sub(r"\d+", "1", match["mark"])
        outer = self.page.depth - len(self.marks)
        if mark in self.marks:
            del self.marks[self.marks.index(mark) + 1 :]
        else:
            self.marks.append(mark)
        self.page.nest(outer + len(self.marks))
        end = _end_of(lines, at + 1)
        with self.page.item():
            self.page.text([lines[at].cut(match.end()), *lines[at + 1 : end]])
        return end

    def _on_term(self, lines: Sequence[Line], at: int, match: re.Match[str]) -> int:
        term = lines[at].cut(*match.span("term"))
        first = [lines[at].cut(match.end())]
        start = at + 1
        while first[0].blank and start < len(lines) and lines[start].blank:
            start += 1
        end = _end_of(lines, start)
        if first[0].blank and start == end:
            self.page.define(term)
        else:
            self.page.define(term, [*first, *lines[start:end]])
        return end

    def _on_paragraph(self, lines: Sequence[Line], at: int, _: re.Match[str]) -> int:
        end, style = _end_of(lines, at + 1, ("delimiter",)), self._kind
        first, *body = lines[at:end]
        if style in {"source", "listing", "literal"}:
            self._code(lines[at:end])
        elif first.indent:
            self.page.code(lines[at:end])
        else:
            quote = "quote" if style in {"quote", "verse"} else ""
            note = style if style in _WORDS["notes"] else quote
            if match := _MARKS["note"].match(first.text):
                note, first = match["name"].casefold(), first.cut(match.end())
            with self.page.within(note):
                self.page.text([first, *body])
        return end

    def _rows(self, body: Sequence[Line]) -> Iterator[Row]:
        """Yield the rows of a table; its columns are declared, or counted in its first line."""
        cells: list[list[Line]] = []
        style = ",".join(self.style)
        columns = _declared_columns(style)
        for line in body:
            marks = list(_MARKS["cell"].finditer(line.text))
            columns = columns or len(marks)
            if not marks and cells and not line.blank:
                cells[-1].append(line)
            ends = [*(mark.start() for mark in marks[1:]), len(line.text)]
            cells += [[line.cut(mark.end(), end)] for mark, end in zip(marks, ends, strict=False)]
        columns = max(columns, 1)
        apart = len(body) > 1 and not body[0].blank and body[1].blank and len(cells) > columns
        for start in range(0, len(cells), columns):
            yield cells[start : start + columns], not start and ("header" in style or apart)


def _end_of(lines: Sequence[Line], at: int, breaks: Sequence[str] = _BREAKS) -> int:
    """Return the line after a paragraph: a blank one, or one of those that break it."""
    ends = (
        number
        for number in range(at, len(lines))
        if lines[number].blank or any(_MARKS[name].match(lines[number].text) for name in breaks)
    )
    return next(ends, len(lines))


def _declared_columns(style: str) -> int:
    match = _MARKS["columns"].search(style)
    if match is None:
        return 0
    return int(match["count"] or len(re.split(r"[,;]", match["widths"].split(",options")[0])))
