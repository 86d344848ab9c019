"""Blocks: the lines of a document as headings, paragraphs, list items and table rows.

Every block knows its exact place; nothing is rewritten. Markdown is understood, and plain text
with numbered or capital-letter headings.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

__all__ = ["Block", "Kind", "blocks_of"]

Kind = Literal["heading", "paragraph", "item", "row", "rule", "code"]

_HEADING = re.compile(r"(?P<marks>#{1,6})\s+(?P<text>.*?)\s*#*$")
_NUMBERED = re.compile(r"\d+(?:\.\d+)*\.?\s+(?P<text>[^\W\d_][^.!?。]{1,70})$")
_CAPITALS = re.compile(r"(?P<text>[^\Wa-z_][^a-z.!?。\u3040-\u9fff]{3,70})$")
_ITEM = re.compile(r"\s*(?:[-*+•・]|\d{1,2}[.)])\s+(?P<text>\S.*)$")
_ROW = re.compile(r"\s*\|.*\|\s*$")
_RULE = re.compile(r"\s*\|?[\s:|-]*-{3,}[\s:|-]*$")
_FENCE = re.compile(r"\s*(?:```|~~~)")


@dataclass(frozen=True, slots=True)
class Block:
    """One block: what it is and where its text lies, marks left out."""

    kind: Kind
    start: int
    end: int
    level: int = 0


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
    lines = list(_lines(text))
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
        block = _fenced(line) if fenced else _block(line, following)
        if block.kind == "paragraph" and open_paragraph:
            blocks[-1] = Block("paragraph", blocks[-1].start, block.end)
        else:
            blocks.append(block)
        open_paragraph = block.kind == "paragraph"
    return blocks


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for line in text.splitlines(keepends=True):
        yield _Line(start, line.rstrip())
        start += len(line)


def _fenced(line: _Line) -> Block:
    return Block("code", line.start, line.start + len(line.text))


def _block(line: _Line, following: str) -> Block:
    if match := _HEADING.match(line.text):
        return _at("heading", line, match, level=len(match["marks"]))
    if _ROW.match(line.text) or _RULE.match(line.text):
        kind: Kind = "rule" if _RULE.match(line.text) else "row"
        return Block(kind, line.start, line.start + len(line.text))
    if following.strip() and not _ITEM.match(following) and (match := _NUMBERED.match(line.text)):
        return _at("heading", line, match, level=2)
    if match := _ITEM.match(line.text):
        return _at("item", line, match)
    if match := _CAPITALS.match(line.text):
        return _at("heading", line, match, level=1)
    lead = len(line.text) - len(line.text.lstrip())
    return Block("paragraph", line.start + lead, line.start + len(line.text))


def _at(kind: Kind, line: _Line, match: re.Match[str], *, level: int = 0) -> Block:
    return Block(kind, line.start + match.start("text"), line.start + match.end("text"), level)
