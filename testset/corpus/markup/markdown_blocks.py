"""The reader of blocks: what markdown-it-py finds in lines of Markdown becomes a plain view."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from markdown_it.token import Token

from testset.corpus.markup.html import write_html
from testset.corpus.markup.lines import LineWriter
from testset.corpus.plain import BlockKind
from testset.corpus.source import Line, Part, Source

_CHANGES = {
    **dict.fromkeys(("bullet_list_open", "ordered_list_open"), LineWriter.open_list),
    **dict.fromkeys(("bullet_list_close", "ordered_list_close"), LineWriter.close_list),
    "table_open": LineWriter.open_table,
    "table_close": LineWriter.close_table,
}
"""Type of a token -> what it changes."""
_MEANING = re.compile(r"\s*:[ \t]+")


class PageLine(NamedTuple):
    """A line of a document.

    Attributes:
        line: The line, which keeps the place of its text in the raw text.
        shape: What the parser of blocks reads of it.
        inside: The admonition or quote that it stands in, or an empty text.
        kind: The kind of the block that begins there, if it is running text.
    """

    line: Line
    shape: str
    inside: str
    kind: BlockKind = "paragraph"


class BlockReader:
    """Writes the blocks of a document as their tokens come.

    Args:
        writer: Takes the blocks.
        page: The lines of the document.
        raw: The text of the document, where pages of HTML may stand in it.
    """

    def __init__(self, writer: LineWriter, page: Sequence[PageLine], raw: str) -> None:
        self.writer, self.page, self.raw = writer, page, raw
        self.open: list[str] = []
        self.level = 0
        self.row: list[Token] = []
        self.line = self.end = 0

    def run(self, tokens: Sequence[Token]) -> None:
        """Write all blocks."""
        for token in tokens:
            if token.map is not None:
                self.line, self.end = token.map
                quoted = "quote" if "blockquote_open" in self.open else ""
                self.writer.inside = self.page[self.line].inside or quoted
            if change := _CHANGES.get(token.type):
                change(self.writer)
            elif handler := getattr(self, f"_on_{token.type}", None):
                handler(token)
            elif token.nesting > 0:
                self.open.append(token.type)
            elif token.nesting < 0 and self.open:
                self.open.pop()

    def _on_heading_open(self, token: Token) -> None:
        self.level = int(token.tag[1:])

    def _on_heading_close(self, _: Token) -> None:
        self.level = 0

    def _on_list_item_open(self, token: Token) -> None:
        self.writer.fresh_item = token.nesting > 0

    _on_list_item_close = _on_list_item_open

    def _on_tr_open(self, _: Token) -> None:
        self.row = []

    def _on_tr_close(self, _: Token) -> None:
        contents = [token.content for token in self.row]
        cells = map(self.writer.inline, _cells_of(self.page[self.line].line, contents))
        self.writer.write_row(map(_unescaped, cells), is_head=True)

    def _on_inline(self, token: Token) -> None:
        if self.open and self.open[-1] in {"th_open", "td_open"}:
            self.row.append(token)
            return
        source = Source(list(self._text_of(self.line, token.content)))
        if self.level:
            self.writer.write("heading", self.writer.inline(source), level=self.level)
        elif starts := self._meanings(source):
            self._define(source.lines, starts)
        else:
            self.writer.write_running(self.writer.inline(source), self.page[self.line].kind)

    def _meanings(self, source: Source) -> list[int]:
        """Return the lines of a paragraph, no item, that say what those above them mean."""
        if self.writer.group and self.writer.fresh_item:
            return []
        rows = self.page[self.line : self.line + len(source.lines)]
        return [n for n, row in enumerate(rows) if n and _MEANING.match(row.shape)]

    def _define(self, lines: Sequence[Line], starts: Sequence[int]) -> None:
        """Write the terms of a paragraph with the lines that say what they mean."""
        for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
            mark = _MEANING.match(lines[start].text)
            meaning = [lines[start].cut(mark.end() if mark else 0), *lines[start + 1 : end]]
            cells = [self.writer.inline(Source(part)) for part in (lines[: starts[0]], meaning)]
            self.writer.write_cells("definition", cells, between=": ", group=self.writer.group)

    def _on_fence(self, token: Token) -> None:
        lines = self._text_of(self.line + 1, token.content.removesuffix("\n"))
        self.writer.code(lines, token.info)

    def _on_code_block(self, token: Token) -> None:
        self.writer.code(self._text_of(self.line, token.content.removesuffix("\n")))

    def _on_html_block(self, _: Token) -> None:
        first, last = self.page[self.line].line, self.page[self.end - 1].line
        write_html(self.raw, self.writer, first.start, last.start + len(last.text))

    def _text_of(self, first: int, content: str) -> Iterator[Line]:
        """Yield the lines of a token's content, each without the marks of the blocks around it."""
        texts = content.split("\n")
        rows = self.page[first : first + len(texts)]
        for (line, shape, *_), text in zip(rows, texts, strict=False):
            shown = text if text in shape else text.strip()
            at = shape.rfind(shown)
            yield line.cut(at, at + len(shown)) if at >= 0 else line.stripped()


def _unescaped(parts: Iterable[Part]) -> Iterator[Part]:
    """Yield the parts of a cell without the backslash before a pipe, which code would show."""
    for part in parts:
        low = part.raw_start
        for text in part.text.split("\\|"):
            if low > part.raw_start:
                text = "|" + text
            yield part if text == part.text else Part(text, low, low + len(text))
            low += len(text) + 1


def _cells_of(line: Line, contents: Sequence[str]) -> Iterator[Source]:
    r"""Yield the cells of a row of a table, in order; an escaped pipe belongs to its cell."""
    at = 0
    for content in contents:
        start, end = _place_of(content, line.text, at)
        yield Source([line.cut(start, end)])
        at = end


def _place_of(content: str, line: str, at: int) -> tuple[int, int]:
    """Return where the content of a cell stands in its line, or an empty span."""
    if "|" not in content:
        start = line.find(content, at)
        return (at, at) if start < 0 else (start, start + len(content))
    match = re.compile(r"\\?\|".join(map(re.escape, content.split("|")))).search(line, at)
    return (at, at) if match is None else match.span()
