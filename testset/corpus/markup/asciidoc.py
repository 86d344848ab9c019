"""AsciiDoc, for which no parser in Python gives places: blocks by their delimiters, then marks."""

import re
from collections.abc import Iterator, Sequence

from testset.corpus.markup.asciidoc_inline import BUILT_IN, seen_in_asciidoc
from testset.corpus.plain import PlainView
from testset.corpus.source import Line, Part, Source, lines_of
from testset.corpus.writer import ViewWriter

_HEADING = re.compile(r"(?P<marks>={1,6}|#{1,6})\s+(?P<text>\S.*)$")
_ENTRY = re.compile(r":!?(?P<name>[\w-]+)!?:(?:\s+(?P<value>.*))?$")
_ATTRIBUTES = re.compile(r"\[(?P<inside>[^\[\]]*)\]\s*$|\[\[[^\]]*\]\]\s*$")
_TITLE = re.compile(r"\.(?P<text>[^\s.].*)$")
_MACRO = re.compile(r"(?:include|image|ifdef|ifndef|ifeval|endif|toc|video|audio)::\S*\[.*\]\s*$")
_COMMENT = re.compile(r"//(?!/)")
_DELIMITER = re.compile(r"(-{4,}|\.{4,}|={4,}|\*{4,}|_{4,}|\+{4,}|/{4,}|--|\|={3,}|```.*)\s*$")
_ITEM = re.compile(r"\s*(?P<mark>\*{1,5}|\.{1,5}|-|\d{1,3}\.|<(?:\d+|\.)>)\s+(?=\S)")
_TERM = re.compile(r"\s*(?P<term>\S.*?)(?:::{1,3}|;;)(?:\s+(?P<meaning>\S.*))?$")
_NOTE = re.compile(r"(?P<name>NOTE|TIP|IMPORTANT|WARNING|CAUTION):\s+")
_NOTES = frozenset({"note", "tip", "important", "warning", "caution"})
_CELL = re.compile(r"(?:(?<=\s)|^)(?:\d*(?:\.\d+)?\+)?(?:\d+\*)?[<^>]?(?:\.[<^>])?[adehlms]?\|")


def read_asciidoc(text: str) -> PlainView:
    r"""Return the plain view of a document in AsciiDoc.

    Example:
        >>> view = read_asciidoc("= Vents\n\nOpen *both*, see\nlink:a.html[here].\n")
        >>> view.text, view.raw_span(7, 16)
        ('Vents\n\nOpen both, see here.', (9, 19))
    """
    writer = ViewWriter()
    _Reader(writer).read(lines_of(text))
    return writer.view()


