"""Formats of documents: each module reads one into a plain view.

PDF and Word files are made into Markdown when they are read, in `corpus/reading.py`.
"""

import re
from collections.abc import Callable
from functools import lru_cache

from testset.corpus.markup.asciidoc import read_asciidoc
from testset.corpus.markup.comma_separated import read_comma_separated
from testset.corpus.markup.html import read_html
from testset.corpus.markup.markdown import read_markdown
from testset.corpus.markup.plain_text import read_plain_text
from testset.corpus.markup.restructured import read_restructured
from testset.corpus.plain import PlainView

_READERS: dict[str, Callable[[str], PlainView]] = {
    "adoc": read_asciidoc,
    "asc": read_asciidoc,
    "asciidoc": read_asciidoc,
    "csv": read_comma_separated,
    "htm": read_html,
    "html": read_html,
    "markdown": read_markdown,
    "md": read_markdown,
    "mdx": read_markdown,
    "qmd": read_markdown,
    "rmd": read_markdown,
    "rst": read_restructured,
    "xhtml": read_html,
}
"""Ending of an id -> what reads the document; any other is plain text, or what `_HTML` and
`_MARKDOWN` find in it."""
_HTML = re.compile(
    r"\s*(?:<!doctype html|<html\b|<(?:body|div|h1|p|article)\b[^>]*>)", re.IGNORECASE
)
"""How a page begins that is HTML, whatever its id ends with."""
_TAG_FIRST = re.compile(r"\s*(?:---\s*\n.*?\n---\s*)?<[!/?a-z]", re.DOTALL | re.IGNORECASE)
"""How a page begins that ends with `.html` and still has its tags, after front matter or not."""
_MARKDOWN = re.compile(
    r"^(?:\s*(?:```|~~~)\w*\s*$|#{1,6}[ \t]+\S)|\]\((?:https?:|/|\.|#)|\*\*\w[^*\n]*\*\*",
    re.MULTILINE,
)
"""A fence, a heading, a link or bold text somewhere in a document: it is Markdown."""


@lru_cache(maxsize=4)  # each stage looks at a large document, and parsing it takes long
def plain_view_of(doc_id: str, text: str) -> PlainView:
    r"""Return the plain view of a document; its format is told by its id, then by its marks.

    Example:
        >>> plain_view_of("notes.md", "**Open** both.").text
        'Open both.'
        >>> plain_view_of("node 7", "Open both.").text
        'Open both.'
    """
    reader = _READERS.get(doc_id.rpartition(".")[2].casefold(), read_plain_text)
    if reader is read_html and not _TAG_FIRST.match(text):
        reader = read_plain_text  # a page that was made into text when it was read
    if reader is read_plain_text and _HTML.match(text):
        reader = read_html
    elif reader is read_plain_text and _MARKDOWN.search(text):
        reader = read_markdown
    return reader(text)
