"""Plain text: headings in capitals or with numbers, lists, tables with bars, as people type them.

The text of PDF and Word files is of this kind, and so is that of pages that a reader converted.
"""

import re
from collections.abc import Sequence
from itertools import pairwise

from testset.corpus.plain import PlainView
from testset.corpus.source import BREAK, Line, Source, lines_of
from testset.corpus.writer import ViewWriter

_HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<text>.*?)\s*#*$")
_NUMBERED = re.compile(r"\d+(?:\.\d+)*\.?\s+(?P<text>[^\W\d_][^.!?。]{1,70})$")
_CAPITALS = re.compile(r"(?P<text>[^\Wa-z_][^a-z.!?。\u3040-\u9fff]{3,70})$")
_ITEM = re.compile(r"\s*(?:[-*+•・]|\d{1,2}[.)])\s+(?P<text>\S.*)$")
_ROW = re.compile(r"\s*\|.*\|\s*$")
_RULE = re.compile(r"\s*\|?[\s:|-]*-{3,}[\s:|-]*$")
_FENCE = re.compile(r"\s*(?:```|~~~)\s*(?P<language>\w*)")
_GOES_ON = tuple(",;、，；-–")
_WRAPPED_WIDTH = 40
"""Columns from which lines that are filled up are taken for wrapped prose."""
_WIDE = re.compile("[\u2e80-\ua4cf\uac00-\ud7a3\uff00-\uffef]")


def read_plain_text(text: str) -> PlainView:
    r"""Return the plain view of a text without markup.

    Example:
        >>> view = read_plain_text("1. VENTS\nOpen both\nvents.\n\n- one\n- two\n")
        >>> [(block.kind, view.block_text(block)) for block in view.blocks]
        [('heading', 'VENTS'), ('paragraph', 'Open both vents.'), ('item', 'one'), ('item', 'two')]
    """
    writer = ViewWriter()
    _Reader(writer).read(lines_of(text))
    return writer.view()


class _Reader:
    """Reads line by line; a paragraph is written when it ends."""

    def __init__(self, writer: ViewWriter) -> None:
        self.writer = writer
        self.paragraph: list[Line] = []
        self.group = 0
        self.lead = ""
        self.header: tuple[str, ...] = ()
        self.row: Line | None = None

    def read(self, lines: Sequence[Line]) -> None:
        """Write the blocks of lines."""
        at = 0
        while at < len(lines):
            line = lines[at]
            if _FENCE.match(line.text):
                self._end()
                at = self._code(lines, at)
                continue
            following = lines[at + 1].text if at + 1 < len(lines) else ""
            if not line.text.strip():
                self._end()
            elif not self._table(line) and not self._own(line, following):
                self._end_table()
                self.paragraph.append(line.stripped())
            at += 1
        self._end()

    def _code(self, lines: Sequence[Line], at: int) -> int:
        fence = _FENCE.match(lines[at].text)
        ends = (n for n in range(at + 1, len(lines)) if _FENCE.match(lines[n].text))
        end = next(ends, len(lines))
        language = fence["language"] if fence is not None else ""
        self.writer.write_code(lines[at + 1 : end], language=language)
        return end + 1

    def _own(self, line: Line, following: str) -> bool:
        """Write a heading or a list item, which is a line of its own; return whether it is one."""
        if match := _HEADING.match(line.text):
            self._heading(line, match, len(match["marks"]))
        elif (
            following.strip()
            and not _ITEM.match(following)
            and (match := _NUMBERED.match(line.text))
        ):
            self._heading(line, match, 2)
        elif match := _ITEM.match(line.text):
            self._item(line, match)
        elif match := _CAPITALS.match(line.text):
            self._heading(line, match, 1)
        else:
            return False
        return True

    def _heading(self, line: Line, match: re.Match[str], level: int) -> None:
        self._end()
        self.group = 0
        self.writer.write("heading", Source([line.cut(*match.span("text"))]).parts(), level=level)

    def _item(self, line: Line, match: re.Match[str]) -> None:
        self._end()
        if not self.group:
            self.lead, self.group = self.writer.lead(), self.writer.new_group()
        parts = Source([line.cut(*match.span("text"))]).parts()
        self.writer.write("item", parts, level=1, group=self.group, lead=self.lead)

    def _table(self, line: Line) -> bool:
        """Take a line of a table; return whether it is one."""
        if _RULE.match(line.text):
            if self.row is not None and not self.header:
                self.header = self._write_row()
            else:
                self._end()
            return True
        if not _ROW.match(line.text):
            return False
        if self.row is not None:
            self._write_row()
        elif not self.header:
            self._end()
            self.group = self.writer.new_group()
        self.row = line
        return True

    def _write_row(self) -> tuple[str, ...]:
        line = self.row
        assert line is not None  # noqa: S101 - the caller has seen it
        bars = [match.start() for match in re.finditer(r"\|", line.text)]
        cells = [
            Source([line.cut(low + 1, high).stripped()]).parts() for low, high in pairwise(bars)
        ]
        self.row = None
        return self.writer.write_cells("row", cells, group=self.group, header=self.header)

    def _end_table(self) -> None:
        if self.row is not None:
            self._write_row()
        if self.group:
            self.group, self.header = 0, ()

    def _end(self) -> None:
        """Write the paragraph or the row that is open."""
        if self.row is not None or self.header:
            self._end_table()
        lines, self.paragraph = self.paragraph, []
        if not lines:
            return
        self.group, self.header = 0, ()
        width = max(_width(line.text) for line in lines)
        parts = list(Source(lines).parts())
        at = 0
        for number, part in enumerate(parts):
            if part.text == "\n" and at + 1 < len(lines):
                if not _goes_on(lines[at].text, lines[at + 1].text, width):
                    parts[number] = part._replace(text=BREAK)
                at += 1
        self.writer.write("paragraph", parts)


def _goes_on(before: str, after: str, width: int) -> bool:
    """Return whether a line was wrapped: it ends in a sentence, or its next word had no room."""
    if after[0].islower() or before.endswith(_GOES_ON):
        return True
    word = after[0] if _WIDE.match(after) else after.split(maxsplit=1)[0]
    return width >= _WRAPPED_WIDTH and _width(before) + _width(word) + 1 > width


def _width(text: str) -> int:
    """Return how many columns a text takes; a Chinese or Japanese character takes two."""
    return len(text) + len(_WIDE.findall(text))
