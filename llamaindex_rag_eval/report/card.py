"""The data card of a golden set in a report: its Markdown as HTML, of which nothing is run."""

import re

from markdown_it import MarkdownIt
from markupsafe import Markup, escape

REGION = '<div class="scroll" tabindex="0" role="region" aria-label="%s"><table>'
"""Begins a table, which a reader without a mouse may scroll too; its name is the heading above."""


def card_html(markdown: str) -> Markup:
    r"""Return a data card as HTML, without its title; empty for no card.

    Headings, lists, tables and paragraphs are read; all else, as images and HTML, is text.

    Example:
        >>> print(card_html("- <b>3</b> items").replace("\n", ""))
        <ul><li dir="auto">&lt;b&gt;3&lt;/b&gt; items</li></ul>
    """
    rules = ["entity", "escape", "heading", "list", "table"]
    reader, name = MarkdownIt("zero", {"breaks": True}).enable([*rules, "newline"]), "table"
    tokens = reader.parse(re.sub(r"^#\s.*", "", markdown, flags=re.MULTILINE))
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            name = tokens[number + 1].content
        if token.type in ("heading_open", "heading_close"):
            token.tag = "h3"
        if token.type in ("heading_open", "list_item_open", "paragraph_open", "td_open"):
            token.attrs = {"dir": "auto"}
        elif token.type == "table_open":
            token.meta = {"name": name}
        elif token.type == "th_open":
            token.attrs = {"scope": "col"} if tokens[number + 1].content else {}
            token.tag = tokens[number + 2].tag = "th" if token.attrs else "td"
    begin = "table_open"
    reader.add_render_rule(begin, lambda _, every, n, *__: REGION % escape(every[n].meta["name"]))
    reader.add_render_rule("table_close", lambda *_: "</table></div>\n")
    return Markup(reader.renderer.render(tokens, reader.options, {}))  # noqa: S704 - escaped above
