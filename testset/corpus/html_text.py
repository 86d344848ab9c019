"""HTML as the text a reader sees: headings, list items and table rows on lines of their own."""

from html.parser import HTMLParser

__all__ = ["visible_text"]

HIDDEN = frozenset({"script", "style", "template", "noscript", "head"})
HEADINGS = {"h1": "# ", "h2": "## ", "h3": "### ", "h4": "#### ", "h5": "##### ", "h6": "###### "}
PARAGRAPHS = frozenset({"p", "div", "section", "article", "table", "ul", "ol", "pre", "blockquote"})
LINES = frozenset({"br", "tr", "li", "dt", "dd", "caption"})


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self.hidden = 0
        self.cells: list[int] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag in HIDDEN:
            self.hidden += 1
        elif tag in HEADINGS:
            self.parts.append("\n\n" + HEADINGS[tag])
        elif tag in PARAGRAPHS:
            self.parts.append("\n\n")
        elif tag == "li":
            self.parts.append("\n- ")
        elif tag in LINES:
            self.parts.append("\n")
        self._table(tag)

    def _table(self, tag: str) -> None:
        if tag == "tr":
            self.cells.append(0)
        elif tag in {"td", "th"}:
            self.parts.append("| ")
            if self.cells:
                self.cells[-1] += 1

    def handle_endtag(self, tag: str) -> None:
        if tag in HIDDEN:
            self.hidden = max(0, self.hidden - 1)
        elif tag in {"td", "th"}:
            self.parts.append(" ")
        elif tag == "tr":
            self.parts.append("|")
            if self.cells and len(self.cells) == 1 and self.cells[0]:
                self.parts.append("\n|" + "---|" * self.cells[0])
        elif tag in HEADINGS or tag in PARAGRAPHS:
            self.parts.append("\n\n")
        if tag == "table":
            self.cells = []

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.parts.append(" ".join(data.split()).join(_edges(data)))


def _edges(data: str) -> tuple[str, str]:
    """Return the blank, or nothing, that stands before and after a run of text."""
    if not data.strip():
        return (" " if data else "", "")
    return (" " if data[0].isspace() else "", " " if data[-1].isspace() else "")


def visible_text(html: str) -> str:
    r"""Return the visible text of a page in a plain, Markdown-like form.

    Example:
        >>> visible_text("<h1>Vents</h1><p>Open &amp; <b>close</b>.</p><script>x</script>")
        '# Vents\n\nOpen & close.\n'
    """
    reader = _Reader()
    reader.feed(html)
    reader.close()
    lines = [" ".join(line.split()) for line in "".join(reader.parts).splitlines()]
    kept = [line for n, line in enumerate(lines) if line or (n and lines[n - 1])]
    text = "\n".join(kept).strip()
    return text + "\n" if text else ""
