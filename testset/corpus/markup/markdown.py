"""Markdown: CommonMark with tables, read by markdown-it-py, which knows the lines of each block.

On top of CommonMark: front matter, definition lists, footnotes, and the admonitions, attributes and
includes of MkDocs, Docusaurus, GitHub and Hugo.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from markdown_it.token import Token

from testset.corpus.markup.front_matter import write_front_matter
from testset.corpus.markup.html import write_html
from testset.corpus.markup.markdown_inline import markdown_parser, seen_in_markdown
from testset.corpus.plain import PlainView
from testset.corpus.source import Line, Part, Source, lines_of
from testset.corpus.writer import ViewWriter

_FENCE = re.compile(r"[ >]*(`{3,}|~{3,})")
_FENCED_NOTE = re.compile(
    r"\s*(?:/{3,}|:{3,})[ \t]*(?P<name>[\w-]*)(?=[\s|]|$)[ \t]*\|?[ \t]*(?P<title>.*)$"
)
_INDENTED_NOTE = re.compile(r'(?:!!!|\?\?\?\+?)[ \t]+(?P<name>[\w-]+)[ \t]*"?(?P<title>[^"]*)"?$')
_GENERATED = re.compile(r":::[ \t]+[\w.]+\.\w+[ \t]*$")
"""A line that mkdocstrings replaces; its options are indented below it."""
_MEANING = re.compile(r":[ \t]+")


def read_markdown(text: str) -> PlainView:
    r"""Return the plain view of a Markdown document.

    Example:
        >>> view = read_markdown("# Vents\n\nOpen **both** [vents](a.md)\nnow.\n")
        >>> view.text
        'Vents\n\nOpen both vents now.'
        >>> view.title, view.raw_span(7, 22)
        ('Vents', (9, 29))
    """
    writer = ViewWriter()
    lines = lines_of(text.replace("\0", "\ufffd"))
    body = write_front_matter(lines, writer)
    notes = _Notes.of(lines, body)
    source = "\n".join(notes.lines)
    env: dict[str, Any] = {}
    _Walk(writer, lines, notes, text).run(markdown_parser().parse(source, env), env)
    return writer.view()


@dataclass
class _Notes:
    """The lines without what CommonMark does not know, and the admonitions found.

    Attributes:
        lines: As many lines as the document has.
        inside: Number of a line -> the admonition that it stands in.
        titles: Number of a line -> the title of the admonition that begins there.
    """

    lines: list[str]
    inside: dict[int, str] = field(default_factory=dict)
    titles: dict[int, Line] = field(default_factory=dict)

    @classmethod
    def of(cls, lines: Sequence[Line], body: int) -> "_Notes":
        """Return the notes of a document whose text begins at a line."""
        found = cls([line.text for line in lines])
        found.lines[:body] = [""] * body
        found._read(lines, body)
        return found

    def _read(self, lines: Sequence[Line], body: int) -> None:
        fence, names, indented, generated = "", list[str](), "", False
        for number in range(body, len(lines)):
            text = lines[number].text
            if indented and text.strip() and not text.startswith(("    ", "\t")):
                indented = ""
            if indented:
                text = self.lines[number] = text.removeprefix("\t").removeprefix("    ")
            goes_on = generated and (not text.strip() or text.startswith((" ", "\t")))
            generated = not fence and (goes_on or bool(_GENERATED.match(text)))
            if generated:
                self.lines[number] = ""
                continue
            mark = _FENCE.match(text)
            if mark is not None and (not fence or mark[1].startswith(fence)):
                fence = "" if fence else mark[1]
            match = None if fence else _INDENTED_NOTE.match(text) or _FENCED_NOTE.match(text)
            if match is not None:
                self._begin(lines[number], number, match)
                is_indented = match.re is _INDENTED_NOTE
                indented = match["name"] if is_indented else indented
                names = names if is_indented else _opened(names, match["name"])
            name = indented or (names[-1] if names else "")
            if name:
                self.inside[number] = name.casefold()

    def _begin(self, line: Line, number: int, match: re.Match[str]) -> None:
        margin = line.text.rfind(match[0])
        self.lines[number] = ""
        if match["title"].strip():
            low, high = match.span("title")
            self.titles[number] = line.cut(margin + low, margin + high).stripped()


def _opened(names: list[str], name: str) -> list[str]:
    """Return the admonitions that are open after a mark: a name opens one, no name closes one."""
    return [*names, name] if name else names[:-1]


class _Walk:
    """Writes the blocks of a document as their tokens come."""

    def __init__(self, writer: ViewWriter, lines: Sequence[Line], notes: _Notes, raw: str) -> None:
        self.writer, self.lines, self.notes, self.raw = writer, lines, notes, raw
        self.open: list[str] = []
        self.lists: list[tuple[int, str]] = []
        self.fresh_item = False
        self.level = 0
        self.row: list[Token] = []
        self.line = 0
        self.header: tuple[str, ...] = ()
        self.table = 0
        self.env: dict[str, Any] = {}

    def run(self, tokens: Sequence[Token], env: dict[str, Any]) -> None:
        """Write all blocks."""
        self.env = env
        for token in tokens:
            if token.map is not None:
                self._set_inside(token.map[0])
            handler = getattr(self, f"_on_{token.type}", None)
            if handler is not None:
                handler(token)
            elif token.nesting > 0:
                self.open.append(token.type)
            elif token.nesting < 0 and self.open:
                self.open.pop()

    def _set_inside(self, line: int) -> None:
        for number in [number for number in self.notes.titles if number <= line]:
            self.writer.inside = self.notes.inside.get(number, "")
            title = self.notes.titles.pop(number)
            self.writer.write("admonition", self._inline(Source([title])))
        quoted = "quote" if "blockquote_open" in self.open else ""
        self.writer.inside = self.notes.inside.get(line, quoted)

    def _on_heading_open(self, token: Token) -> None:
        self.level = int(token.tag[1:])

    def _on_heading_close(self, token: Token) -> None:
        del token
        self.level = 0

    def _on_bullet_list_open(self, token: Token) -> None:
        del token
        group = self.lists[0][0] if self.lists else self.writer.new_group()
        self.lists.append((group, self.writer.lead()))

    _on_ordered_list_open = _on_bullet_list_open

    def _on_bullet_list_close(self, token: Token) -> None:
        del token
        self.lists.pop()

    _on_ordered_list_close = _on_bullet_list_close

    def _on_list_item_open(self, token: Token) -> None:
        del token
        self.fresh_item = True

    def _on_list_item_close(self, token: Token) -> None:
        del token
        self.fresh_item = False

    def _on_table_open(self, token: Token) -> None:
        del token
        self.table, self.header = self.writer.new_group(), ()

    def _on_tr_open(self, token: Token) -> None:
        self.row, self.line = [], token.map[0] if token.map else 0

    def _on_tr_close(self, token: Token) -> None:
        del token
        line = self.lines[self.line]
        cells = [
            _unescaped(self._inline(cell))
            for cell in _cells_of(line, [t.content for t in self.row])
        ]
        texts = self.writer.write_cells("row", cells, group=self.table, header=self.header)
        self.header = self.header or texts

    def _on_inline(self, token: Token) -> None:
        if self.open and self.open[-1] in {"th_open", "td_open"}:
            self.row.append(token)
            return
        if token.map is None:
            return
        source = self._source(token)
        if self.level:
            self.writer.write("heading", self._inline(source), level=self.level)
        elif self.lists and self.fresh_item:
            group, lead = self.lists[-1]
            depth = len(self.lists)
            parts = self._inline(source)
            self.writer.write("item", parts, level=depth, group=group, lead=lead)
            self.fresh_item = False
        elif any(_MEANING.match(line.text) for line in source.lines[1:]):
            self._define(source.lines)
        else:
            self.writer.write("paragraph", self._inline(source), group=self._group)

    @property
    def _group(self) -> int:
        return self.lists[-1][0] if self.lists else 0

    def _define(self, lines: Sequence[Line]) -> None:
        """Write the terms of a paragraph with the lines that say what they mean."""
        starts = [number for number, line in enumerate(lines) if _MEANING.match(line.text)]
        term = lines[: starts[0]]
        for number, start in enumerate(starts):
            end = starts[number + 1] if number + 1 < len(starts) else len(lines)
            first = lines[start]
            mark = _MEANING.match(first.text)
            meaning = [first.cut(mark.end() if mark else 0), *lines[start + 1 : end]]
            cells = [self._inline(Source(part)) for part in (term, meaning)]
            self.writer.write_cells("definition", cells, between=": ")

    def _on_fence(self, token: Token) -> None:
        if token.map is None:
            return
        words = re.split(r"[\s{,:]+", token.info.strip().lstrip("{."), maxsplit=1)
        self._code(token, token.map[0] + 1, words[0].rstrip("}"))

    def _on_code_block(self, token: Token) -> None:
        if token.map is not None:
            self._code(token, token.map[0], "")

    def _code(self, token: Token, first: int, language: str) -> None:
        content = token.content.split("\n")[:-1] if token.content else []
        lines = [
            _ending(self.lines[first + number], text)
            for number, text in enumerate(content)
            if first + number < len(self.lines)
        ]
        self.writer.write_code(lines, language=language, group=self._group)

    def _on_html_block(self, token: Token) -> None:
        if token.map is None:
            return
        first, last = self.lines[token.map[0]], self.lines[token.map[1] - 1]
        write_html(self.raw, self.writer, first.start, last.start + len(last.text))

    def _source(self, token: Token) -> Source:
        """Return the lines of a token, each without the marks of the blocks around it."""
        first = token.map[0] if token.map else 0
        texts = token.content.split("\n")
        if self.level and token.markup == "" and len(texts) == 1:
            return Source([_inside(self.lines[first], texts[0])])
        lines = [
            _ending(self.lines[first + number], text.strip())
            for number, text in enumerate(texts)
            if first + number < len(self.lines)
        ]
        return Source(lines)

    def _inline(self, source: Source) -> list[Part]:
        return list(seen_in_markdown(source, self.env))


def _ending(line: Line, text: str) -> Line:
    """Return the end of a line that a text is; the line without blanks if it is not."""
    for wanted in (text, text.strip()):
        body = line if line.text.endswith(wanted) else line.cut(0, len(line.text.rstrip()))
        if wanted and body.text.endswith(wanted):
            return body.cut(len(body.text) - len(wanted))
    return line.stripped() if text.strip() else line.cut(len(line.text))


def _inside(line: Line, text: str) -> Line:
    """Return the part of a heading's line that a text is."""
    at = line.text.find(text)
    return line.cut(at, at + len(text)) if at >= 0 else line.stripped()


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
