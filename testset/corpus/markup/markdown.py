"""Markdown: CommonMark with tables, read by markdown-it-py, which knows the lines of each block.

On top of CommonMark: front matter, definition lists, footnotes, and the admonitions, attributes and
includes of MkDocs, Docusaurus, GitHub and Hugo.
"""

import re
from collections.abc import Sequence
from functools import partial
from typing import Any

from testset.corpus.markup.front_matter import write_front_matter
from testset.corpus.markup.lines import NO_LINE, LineWriter
from testset.corpus.markup.markdown_blocks import BlockReader, PageLine
from testset.corpus.markup.markdown_inline import markdown_parser, seen_in_markdown
from testset.corpus.plain import PlainView
from testset.corpus.source import Line, lines_of

_FENCE = re.compile(r"[ >]*(`{3,}|~{3,})")
_FENCED_NOTE = re.compile(
    r"(?P<margin>\s*)(?:/{3,}|:{3,})[ \t]*(?P<name>[\w-]*)(?=[\s|]|$)[ \t]*\|?[ \t]*(?P<title>.*)$"
)
_INDENTED_NOTE = re.compile(
    r'(?P<margin>)(?:!!!|\?\?\?\+?)[ \t]+(?P<name>[\w-]+)[ \t]*"?(?P<title>[^"]*)"?$'
)
_GENERATED = re.compile(r":::[ \t]+[\w.]+\.\w+[ \t]*$")
"""A line that mkdocstrings replaces; its options are indented below it."""
_INDENTATION = re.compile(r"\t?(?: {4})?")


def read_markdown(text: str) -> PlainView:
    r"""Return the plain view of a Markdown document.

    Example:
        >>> view = read_markdown("# Vents\n\nOpen **both** [vents](a.md)\nnow.\n")
        >>> view.text
        'Vents\n\nOpen both vents now.'
        >>> view.title, view.raw_span(7, 22)
        ('Vents', (9, 29))
    """
    env: dict[str, Any] = {}
    writer = LineWriter(partial(seen_in_markdown, env=env))
    lines = lines_of(text.replace("\0", "\ufffd"))
    page = _page_of(lines[write_front_matter(lines, writer) :])
    tokens = markdown_parser().parse("\n".join(row.shape for row in page), env)
    BlockReader(writer, page, text).run(tokens)
    return writer.view()


def _page_of(lines: Sequence[Line]) -> list[PageLine]:
    """Return the lines without what CommonMark does not know, and the admonitions among them."""
    page: list[PageLine] = []
    fence, names, indented, generated = "", list[str](), "", False
    for line in lines:
        if indented and not line.blank and not line.text.startswith(("    ", "\t")):
            indented = ""
        if indented and (margin := _INDENTATION.match(line.text)):
            line = line.cut(margin.end())
        text = line.text
        goes_on = generated and (line.blank or text.startswith((" ", "\t")))
        generated = not fence and (goes_on or bool(_GENERATED.match(text)))
        mark = None if generated else _FENCE.match(text)
        if mark is not None and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        in_code = fence or generated
        match = None if in_code else _INDENTED_NOTE.match(text) or _FENCED_NOTE.match(text)
        if match is not None and match.re is _INDENTED_NOTE:
            indented = match["name"]
        elif match is not None:
            names = [*names, match["name"]] if match["name"] else names[:-1]
        inside = (indented or (names[-1] if names else "")).casefold()
        if match is not None and (title := line.cut(*match.span("title")).stripped()).text:
            shape = match["margin"] + "x" * len(title.text)
            page += [PageLine(NO_LINE, "", inside), PageLine(title, shape, inside, "admonition")]
        page.append(PageLine(line, "" if generated or match else text, inside))
    return page
