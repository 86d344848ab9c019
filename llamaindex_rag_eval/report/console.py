"""Tables for the terminal: all of one look, and no text in them is markup."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from rich import box
from rich.table import Table
from rich.text import Text

WIDEST = 32
"""Characters of the first column that are never folded."""


def text_table(
    title: str,
    left: Sequence[str],
    right: Sequence[str] = (),
    last: str = "",
    *,
    rows: Iterable[Sequence[object]],
    styles: Sequence[str] = (),
    notes: Sequence[str] = (),
    whole: Sequence[str] = (),
) -> Table:
    """Return a table.

    Args:
        title: Stands above it.
        left: The heads of columns of texts.
        right: The heads of columns of numbers, which follow.
        last: The head of a column of words after the numbers; empty for none.
        rows: A cell for each column.
        styles: One a row; without a style where there is none.
        notes: Lines below it.
        whole: The columns whose cells are never broken into lines.
    """
    cells = [[cell if isinstance(cell, Text) else Text(str(cell)) for cell in row] for row in rows]
    caption = Text("\n".join(notes), style="table.caption") if notes else None
    table = Table(
        title=Text(title) if title else None,
        title_justify="left",
        caption=caption,
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    longest = max((len(row[0]) for row in cells), default=0)
    for number, name in enumerate(left):
        width = None if number else min(WIDEST, longest)
        table.add_column(Text(name), overflow="fold", width=width)
    for name in right:
        table.add_column(Text(name), justify="right", min_width=5, no_wrap=name in whole)
    if last:
        table.add_column(Text(last), overflow="fold", ratio=1)
    for row, style in zip_longest(cells, styles, fillvalue=""):
        table.add_row(*row, style=str(style))
    return table
