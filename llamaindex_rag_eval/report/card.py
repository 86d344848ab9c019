"""The data card of a golden set, read from its Markdown for a report.

Only the Markdown that data cards use is read: headings, lists, tables, paragraphs. Anything else
is shown as text.
"""

import html
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Literal

Kind = Literal["heading", "list", "paragraph", "table"]

_CELL = re.compile(r"((?:\\.|[^\\|])*)\|")
_RULE = re.compile(r"\|(?:\s*:?-+:?\s*\|)+")
_BEGINS: tuple[tuple[str, Kind], ...] = (("#", "heading"), ("- ", "list"), ("|", "table"))


@dataclass(frozen=True, slots=True)
class CardBlock:
    """A heading, list, paragraph or table of a card.

    Attributes:
        kind: Which of them.
        rows: Its lines, each with its cells; all but tables have one cell a line.
    """

    kind: Kind
    rows: tuple[tuple[str, ...], ...]


def card_blocks(markdown: str) -> tuple[CardBlock, ...]:
    r"""Return the blocks of a card, in plain text; none of an empty one.

    The title is left out: a report has its own. The first row of a table is its head.

    Example:
        >>> [(block.kind, block.rows) for block in card_blocks("# Card\n\n## Types\n\n- a\n- b")]
        [('heading', (('Types',),)), ('list', (('a',), ('b',)))]
    """
    lines = [line.strip() for line in markdown.splitlines()]
    return tuple(_blocks([line for line in lines if not re.match(r"#\s", line)]))


def _blocks(lines: list[str]) -> Iterator[CardBlock]:
    numbered = enumerate(lines)
    # Each heading is a block, also where two follow one another.
    for (kind, _), group in groupby(
        numbered, key=lambda entry: (_kind(entry[1]), _kind(entry[1]) == "heading" and entry[0])
    ):
        if kind:
            rows = (_cells(line, kind) for _, line in group if not _RULE.fullmatch(line))
            yield CardBlock(kind, tuple(rows))


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