class _Reader:
    """Reads blocks line by line; what stands before a block is kept until it comes."""

    def __init__(self, writer: ViewWriter) -> None:
        self.writer = writer
        self.attributes = dict(BUILT_IN)
        self.style: list[str] = []
        self.caption = ""
        self.group = 0
        self.marks: list[str] = []
        self.lead = ""

    def read(self, lines: Sequence[Line]) -> None:
        """Write the blocks of lines."""
        at = 0
        while at < len(lines):
            at = self._block(lines, at)

    def _block(self, lines: Sequence[Line], at: int) -> int:
        line = lines[at]
        text = line.text
        if self._is_before(line):
            return at + 1
        if match := _DELIMITER.match(text):
            return self._delimited(lines, at, match[1])
        if match := _HEADING.match(text):
            return self._heading(lines, at, match)
        if match := _ITEM.match(text):
            return self._item(lines, at, match)
        if (match := _TERM.match(text)) and not text.startswith("|"):
            return self._term(lines, at, match)
        if line.indent:
            end = _end(lines, at)
            self.writer.write_code(lines[at:end], group=self.group)
            return self._done(end)
        return self._paragraph(lines, at)

    def _is_before(self, line: Line) -> bool:
        """Take a line that shows nothing by itself, or says something of the block after it."""
        text = line.text
        if line.blank or text.strip() == "+" or _MACRO.match(text) or _COMMENT.match(text):
            return True
        if match := _ENTRY.match(text):
            self.attributes[match["name"]] = (match["value"] or "").strip()
        elif match := _ATTRIBUTES.match(text):
            self.style = [part.strip() for part in (match["inside"] or "").split(",")]
        elif match := _TITLE.match(text):
            self.caption = match["text"].strip()
            self.writer.write("caption", self._inline([line.cut(match.start("text"))]))
        else:
            return False
        return True

    def _done(self, at: int) -> int:
        """Forget what stood before a block."""
        self.style, self.caption = [], ""
        return at

    def _heading(self, lines: Sequence[Line], at: int, match: re.Match[str]) -> int:
        level = len(match["marks"])
        title = lines[at].cut(*match.span("text")).stripped()
        first = not self.writer.blocks
        self.writer.write("heading", self._inline([title]), level=level)
        self.group, self.marks = 0, []
        after = at + 1
        if first and level == 1:  # the author and the version stand below the title
            while after < len(lines) and not lines[after].blank:
                if match_entry := _ENTRY.match(lines[after].text):
                    value = (match_entry["value"] or "").strip()
                    self.attributes[match_entry["name"]] = value
                after += 1
        return self._done(after)

    def _delimited(self, lines: Sequence[Line], at: int, mark: str) -> int:
        closing = "```" if mark.startswith("```") else mark
        ends = (n for n in range(at + 1, len(lines)) if lines[n].text.rstrip() == closing)
        end = next(ends, len(lines))
        body = lines[at + 1 : end]
        first = mark[0]
        if mark.startswith("|"):
            self._table(body)
        elif mark.startswith("```") or (first in "-." and mark != "--"):
            self._code(body, mark.removeprefix("```") if first == "`" else "")
        elif mark == "--" and "source" in self.style[:1]:
            self._code(body, "")
        elif first not in "+/":
            self._nested(body, "quote" if first == "_" else "")
        return self._done(end + 1)

    def _code(self, body: Sequence[Line], language: str) -> None:
        named = self.style[1] if self.style[:1] in (["source"], ["listing"]) else ""
        named = named if len(self.style) > 1 else ""
        found = language or named or self.attributes.get("source-language", "")
        self.writer.write_code(body, language=found, group=self.group, caption=self.caption)

    def _nested(self, body: Sequence[Line], name: str) -> None:
        style = self.style[0].casefold() if self.style else ""
        before, self.writer.inside = self.writer.inside, self.writer.inside
        if style in _NOTES:
            self.writer.inside = style
        elif name:
            self.writer.inside = name
        self._done(0)
        self.read(body)
        self.writer.inside = before

    def _item(self, lines: Sequence[Line], at: int, match: re.Match[str]) -> int:
        mark = re.sub(r"\d+", "1", match["mark"])
        if not self.group:
            self.lead = self.writer.lead()
            self.group, self.marks = self.writer.new_group(), []
        if mark in self.marks:
            del self.marks[self.marks.index(mark) + 1 :]
        else:
            self.marks.append(mark)
        end = _end_of_item(lines, at + 1)
        body = [lines[at].cut(match.end()), *(line.stripped() for line in lines[at + 1 : end])]
        lead = self.lead if len(self.marks) == 1 else ""
        level = len(self.marks)
        self.writer.write("item", self._inline(body), level=level, group=self.group, lead=lead)
        return self._after_item(lines, end)

    def _after_item(self, lines: Sequence[Line], at: int) -> int:
        """Return the next line; the list ends if no item and no "+" follows."""
        after = at
        while after < len(lines) and lines[after].blank:
            after += 1
        if after < len(lines) and (_ITEM.match(lines[after].text) or lines[at].text == "+"):
            return self._done(at)
        if at == len(lines) or lines[at].blank or not _TERM.match(lines[at].text):
            self.group, self.marks = 0, []
        return self._done(at)

    def _term(self, lines: Sequence[Line], at: int, match: re.Match[str]) -> int:
        term = lines[at].cut(*match.span("term"))
        start = at + 1
        if match["meaning"]:
            first = [lines[at].cut(match.start("meaning"))]
        else:
            first = []
            while start < len(lines) and lines[start].blank:
                start += 1
        starts_block = not first and (
            start == len(lines)
            or _ITEM.match(lines[start].text)
            or _DELIMITER.match(lines[start].text)
            or lines[start].text.strip() == "+"
        )
        end = start if starts_block else _end_of_item(lines, start)
        body = [*first, *(line.stripped() for line in lines[start:end])]
        cells = [self._inline(part) for part in ([term], body) if part]
        self.writer.write_cells("definition", cells, between=": ", group=self.group)
        return self._done(end)

    def _paragraph(self, lines: Sequence[Line], at: int) -> int:
        end = _end(lines, at)
        body = list(lines[at:end])
        style = self.style[0].casefold() if self.style else ""
        if style in {"source", "listing", "literal"}:
            self._code(body, "")
            return self._done(end)
        note = _NOTE.match(body[0].text)
        inside = style if style in _NOTES else "quote" if style in {"quote", "verse"} else ""
        if note is not None:
            inside, body[0] = note["name"].casefold(), body[0].cut(note.end())
        self.writer.write("paragraph", self._inline(body), inside=inside, group=self.group)
        return self._done(end)

    def _table(self, body: Sequence[Line]) -> None:
        rows = list(_rows(body, self.style))
        group, header = self.writer.new_group(), tuple[str, ...]()
        headed = any("header" in part for part in self.style) or (
            len(body) > 1 and not body[0].blank and body[1].blank and len(rows) > 1
        )
        for number, cells in enumerate(rows):
            found = [self._inline([line.stripped() for line in cell]) for cell in cells]
            texts = self.writer.write_cells(
                "row", found, group=group, header=header, caption=self.caption
            )
            if not number and headed:
                header = texts

    def _inline(self, lines: Sequence[Line]) -> list[Part]:
        source = Source(lines)
        return list(seen_in_asciidoc(source, self.attributes))


