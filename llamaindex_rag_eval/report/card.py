"""The data card of a golden set, in a report: from its Markdown to headings, lists and tables.

Of Markdown only what data cards are written in is read: headings, lists, tables, paragraphs. All
else stays text, and is shown as text.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

__all__ = ["Block", "card_blocks"]

Kind = Literal["heading", "list", "paragraph", "table"]

_CELL = re.compile(r"((?:\\.|[^\\|])*)\|")
_RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")
_BEGINS: tuple[tuple[str, Kind], ...] = (("#", "heading"), ("- ", "list"), ("|", "table"))


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a card.

    Attributes:
        kind: What it is.
        rows: Its lines, each with its cells; of all but tables, one cell a line.
    """

    kind: Kind
    rows: tuple[tuple[str, ...], ...]


def card_blocks(markdown: str) -> tuple[Block, ...]:
    r"""Return the blocks of a card, in plain text; none of an empty one.

    The title is left out: a report has its own. The first row of a table is its head.

    Example:
        >>> [(block.kind, block.rows) for block in card_blocks("# Card\n\n## Types\n\n- a\n- b")]
        [('heading', (('Types',),)), ('list', (('a',), ('b',)))]
    """
    lines = [line.strip() for line in markdown.splitlines()]
    return tuple(_blocks([line for line in lines if not re.match(r"#\s", line)]))


def _blocks(lines: list[str]) -> Iterator[Block]:
    numbered = enumerate(lines)
    # Headings that follow one another are blocks of their own.
    for (kind, _), group in groupby(
        numbered, key=lambda entry: (_kind(entry[1]), _kind(entry[1]) == "heading" and entry[0])
    ):
        if kind:
            rows = (_cells(line, kind) for _, line in group if not _RULE.fullmatch(line))
            yield Block(kind, tuple(rows))


def _kind(line: str) -> Kind | None:
    if not line:
        return None
    return next((kind for begin, kind in _BEGINS if line.startswith(begin)), "paragraph")


def _cells(line: str, kind: Kind) -> tuple[str, ...]:
    if kind == "table":
        return tuple(_plain(cell) for cell in _CELL.findall(line[1:] + "|" * (line[-1:] != "|")))
    return (_plain(re.sub(r"^(?:#+|-)\s+", "", line)),)


def _plain(text: str) -> str:
    """Return a text without the marks that keep Markdown from reading it as markup."""
    return html.unescape(re.sub(r"\\([\\|`\[])", r"\1", text.strip()))
