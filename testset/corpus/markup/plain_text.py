"""Plain text: headings in capitals or with numbers, lists, tables with bars, as people type them.

What has a fence or a heading of Markdown is read as that; see `plain_view_of`.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from testset.corpus.markup.lines import NO_LINE, LineWriter, Row
from testset.corpus.markup.marks import patterns_of
from testset.corpus.plain import PlainView
from testset.corpus.source import BREAK, Line, Part, Source, lines_of

_MARKS = patterns_of("plain_text")

_GOES_ON = tuple(",;、，；-–")
_WRAPPED_WIDTH = 40
"""Columns from which lines that are filled up are taken for wrapped prose."""


def read_plain_text(text: str) -> PlainView:
    r"""Return the plain view of a text without markup.

    Example:
        >>> view = read_plain_text("1. VENTS\nOpen both\nvents.\n\n- one\n- two\n")
        >>> [(block.kind, view.block_text(block)) for block in view.blocks]
        [('heading', 'VENTS'), ('paragraph', 'Open both vents.'), ('item', 'one'), ('item', 'two')]
    """
    writer, lines, at = LineWriter(_joined), lines_of(text), 0
    while at < len(lines):
        at = at + 1 if lines[at].blank else _write(writer, lines, at)
    return writer.view()


def _write(writer: LineWriter, lines: Sequence[Line], at: int) -> int:
    """Write the block that begins at a line, and return the line after it."""
    line, following = lines[at], range(at + 1, len(lines))
    level, match = _alone(lines, at)
    in_table = _in_table(line)
    writer.nest(int(match is not None and not level and not in_table))
    if in_table:
        end = next((n for n in following if not _in_table(lines[n])), len(lines))
        writer.table(_rows(lines[at:end]))
        return end
    if match is None:
        end = next((n for n in following if _ends_paragraph(lines, n)), len(lines))
        writer.text(lines[at:end])
        return end
    shown = line.cut(*match.span("text"))
    if level:
        writer.heading(shown, level)
    else:
        with writer.item():
            writer.text([shown])
    return at + 1


def _alone(lines: Sequence[Line], at: int) -> tuple[int, re.Match[str] | None]:
    """Return the level of a heading, or 0 of a list item, if a line is one, and its text."""
    text = lines[at].text
    following = lines[at + 1].text if at + 1 < len(lines) else ""
    if (
        following.strip()
        and not _MARKS["item"].match(following)
        and (match := _MARKS["numbered"].match(text))
    ):
        return 2, match
    if match := _MARKS["item"].match(text):
        return 0, match
    return 1, _MARKS["capitals"].match(text)


def _ends_paragraph(lines: Sequence[Line], at: int) -> bool:
    return lines[at].blank or _in_table(lines[at]) or _alone(lines, at)[1] is not None


def _in_table(line: Line) -> bool:
    return bool(_MARKS["row"].match(line.text) or _MARKS["rule"].match(line.text))


def _rows(lines: Sequence[Line]) -> Iterator[Row]:
    """Yield the rows of a table; the one above a rule names the columns."""
    for line, following in zip(lines, [*lines[1:], NO_LINE], strict=True):
        if not _MARKS["rule"].match(line.text):
            bars = [match.start() for match in re.finditer(r"\|", line.text)]
            cells = [[line.cut(low + 1, high)] for low, high in pairwise(bars)]
            yield cells, _MARKS["rule"].match(following.text) is not None


def _joined(source: Source) -> Iterator[Part]:
    """Yield the lines of a block, those that were wrapped joined."""
    width = max((_width(line.text) for line in source.lines), default=0)
    pairs = pairwise(source.lines)
    for part in source.parts():
        if part.text == "\n":
            before, after = next(pairs)
            if not _goes_on(before.text, after.text, width):
                part = part._replace(text=BREAK)
        yield part


def _goes_on(before: str, after: str, width: int) -> bool:
    """Return whether a line was wrapped: it ends in a sentence, or its next word had no room."""
    if after[0].islower() or before.endswith(_GOES_ON):
        return True
    word = after[0] if _MARKS["wide"].match(after) else after.split(maxsplit=1)[0]
    return width >= _WRAPPED_WIDTH and _width(before) + _width(word) + 1 > width


def _width(text: str) -> int:
    """Return how many columns a text takes; a Chinese or Japanese character takes two."""
    return len(text) + len(_MARKS["wide"].findall(text))
