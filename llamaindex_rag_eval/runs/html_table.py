"""A small HTML table for notebooks, every text in it escaped."""

import html
from collections.abc import Iterable, Sequence

__all__ = ["html_table"]


def html_table(head: Sequence[str], rows: Iterable[Sequence[str]], *, caption: str = "") -> str:
    """Return a table; the first cell of each row is its heading.

    Example:
        >>> html_table(["metric", "mean"], [["<m>", "0.500"]])
        '<table><thead><tr><th scope="col">metric</th><th scope="col">mean</th></tr></thead><tbody><tr><th scope="row">&lt;m&gt;</th><td>0.500</td></tr></tbody></table>'
    """  # noqa: E501 - a doctest shows what is returned in one line
    title = f'<caption dir="auto">{html.escape(caption)}</caption>' if caption else ""
    columns = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in head)
    body = "".join(_row(row) for row in rows)
    return f"<table>{title}<thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>"


def _row(cells: Sequence[str]) -> str:
    first, *rest = (html.escape(cell) for cell in cells)
    return f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>'