def _end(lines: Sequence[Line], at: int) -> int:
    """Return the line after a paragraph."""
    end = at + 1
    while end < len(lines) and not lines[end].blank and not _DELIMITER.match(lines[end].text):
        end += 1
    return end


def _end_of_item(lines: Sequence[Line], at: int) -> int:
    """Return the line after the first paragraph of an item."""
    while at < len(lines) and not lines[at].blank:
        text = lines[at].text
        if text.strip() == "+" or any(
            pattern.match(text) for pattern in (_ITEM, _TERM, _DELIMITER, _ATTRIBUTES, _MACRO)
        ):
            break
        at += 1
    return at


def _rows(body: Sequence[Line], style: Sequence[str]) -> Iterator[list[list[Line]]]:
    """Yield the rows of a table; its columns are counted in its first line, or declared."""
    cells: list[list[Line]] = []
    columns = _declared_columns(style)
    for line in body:
        marks = list(_CELL.finditer(line.text))
        if marks and not columns:
            columns = len(marks)
        if not marks and cells and not line.blank:
            cells[-1].append(line)
        ends = [*(mark.start() for mark in marks[1:]), len(line.text)]
        cells += (
            [[line.cut(mark.end(), end)] for mark, end in zip(marks, ends, strict=True) if marks]
            if marks
            else []
        )
    for start in range(0, len(cells), max(columns, 1)):
        yield cells[start : start + max(columns, 1)]


def _declared_columns(style: Sequence[str]) -> int:
    written = ",".join(style)
    match = re.search(r'cols="?(?:(\d+)\*|([^"\]]+)"?)', written)
    if match is None:
        return 0
    return int(match[1]) if match[1] else len(re.split(r"[,;]", match[2].split(",options")[0]))
