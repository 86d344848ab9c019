"""A page of HTML as Markdown: the text that people index of it, with its structure kept."""

import re
from collections.abc import Iterator, Sequence
from itertools import groupby
from textwrap import indent

from testset.corpus.markup.html import read_html
from testset.corpus.plain import Block, PlainView

_INLINE = re.compile(r"[\\`*]|(?<!\w)_|_(?!\w)|\[(?=[^\]]*\][(\[:])|<(?=[a-zA-Z/!?])|&(?=#?\w+;)")
"""What Markdown would take for a mark within a line."""
_FIRST = re.compile(r"^(?:(?=[#>+=~|:-]|!!!|///|\?\?\?)|\d+(?=[.)]\s))")
"""Where the first characters of a line would be taken for a mark."""


def page_as_markdown(html: str) -> str:
    r"""Return what a page shows, with its title above if no heading of level 1 stands in it.

    Example:
        >>> page_as_markdown("<h1>Vents</h1><p>Open &amp; <b>close</b>.</p><script>x</script>")
        '# Vents\n\nOpen & close.\n'
    """
    view = read_html(html)
    if not view.text:
        return ""
    parts: list[str] = []
    heads = [block for block in view.blocks if block.kind in {"heading", "title"}]
    if view.declared and all(block.kind != "title" for block in heads):
        first = view.block_text(heads[0]) if heads else ""
        book = view.declared.removesuffix(first).rstrip(" :|·–—-")  # of a page of one
        parts.append(f"# {escaped(book or view.declared)}\n")
    depth = 0
    for (kind, group), run in groupby(view.blocks, lambda block: (block.kind, block.group)):
        blocks = list(run)
        if kind == "row":
            parts.append("\n".join(_table(view, blocks)) + "\n")
            continue
        depth = depth if group else 0
        shown = [_shown(view, block, depth) for block in blocks]
        parts.append(("" if kind == "item" else "\n").join(f"{text}\n" for text in shown))
        depth = blocks[-1].level if kind == "item" else depth
    return "\n".join(parts)


def _shown(view: PlainView, block: Block, depth: int) -> str:
    """Return a block that is no row; what belongs to an item is indented as far as its text."""
    text = view.block_text(block)
    if block.kind == "definition":
        term, meaning = (escaped(view.text[low:high]) for low, high in block.cells)
        return f"{term}\n: {meaning}"
    if block.kind == "code":
        fence = max(re.findall("`{3,}", text), key=len, default="``") + "`"
        return indent(f"{fence}{block.language}\n{text}\n{fence}", "  " * depth)
    lines = [escaped(line, first=True) for line in text.split("\n")]
    if block.kind == "item":
        return "  " * (block.level - 1) + "- " + f"  \n{'  ' * block.level}".join(lines)
    if block.kind in {"heading", "title"}:
        return f"{'#' * block.level} {escaped(' '.join(text.split()))}"
    return indent("  \n".join(lines), "  " * depth)


def _table(view: PlainView, rows: Sequence[Block]) -> Iterator[str]:
    """Yield the lines of a table."""
    texts = [[view.text[low:high] for low, high in row.cells] for row in rows]
    return table_lines(texts, named=any(row.header for row in rows))


def table_lines(rows: Sequence[Sequence[str]], *, named: bool) -> Iterator[str]:
    """Yield a table as Markdown, which asks for a header: an empty one names nothing.

    Args:
        rows: The texts of its cells.
        named: Whether the first row names the columns.
    """
    width = max(map(len, rows))
    for number, cells in enumerate(rows if named else [(), *rows]):
        texts = [escaped(" ".join(cell.split())).replace("|", "\\|") for cell in cells]
        yield f"| {' | '.join([*texts, *[''] * (width - len(texts))])} |"
        if not number:
            yield "|" + "---|" * width


def escaped(text: str, *, first: bool = False) -> str:
    """Return a text so that Markdown shows it as it is, also at the beginning of a line."""
    shown = _INLINE.sub(r"\\\g<0>", text)
    return _FIRST.sub(r"\g<0>\\", shown) if first else shown
