"""Blocks of lines: what the readers of formats without a parser write, with exact offsets."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager

from testset.corpus.plain import BlockKind
from testset.corpus.source import Line, Part, Source
from testset.corpus.writer import ViewWriter

NO_LINE = Line(0, "")
Inline = Callable[[Source], Iterable[Part]]
"""What a reader sees of the lines of a block."""
Row = tuple[Sequence[Sequence[Line]], bool]
"""The cells of a row of a table, each as lines, and whether it names the columns."""


class LineWriter(ViewWriter):
    """Writes blocks that are given as lines of the raw text.

    Args:
        inline: Reads the marks within a block.
    """

    def __init__(self, inline: Inline) -> None:
        super().__init__()
        self.inline = inline

    def nest(self, depth: int) -> None:
        """Open or close lists, so that what comes stands in so many, one within the other."""
        while self.depth > depth:
            self.close_list()
        while self.depth < depth:
            self.open_list()

    @contextmanager
    def item(self) -> Iterator[None]:
        """Let the first block that is written meanwhile begin an item of the innermost list."""
        self.fresh_item = True
        yield
        self.fresh_item = False

    @contextmanager
    def within(self, note: str) -> Iterator[None]:
        """Let what is written meanwhile stand in an admonition or quote; in none new if empty."""
        before, self.inside = self.inside, note or self.inside
        yield
        self.inside = before

    def text(self, lines: Iterable[Line], kind: BlockKind = "paragraph") -> None:
        """Write a block of running text; nothing if it is blank."""
        self.write_running(self._seen(lines), kind)

    def heading(self, line: Line, level: int) -> None:
        """Write a heading of a level from 1."""
        self.write("heading", self._seen([line]), level=min(level, 6))

    def define(self, term: Line, meaning: Sequence[Line] = ()) -> None:
        """Write a term with what it means, which begins an item if one is to begin."""
        first, second = list(self._seen([term])), list(self._seen(meaning))
        if first and second and self.fresh_item:
            colon = Part(": ", first[-1].raw_end, second[0].raw_start, replaced=True)
            self.write_running([*first, colon, *second])
        elif first:
            cells = [first, second] if second else [first]
            self.write_cells("definition", cells, between=": ", group=self.group)
        else:
            self.write_running(second)

    def code(self, lines: Iterable[Line], info: str = "", caption: str = "") -> None:
        """Write a block of code, whose language is the first word of what is said of it."""
        shown = [Source([line]).parts() if not line.blank else [] for line in lines]
        words = re.split(r"[\s{,:]+", info.strip().lstrip("{."), maxsplit=1)
        language = words[0].rstrip("}").casefold()
        self.write_code(shown, language=language, group=self.group, caption=caption)

    def table(self, rows: Iterable[Row], caption: str = "") -> None:
        """Write a table."""
        self.open_table()
        for cells, is_head in rows:
            self.write_row(map(self._seen, cells), is_head=is_head, caption=caption)
        self.close_table()

    def _seen(self, lines: Iterable[Line]) -> Iterable[Part]:
        return self.inline(Source([line.stripped() for line in lines if not line.blank]))
