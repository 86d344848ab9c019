"""Reading files: every kind that LlamaIndex's `SimpleDirectoryReader` reads, text kept exactly.

Text files (txt, md, csv, ...) are decoded and not changed. HTML becomes its visible text. PDF,
Word, PowerPoint and the like go through the readers of `llama-index-readers-file`; the pages of
a file are joined into one document.
"""

import logging
import re
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

from llamaindex_rag_eval.errors import DocumentError
from testset.corpus.archives import refuse_large_archive
from testset.corpus.encoding import decode

__all__ = ["read_file", "visible_text"]

PAGE_BREAK = "\n\n"
"""Between the pages of one file: a paragraph ends where a page does."""

HTML = frozenset({".htm", ".html", ".xhtml"})
PLAIN = frozenset({".csv"})
"""Suffixes that a reader would reformat although the file is plain text."""


def read_file(path: Path) -> str:
    """Return the text of one file.

    Raises:
        DocumentError: It cannot be read, or holds no text; the message says why.
    """
    suffix = path.suffix.lower()
    if suffix in HTML:
        text = visible_text(decode(_bytes(path)))
    elif suffix in PLAIN or suffix not in _read_by_readers():
        text = decode(_bytes(path))
    else:
        refuse_large_archive(path)
        text = _by_reader(path)
    if not text.strip():
        raise DocumentError("holds no text")
    return text


@cache
def _read_by_readers() -> frozenset[str]:
    """Return the suffixes that LlamaIndex's readers read.

    One of them configures the root logger when it is imported, so that a caller would see every
    call of a model; what it sets is taken back.
    """
    from llama_index.core import SimpleDirectoryReader

    root = logging.getLogger()
    level, handlers = root.level, list(root.handlers)
    try:
        return frozenset(SimpleDirectoryReader.supported_suffix_fn())
    finally:
        root.setLevel(level)
        root.handlers[:] = handlers


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise DocumentError(f"cannot be opened: {error.strerror}") from error


def _by_reader(path: Path) -> str:
    from llama_index.core import SimpleDirectoryReader

    parser_log = logging.getLogger("pypdf")
    level = parser_log.level
    parser_log.setLevel(logging.CRITICAL)  # its warnings are repeated in the error below
    try:
        pages = SimpleDirectoryReader.load_file(path, lambda _: {}, {}, raise_on_error=True)
    except Exception as error:
        cause = _cause(error)
        raise DocumentError(f"cannot be read: {type(cause).__name__}: {cause}") from error
    finally:
        parser_log.setLevel(level)
    return PAGE_BREAK.join(page.text for page in pages)


def _cause(error: BaseException) -> BaseException:
    """Return the first error: readers wrap it, and retry before they give up."""
    attempt = getattr(error, "last_attempt", None)
    inside = error.__cause__ if attempt is None else attempt.exception()
    return error if inside is None or inside is error else _cause(inside)


def visible_text(html: str) -> str:
    r"""Return the visible text of a page in a plain, Markdown-like form.

    What only leads to other pages is left out; the title stands above a page without a heading of
    the first level.

    Example:
        >>> visible_text("<h1>Vents</h1><p>Open &amp; <b>close</b>.</p><script>x</script>")
        '# Vents\n\nOpen & close.\n'
    """
    parser = _HtmlText()
    parser.feed(html)
    parser.close()
    lines = [" ".join(line.split()) for line in "".join(parser.parts).splitlines()]
    kept = [line for n, line in enumerate(lines) if line or (n and lines[n - 1])]
    text = "\n".join(kept).strip()
    if text and parser.title and "h1" not in parser.seen:
        text = f"# {parser.title}\n\n{text}"
    return text + "\n" if text else ""


HIDDEN = frozenset({"script", "style", "template", "noscript", "head", "nav"})
NAVIGATION = re.compile(r"\b(?:nav(?:bar|header|footer|igation)?|toc|breadcrumbs?|pagination)\b")
"""Finds the classes of what leads to other pages."""
HEADINGS = {"h1": "# ", "h2": "## ", "h3": "### ", "h4": "#### ", "h5": "##### ", "h6": "###### "}
PARAGRAPHS = frozenset({"p", "div", "section", "article", "table", "ul", "ol", "pre", "blockquote"})
LINES = frozenset({"br", "tr", "li", "dt", "dd", "caption"})


class _HtmlText(HTMLParser):
    """Collects visible text: headings, list items and table rows on lines of their own."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.hidden: list[str] = []
        self.cells: list[int] = []
        self.first = self.heads = 0
        self.seen: set[str] = set()
        self.title = ""
        self.in_title = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        classes = " ".join(value or "" for name, value in attrs if name == "class")
        self.in_title = tag == "title" and not self.title
        if tag in HIDDEN or tag in self.hidden or (tag == "div" and NAVIGATION.search(classes)):
            self.hidden.append(tag)
        if self.hidden:
            return
        self.seen.add(tag)
        if tag in HEADINGS:
            self.parts.append("\n\n" + HEADINGS[tag])
        elif tag in PARAGRAPHS:
            self.parts.append("\n\n")
        elif tag == "li":
            self.parts.append("\n- ")
        elif tag in LINES:
            self.parts.append("\n")
        self.first = len(self.parts) if tag == "tr" else self.first
        self.heads += tag == "th"
        self._table(tag)

    def _table(self, tag: str) -> None:
        if tag == "tr":
            self.cells.append(0)
        elif tag in {"td", "th"}:
            self.parts.append("| ")
            if self.cells:
                self.cells[-1] += 1

    def handle_endtag(self, tag: str) -> None:
        self.in_title = False
        if tag in self.hidden:
            while self.hidden.pop() != tag:
                pass
        if tag in HIDDEN or self.hidden:
            return
        if tag in {"td", "th"}:
            self.parts.append(" ")
        elif tag == "tr":
            self.parts.append("|")
            if len(self.cells) == 1 and self.cells[0]:
                line = "|" + "---|" * self.cells[0]
                if self.heads:
                    self.parts.append("\n" + line)
                else:  # Markdown has no table without a header: an empty one names nothing
                    self.parts.insert(self.first, "|" + " |" * self.cells[0] + f"\n{line}\n")
        elif tag in HEADINGS or tag in PARAGRAPHS:
            self.parts.append("\n\n")
        if tag == "table":
            self.cells, self.heads = [], 0

    def handle_data(self, data: str) -> None:
        if self.in_title:
            self.title = " ".join(data.split())
        elif not self.hidden:
            self.parts.append(" ".join(data.split()).join(_outer_blanks(data)))


def _outer_blanks(data: str) -> tuple[str, str]:
    """Return the blank, or nothing, that stands before and after a run of text."""
    if not data.strip():
        return (" " if data else "", "")
    return (" " if data[0].isspace() else "", " " if data[-1].isspace() else "")
