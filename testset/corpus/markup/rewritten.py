"""Lines of Markdown that other formats are rewritten to, so that one reader of blocks serves all.

Each line is marks of Markdown and after them a part of the raw text, which knows its place there.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from testset.corpus.plain import BlockKind
from testset.corpus.source import Line

ITEM = "- "
MEANING = ": "
NO_LINE = Line(0, "")

Row = tuple[Sequence[Sequence[Line]], bool]
"""The cells of a row of a table, each as lines, and whether it names the columns."""


@dataclass
class Rewritten:
    """A document as lines of Markdown, and what Markdown has no mark for.

    Attributes:
        lines: The lines, which keep the places of their text in the raw text.
        shapes: What the parser of blocks reads of each line. Text that another format has read
            is an "x" for each character there, so that nothing in it is taken for a mark.
        inside: Number of a line -> the admonition or quote that it stands in.
        kinds: Number of a line -> the kind of the block that begins there, if no paragraph.
        captions: Number of the first line of a table or of code -> its caption.
        tables: Number of a line -> the rows of the table that stands there.
        note: The admonition or quote that lines to come stand in.
        mark: What begins the next block: marks of items, or of what a term means.
    """

    lines: list[Line] = field(default_factory=list)
    shapes: list[str] = field(default_factory=list)
    inside: dict[int, str] = field(default_factory=dict)
    kinds: dict[int, BlockKind] = field(default_factory=dict)
    captions: dict[int, str] = field(default_factory=dict)
    tables: dict[int, Sequence[Row]] = field(default_factory=dict)
    note: str = ""
    mark: str = ""

    def add(self, shape: str, line: Line = NO_LINE) -> None:
        """Add a line."""
        if self.note:
            self.inside[len(self.lines)] = self.note
        self.lines.append(line)
        self.shapes.append(shape)

    def write(
        self, lines: Sequence[Line], margin: str = "", kind: BlockKind = "paragraph", level: int = 0
    ) -> None:
        """Add a block of running text; nothing if it is blank.

        Args:
            lines: Its text.
            margin: Blanks before it: those of the items around it.
            kind: What it is.
            level: Of a heading, from 1.
        """
        shown = [line.stripped() for line in lines if not line.blank]
        if not shown:
            return
        marks = self._begin(margin, after_term=kind == "paragraph")
        if level:
            marks += "#" * min(level, 6) + " "
        elif kind != "paragraph":
            self.kinds[len(self.lines)] = kind
        for line in shown:
            self._put(marks, line)
            marks = " " * len(marks)

    def code(
        self, lines: Sequence[Line], margin: str = "", language: str = "", caption: str = ""
    ) -> None:
        """Add a block of code."""
        marks = self._begin(margin)
        self.captions[len(self.lines)] = caption
        self.add(f"{marks}~~~{language}")
        for line in lines:
            self._put(margin, line)
        self.add(f"{margin}~~~")

    def table(self, rows: Sequence[Row], margin: str = "", caption: str = "") -> None:
        """Add a table, in the place of code."""
        marks = self._begin(margin)
        self.captions[len(self.lines)], self.tables[len(self.lines)] = caption, rows
        self.add(f"{marks}~~~")
        self.add(f"{margin}~~~")

    def define(self, term: Line, margin: str = "") -> None:
        """Add a term, whose meaning is the paragraph that is added next."""
        self.write([term], margin)
        self.mark = "" if term.blank else MEANING

    @contextmanager
    def item(self) -> Iterator[None]:
        """Let the first block that is added meanwhile begin an item."""
        self.mark = self.mark.replace(MEANING, "") + ITEM
        yield
        self.mark = ""

    @contextmanager
    def within(self, note: str) -> Iterator[None]:
        """Let what is added meanwhile stand in an admonition or quote; in none new if empty."""
        before, self.note = self.note, note or self.note
        yield
        self.note = before

    def _begin(self, margin: str, *, after_term: bool = False) -> str:
        """Return the marks of the first line of a block, which an empty line parts from others."""
        mark, self.mark = self.mark, ""
        if mark == MEANING:
            mark = mark if after_term else ""
        if mark == MEANING:
            return margin + mark
        self.add("")
        return margin[: len(margin) - len(mark)] + mark

    def _put(self, marks: str, line: Line) -> None:
        shape = "" if line.blank else marks + "x" * len(line.text)
        self.add(shape, Line(line.start - len(marks), marks + line.text))
