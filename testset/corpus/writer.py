"""Writing a plain view: readers of formats hand over parts of the raw text, in order."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from testset.corpus.plain import Block, BlockKind, Piece, PlainView
from testset.corpus.source import Line, Part, Source, squeezed

_LEAD_END = (":", "：")


class ViewWriter:
    """Collects blocks and pieces of a plain view."""

    def __init__(self) -> None:
        self.blocks: list[Block] = []
        self.declared = ""
        self.groups = 0
        self.inside = ""
        self._texts: list[str] = []
        self._pieces: list[Piece] = []
        self._length = 0
        self._raw_end = 0
        self._parting = self._titled = False

    def view(self) -> PlainView:
        """Return what was written."""
        return PlainView("".join(self._texts), tuple(self.blocks), self._pieces, self.declared)

    def new_group(self) -> int:
        """Return the number of a new list or table."""
        self.groups += 1
        return self.groups

    def write(
        self,
        kind: BlockKind,
        parts: Iterable[Part],
        *,
        level: int = 0,
        group: int = 0,
        lead: str = "",
        inside: str = "",
        caption: str = "",
    ) -> None:
        """Write a block of running text; nothing if it is blank."""
        self._open()
        start = self._length
        for part in squeezed(parts):
            self._put(part)
        block = Block(
            kind,
            start,
            self._length,
            level=level,
            group=group,
            lead=lead,
            inside=inside or self.inside,
            caption=caption,
        )
        self._close(block)

    def write_code(
        self, lines: Sequence[Line], *, language: str = "", group: int = 0, caption: str = ""
    ) -> None:
        """Write a block of code, its blanks kept."""
        parts = [Source([line]).parts() for line in lines]
        self.write_code_parts(parts, language=language, group=group, caption=caption)

    def write_code_parts(
        self,
        lines: Sequence[Sequence[Part]],
        *,
        language: str = "",
        group: int = 0,
        caption: str = "",
    ) -> None:
        """Write a block of code whose lines are given in parts; empty lines around it go."""
        full = [n for n, line in enumerate(lines) if any(part.text.strip() for part in line)]
        if not full:
            return
        self._open()
        start = self._length
        breaks = 0
        for line in lines[full[0] : full[-1] + 1]:
            shown = [part for part in line if part.text]
            if breaks and shown:
                self._add(self._gap("\n" * breaks, shown[0]), self._length, exact=False)
                self._length += breaks
                breaks = 0
            for part in shown:
                self._put(part)
            breaks += 1
        block = Block(
            "code",
            start,
            self._length,
            group=group,
            language=language.casefold(),
            inside=self.inside,
            caption=caption,
        )
        self._close(block)

    def write_cells(
        self,
        kind: BlockKind,
        cells: Sequence[Iterable[Part]],
        *,
        between: str = " | ",
        group: int = 0,
        header: tuple[str, ...] = (),
        caption: str = "",
    ) -> tuple[str, ...]:
        """Write a row, or a definition, and return the texts of its cells."""
        self._open()
        start, spans, texts, parting = self._length, list[tuple[int, int]](), list[str](), ""
        for number, cell in enumerate(cells):
            parting += between if number else ""
            parts = list(squeezed(cell))
            if parts and parting and self._length > start:
                self._add(self._gap(parting, parts[0]), self._length, exact=False)
                self._length += len(parting)
            parting = "" if parts else parting
            low = self._length
            for part in parts:
                self._put(part)
            spans.append((low, self._length))
            texts.append("".join(part.text for part in parts))
        if any(texts):
            found = Block(
                kind,
                start,
                self._length,
                group=group,
                inside=self.inside,
                caption=caption,
                header=header,
                cells=tuple(spans),
            )
            self._close(found)
        else:
            self._undo(start)
        return tuple(texts)

    def lead(self) -> str:
        """Return the paragraph just written if it introduces a list; else an empty text."""
        if not self.blocks or self.blocks[-1].kind not in {"paragraph", "item"}:
            return ""
        text = self._tail(self.blocks[-1])
        return text if text.endswith(_LEAD_END) else ""

    def _tail(self, block: Block) -> str:
        """Return the text of the last block without joining all that was written."""
        found: list[str] = []
        length, wanted = 0, self._length - block.start
        for text in reversed(self._texts):
            found.append(text)
            length += len(text)
            if length >= wanted:
                break
        return "".join(reversed(found))[length - wanted :]

    def _open(self) -> None:
        """Note where a block begins, and that what parts it from the last is not written yet."""
        self._parting = bool(self.blocks)
        if self._parting:
            self._length += len("\n\n")

    def _put(self, part: Part) -> None:
        """Add a part, after what parts its block from the one before."""
        if self._parting:
            self._add(self._gap("\n\n", part), self._length - len("\n\n"), exact=False)
            self._parting = False
        same = not part.replaced and len(part.text) == part.raw_end - part.raw_start
        self._add(part, self._length, exact=same)
        self._length += len(part.text)
        self._raw_end = part.raw_end

    def _gap(self, text: str, following: Part) -> Part:
        """Return the part for a text that stands for nothing but marks before another part."""
        return Part(text, min(self._raw_end, following.raw_start), following.raw_start)

    def _add(self, part: Part, start: int, *, exact: bool) -> None:
        """Add a piece, or lengthen the last one if the part goes on where it ends."""
        last = self._pieces[-1] if self._pieces else None
        if last is not None and exact and last.exact and last.raw_end == part.raw_start:
            self._pieces[-1] = last._replace(raw_end=part.raw_end)
        else:
            self._pieces.append(Piece(start, part.raw_start, part.raw_end, exact))
        self._texts.append(part.text)

    def _close(self, block: Block) -> None:
        if block.end == block.start:
            self._undo(block.start)
            return
        if block.kind == "heading" and block.level == 1 and not self._titled:
            block, self._titled = replace(block, kind="title"), True
        self.blocks.append(block)

    def _undo(self, start: int) -> None:
        """Take back a block without text."""
        if self._parting:
            self._length = start - len("\n\n")
            self._parting = False
