"""Writing a plain view: readers of formats hand over parts of the raw text, in order."""

import re
from collections.abc import Iterable, Sequence
from typing import Any

from testset.corpus.plain import LEAD_END, Block, BlockKind, Piece, PlainView
from testset.corpus.source import Part, squeezed

_LETTER = re.compile(r"\s*\(?(?:[a-zA-Z]|[ivxIVX]{2,5})[.)]\s")
"""The letter or the Roman number of an item that is typed as a paragraph, as "b) the deposit"."""


class ViewWriter:
    """Collects blocks and pieces of a plain view.

    Attributes:
        declared: The title that the document names outside its text.
        inside: The admonition or quote that the blocks to come stand in.
        fresh_item: Whether the text to come begins an item of the innermost list.
    """

    def __init__(self) -> None:
        self.declared = self.inside = ""
        self.fresh_item = False
        self._lists: list[tuple[int, str]] = []
        self._tables: list[tuple[int, tuple[str, ...]]] = []
        self._blocks: list[Block] = []
        self._texts: list[str] = []
        self._pieces: list[Piece] = []
        self._groups = self._length = self._raw_end = self._last = 0

    def view(self) -> PlainView:
        """Return what was written."""
        return PlainView("".join(self._texts), tuple(self._blocks), self._pieces, self.declared)

    def open_list(self) -> None:
        """Begin a list, or one within an item; both are of one group."""
        self._lists.append((self.group or self._new_group(), self._lead()))

    def close_list(self) -> None:
        """End the innermost list."""
        del self._lists[-1:]

    def open_table(self) -> None:
        """Begin a table."""
        self._tables.append((self._new_group(), ()))

    def close_table(self) -> None:
        """End the innermost table."""
        del self._tables[-1:]

    @property
    def empty(self) -> bool:
        """Whether nothing is written yet."""
        return not self._blocks

    @property
    def depth(self) -> int:
        """How many lists are open."""
        return len(self._lists)

    @property
    def group(self) -> int:
        """The number of the list that is open; 0 for none."""
        return self._lists[-1][0] if self._lists else 0

    def write_running(self, parts: Iterable[Part], kind: BlockKind = "paragraph") -> None:
        """Write running text: of an item if one begins, else a block of a kind."""
        if not self._lists or not self.fresh_item:
            parts = list(parts)
            lead = self._lead_of("".join(part.text for part in parts))
            self.write(kind, parts, group=self.group, lead=lead)
            return
        group, lead = self._lists[-1]
        count = len(self._blocks)
        self.write("item", parts, level=self.depth, group=group, lead=lead)
        self.fresh_item = len(self._blocks) == count

    def write_row(
        self, cells: Iterable[Iterable[Part]], *, is_head: bool, caption: str = ""
    ) -> None:
        """Write a row of the innermost table; the first that may name the columns does."""
        group, header = self._tables[-1] if self._tables else (0, ())
        texts = self.write_cells("row", cells, group=group, header=header, caption=caption)
        if self._tables and is_head and not header and any(texts):
            self._tables[-1] = group, texts

    def write(self, kind: BlockKind, parts: Iterable[Part], **fields: Any) -> None:
        """Write a block of running text, with fields of a `Block`; nothing if it is blank."""
        self._write(kind, [list(squeezed(parts))], **fields)

    def write_code(self, lines: Sequence[Sequence[Part]], **fields: Any) -> None:
        """Write a block of code, its blanks kept; empty lines around it go."""
        full = [n for n, line in enumerate(lines) if any(part.text.strip() for part in line)]
        shown = [[part for part in line if part.text] for line in lines]
        self._write("code", shown[full[0] : full[-1] + 1] if full else [], "\n", **fields)

    def write_cells(
        self,
        kind: BlockKind,
        cells: Iterable[Iterable[Part]],
        *,
        between: str = " | ",
        **fields: Any,
    ) -> tuple[str, ...]:
        """Write a row, or a definition, and return the texts of its cells."""
        texts = [list(squeezed(cell)) for cell in cells]
        self._write(kind, texts, between, with_cells=True, **fields)
        return tuple("".join(part.text for part in text) for text in texts)

    def _new_group(self) -> int:
        self._groups += 1
        return self._groups

    def _lead(self) -> str:
        """Return the paragraph just written if it introduces a list; else an empty text."""
        if not self._blocks or self._blocks[-1].kind not in {"paragraph", "item"}:
            return ""
        text = "".join(self._texts[self._last :]).lstrip("\n")
        return text if text.endswith(LEAD_END) else ""

    def _lead_of(self, text: str) -> str:
        """Return what introduces a paragraph that is typed as an item of a list; else empty."""
        if not self._blocks or not _LETTER.match(text):
            return ""
        before = self._blocks[-1]
        return self._lead() or (before.lead if before.kind == "paragraph" else "")

    def _write(
        self,
        kind: BlockKind,
        runs: Sequence[Sequence[Part]],
        between: str = "",
        *,
        with_cells: bool = False,
        **fields: Any,
    ) -> None:
        """Write a block of runs of text; what parts it from the last waits for its first part."""
        if not any(runs):
            return
        gap = "\n\n" if self._blocks else ""
        start, self._last = self._length + len(gap), len(self._texts)
        spans: list[tuple[int, int]] = []
        for run in runs:
            if run and gap:
                low = run[0].raw_start
                self._add(Part(gap, min(self._raw_end, low), low, replaced=True))
                gap = ""
            first = max(start, self._length)
            for part in run:
                self._add(part)
                self._raw_end = part.raw_end
            spans.append((first, max(start, self._length)))
            gap += between if self._length > start else ""
        if kind == "heading" and fields["level"] == 1 and not self._titled:
            kind = "title"
        fields["inside"] = self.inside
        cells = tuple(spans) if with_cells else ()
        self._blocks.append(Block(kind, start, self._length, cells=cells, **fields))

    @property
    def _titled(self) -> bool:
        return any(block.kind == "title" for block in self._blocks)

    def _add(self, part: Part) -> None:
        """Add a piece, or lengthen the last one if the part goes on where it ends."""
        last, end = self._pieces[-1] if self._pieces else None, self._length + len(part.text)
        exact = not part.replaced and len(part.text) == part.raw_end - part.raw_start
        if last is not None and exact and last.exact and last.raw_end == part.raw_start:
            self._pieces[-1] = last._replace(raw_end=part.raw_end, end=end)
        else:
            self._pieces.append(Piece(self._length, part.raw_start, part.raw_end, exact, end))
        self._texts.append(part.text)
        self._length = end
