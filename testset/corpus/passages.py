"""Passages: the parts of a document that questions are planned on.

A document is a list of blocks: headings, paragraphs, list items and table rows, each at its exact
place. Markdown is understood, and plain text with numbered or capital-letter headings. A passage
is a run of blocks under one heading, not longer than `PASSAGE_SIZE` characters unless one block
alone is. It lies at exact offsets, and knows the headings above it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from llamaindex_rag_eval.judge.rules.sentences import sentence_spans
from llamaindex_rag_eval.judge.rules.tokens import Language, language_of
from testset.corpus.documents import SourceDocument
from testset.corpus.lexicon import Lexicon

__all__ = ["Block", "BlockKind", "Passage", "Sentence", "blocks_of", "passages_of"]

PASSAGE_SIZE = 1200
"""Characters of a passage, about as many as a retrieved chunk has."""
LANGUAGE_LENGTH = 200
"""Characters from which a language is recognised; a shorter passage has that of its document."""

BlockKind = Literal["heading", "paragraph", "item", "row", "rule", "code"]
TABLE: frozenset[BlockKind] = frozenset({"row", "rule"})
"""Kinds of the lines of a table; a rule is the line of dashes in it, or one that stands alone."""


@dataclass(frozen=True, slots=True)
class Block:
    """One block: its kind and where its text is, without the marks of Markdown."""

    kind: BlockKind
    start: int
    end: int
    level: int = 0


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a paragraph or list item, at its place in the document."""

    text: str
    start: int
    end: int
    first: bool = False
    """Whether it opens its passage, so that nothing before it can be referred to."""


@dataclass(frozen=True)
class Passage:
    """A part of a document.

    Attributes:
        document: The document.
        start: Its first character in the document.
        end: One past its last.
        headings: The headings above it, outermost first.
        blocks: Its blocks, headings left out.
        language: The language of the passage.
        lexicon: The names and common words of the documents.
    """

    document: SourceDocument
    start: int
    end: int
    headings: tuple[str, ...]
    blocks: tuple[Block, ...]
    language: Language
    lexicon: Lexicon = field(default_factory=Lexicon)

    @property
    def text(self) -> str:
        """The text of the passage."""
        return self.document.text[self.start : self.end]

    def block_text(self, block: Block) -> str:
        """Return the text of one of its blocks."""
        return self.document.text[block.start : block.end]

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences of its paragraphs and list items, in order."""
        return tuple(self._sentences())

    def _sentences(self) -> Iterator[Sentence]:
        first = True
        for block in self.blocks:
            if block.kind not in {"paragraph", "item"}:
                continue
            text = self.block_text(block)
            for start, end in sentence_spans(text):
                yield Sentence(text[start:end], block.start + start, block.start + end, first)
                first = False


def passages_of(document: SourceDocument, lexicon: Lexicon | None = None) -> list[Passage]:
    """Return the passages of a document in order; none if it holds only headings."""
    lexicon = lexicon or Lexicon.of([document.text])
    return [_passage(document, headings, run, lexicon) for headings, run in _runs_of(document.text)]


def _runs_of(text: str) -> Iterator[tuple[tuple[str, ...], tuple[Block, ...]]]:
    """Yield the blocks of each passage, after the headings above them."""
    headings: list[tuple[int, str]] = []
    run: list[Block] = []
    for block in blocks_of(text):
        if run and (block.kind == "heading" or _is_full(run, block)):
            yield tuple(title for _, title in headings), tuple(run)
            run = []
        if block.kind == "heading":
            headings = [entry for entry in headings if entry[0] < block.level]
            headings.append((block.level, text[block.start : block.end]))
        else:
            run.append(block)
    if run:
        yield tuple(title for _, title in headings), tuple(run)


def _is_full(run: Sequence[Block], following: Block) -> bool:
    """Return whether a passage ends before a block; a table stays with what is around it."""
    if following.kind in TABLE or run[-1].kind in TABLE:
        return False
    return following.end - run[0].start > PASSAGE_SIZE


def _passage(
    document: SourceDocument, headings: tuple[str, ...], run: tuple[Block, ...], lexicon: Lexicon
) -> Passage:
    start, end = run[0].start, run[-1].end
    sample = document.text[start:end] if end - start >= LANGUAGE_LENGTH else document.text
    return Passage(document, start, end, headings, run, language_of(sample), lexicon)


_HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<text>.*?)\s*#*$")
_NUMBERED = re.compile(r"\d+(?:\.\d+)*\.?\s+(?P<text>[^\W\d_][^.!?。]{1,70})$")
_CAPITALS = re.compile(r"(?P<text>[^\Wa-z_][^a-z.!?。\u3040-\u9fff]{3,70})$")
_ITEM = re.compile(r"\s*(?:[-*+•・]|\d{1,2}[.)])\s+(?P<text>\S.*)$")
_ROW = re.compile(r"\s*\|.*\|\s*$")
_RULE = re.compile(r"\s*\|?[\s:|-]*-{3,}[\s:|-]*$")
_FENCE = re.compile(r"\s*(?:```|~~~)")


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    text: str


def blocks_of(text: str) -> list[Block]:
    r"""Return the blocks of a text in order.

    Example:
        >>> text = "# T\n\nOne\ntwo.\n- a"
        >>> [(block.kind, text[block.start : block.end]) for block in blocks_of(text)]
        [('heading', 'T'), ('paragraph', 'One\ntwo.'), ('item', 'a')]
    """
    lines = list(_lines_of(text))
    blocks: list[Block] = []
    open_paragraph = fenced = False
    for number, line in enumerate(lines):
        following = lines[number + 1].text if number + 1 < len(lines) else ""
        if _FENCE.match(line.text):
            fenced, open_paragraph = not fenced, False
            continue
        if not line.text.strip():
            open_paragraph = False
            continue
        block = _code_block(line) if fenced else _block_of(line, following)
        if block.kind == "paragraph" and open_paragraph:
            blocks[-1] = Block("paragraph", blocks[-1].start, block.end)
        else:
            blocks.append(block)
        open_paragraph = block.kind == "paragraph"
    return blocks


def _lines_of(text: str) -> Iterator[_Line]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield _Line(start, line.rstrip())
        start += len(line)


def _code_block(line: _Line) -> Block:
    return Block("code", line.start, line.start + len(line.text))


def _block_of(line: _Line, following: str) -> Block:
    if match := _HEADING.match(line.text):
        return _matched_block("heading", line, match, level=len(match["marks"]))
    if _ROW.match(line.text) or _RULE.match(line.text):
        kind: BlockKind = "rule" if _RULE.match(line.text) else "row"
        return Block(kind, line.start, line.start + len(line.text))
    if following.strip() and not _ITEM.match(following) and (match := _NUMBERED.match(line.text)):
        return _matched_block("heading", line, match, level=2)
    if match := _ITEM.match(line.text):
        return _matched_block("item", line, match)
    if match := _CAPITALS.match(line.text):
        return _matched_block("heading", line, match, level=1)
    lead = len(line.text) - len(line.text.lstrip())
    return Block("paragraph", line.start + lead, line.start + len(line.text))


def _matched_block(kind: BlockKind, line: _Line, match: re.Match[str], *, level: int = 0) -> Block:
    return Block(kind, line.start + match.start("text"), line.start + match.end("text"), level)
