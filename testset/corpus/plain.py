"""The plain view of a document: the text that a reader sees, in blocks, and where each part stands.

A document's raw text has marks that no reader sees: of links, emphasis, roles, entities, wrapped
lines. The plain text has none of them. It is made of pieces, and each piece knows its place in the
raw text, so that a span of the plain text becomes a span of the raw one, and back.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import Literal, NamedTuple

from testset.corpus.speakers import Utterance, utterances_in

BlockKind = Literal[
    "admonition",
    "caption",
    "code",
    "definition",
    "front_matter",
    "heading",
    "item",
    "paragraph",
    "row",
    "title",
]
"""Kinds of blocks. An admonition is the title of one, a definition a term with what it means."""
LEAD_END = (":", "：")
"""Ends of a paragraph that introduces what follows."""


class Piece(NamedTuple):
    """A part of the plain text."""

    start: int
    """First character in the plain text."""
    raw_start: int
    """First character in the raw text."""
    raw_end: int
    """One past the last in the raw text."""
    exact: bool
    """Whether the raw text is the same, character by character; if not, as for the "&" of "&amp;"
    or what stands between two cells, the piece is only mapped as a whole."""
    end: int
    """One past its last character in the plain text."""


@dataclass(frozen=True, slots=True)
class Block:
    """One block of a plain text.

    Attributes:
        kind: What it is.
        start: Its first character in the plain text.
        end: One past its last.
        level: Of a heading, from 1, the outermost; of a list item, its depth, from 1.
        group: The list or table that it belongs to, numbered from 1; 0 for none.
        language: Of code, as the document names it; empty if it does not.
        lead: Of a list item, also one that is typed as a paragraph with a letter, what introduces
            its list, as "You need:".
        inside: The admonition or quote that it stands in, as "warning" or "quote".
        caption: Of a row or code, the caption above it.
        header: Of a row, the names of the columns; empty if the table has none.
        cells: Of a row, where its cells are; of a definition, its term and its meaning.
    """

    kind: BlockKind
    start: int
    end: int
    level: int = 0
    group: int = 0
    language: str = ""
    lead: str = ""
    inside: str = ""
    caption: str = ""
    header: tuple[str, ...] = ()
    cells: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class PlainView:
    """What a reader sees of a document.

    Attributes:
        text: The plain text; blocks are parted by empty lines, cells by " | ".
        blocks: Its blocks, in order.
        pieces: The map to the raw text, in the order of the plain text.
        declared: The title that the front matter gives; empty if it gives none.
    """

    text: str
    blocks: tuple[Block, ...]
    pieces: Sequence[Piece]
    declared: str = ""

    @property
    def title(self) -> str:
        """The title: that of the front matter, else the first heading of level 1; or empty."""
        heading = next((block for block in self.blocks if block.kind == "title"), None)
        return self.declared or (self.block_text(heading) if heading is not None else "")

    def block_text(self, block: Block) -> str:
        """Return the text of a block."""
        return self.text[block.start : block.end]

    def block_at(self, offset: int) -> int | None:
        """Return the number of the block at a place of the plain text; of a gap, the next one.

        `None` behind the last block.
        """
        number = bisect_right(self.blocks, offset, key=attrgetter("end"))
        return number if number < len(self.blocks) else None

    @cached_property
    def headings(self) -> tuple[tuple[str, ...], ...]:
        """For each block the headings above it, outermost first; for a heading, itself too."""
        above: list[tuple[int, str]] = []
        path: tuple[str, ...] = ()
        paths: list[tuple[str, ...]] = []
        for block in self.blocks:
            if block.kind in {"heading", "title"}:
                above = [entry for entry in above if entry[0] < block.level]
                above.append((block.level, self.block_text(block)))
                path = tuple(text for _, text in above)
            paths.append(path)
        return tuple(paths)

    @cached_property
    def utterances(self) -> tuple[Utterance, ...]:
        """Who says what, if it is a transcript; none of any other text."""
        runs: dict[int, tuple[int, int]] = {}
        above = 0
        for block in self.blocks:
            if block.kind in {"heading", "title"}:
                above += 1
            elif block.kind == "paragraph":
                start, _ = runs.get(above, (block.start, 0))
                runs[above] = start, block.end
        return utterances_in(self.text, tuple(runs.values()))

    def speaker_at(self, offset: int) -> str:
        """Return who says what stands at a place of the plain text; empty if that is not told.

        Empty, too, where the place is the speaker's name itself.
        """
        number = bisect_right(self.utterances, offset, key=lambda said: said.start) - 1
        if number < 0:
            return ""
        said = self.utterances[number]
        return said.speaker if said.start + len(said.speaker) < offset < said.end else ""

    def cell_texts(self, block: Block) -> tuple[str, ...]:
        """Return the texts of the cells of a row, or the term and the meaning of a definition."""
        return tuple(self.text[start:end] for start, end in block.cells)

    def raw_span(self, start: int, end: int) -> tuple[int, int]:
        """Return the part of the raw text that shows a span of the plain text.

        Args:
            start: First character in the plain text.
            end: One past the last; an empty span gives an empty span.

        Returns:
            The smallest span of the raw text with all of it. In a table whose cells run over
            several lines, it also holds what stands between the lines of a cell.
        """
        if not self.pieces:
            return 0, 0
        first = max(0, bisect_right(self.pieces, start, key=attrgetter("start")) - 1)
        last = max(first + 1, bisect_left(self.pieces, end, key=attrgetter("start")))
        if start >= end:
            low = _raw_part(self.pieces[first], start, end)[0]
            return low, low
        parts = [_raw_part(piece, start, end) for piece in self.pieces[first:last]]
        return min(low for low, _ in parts), max(high for _, high in parts)

    def plain_span(self, start: int, end: int) -> tuple[int, int] | None:
        """Return the part of the plain text that a span of the raw text shows.

        Args:
            start: First character in the raw text.
            end: One past the last.

        Returns:
            The smallest span of the plain text with every character of which a part is in the
            span; `None` if no reader sees any of it.
        """
        pieces = self.pieces
        if self._ordered:
            low = bisect_right(pieces, start, key=attrgetter("raw_end"))
            pieces = pieces[low : bisect_left(pieces, end, low, key=attrgetter("raw_start"))]
        parts = [
            _plain_part(p, start, end) for p in pieces if p.raw_start < end and start < p.raw_end
        ]
        if not parts:
            return None
        return min(low for low, _ in parts), max(high for _, high in parts)

    @cached_property
    def _ordered(self) -> bool:
        """Whether the pieces stand in the same order in the raw text."""
        return all(
            piece.raw_end <= following.raw_start for piece, following in pairwise(self.pieces)
        )


def _raw_part(piece: Piece, start: int, end: int) -> tuple[int, int]:
    """Return the raw part of a piece, cut to a span of the plain text."""
    if not piece.exact:
        return piece.raw_start, piece.raw_end
    low = min(max(start, piece.start), piece.end)
    high = min(max(end, low), piece.end)
    return piece.raw_start + low - piece.start, piece.raw_start + high - piece.start


def _plain_part(piece: Piece, start: int, end: int) -> tuple[int, int]:
    """Return the plain part of a piece, cut to a span of the raw text."""
    if not piece.exact:
        return piece.start, piece.end
    low, high = max(start, piece.raw_start), min(end, piece.raw_end)
    return piece.start + low - piece.raw_start, piece.start + high - piece.raw_start
