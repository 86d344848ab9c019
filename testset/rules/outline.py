"""The outline: the sections of a document, each with its headings and what stands under them."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from testset.corpus.documents import SourceDocument
from testset.corpus.plain import Block
from testset.rules.candidate import Span
from testset.rules.casing import plainly_cased, titled
from testset.rules.language import Language
from testset.rules.titles import named

_MARKUP = re.compile(r"\{[{%#].*?[}%#]\}|\[[^\]]*\]\(\s*\)|[<>{}|]|\*\*|`|\]\[")
"""What no reader should see: templates, links without a target, tags."""


@dataclass(frozen=True)
class Outline:
    """A document with its sections.

    Attributes:
        document: The document.
        language: Its language.
    """

    document: SourceDocument
    language: Language

    @cached_property
    def title(self) -> str:
        """The title of the document, as a reader sees it; empty if it has none.

        The first of several headings of one level is none, unless the document begins with it.
        """
        view = self.document.view
        heads = [block for block in view.blocks if block.kind in {"heading", "title"}]
        shown = view.block_text(heads[0]) if heads and heads[0].kind == "title" else ""
        text = view.title or self.document.title or shown
        has_equals = any(head.level <= heads[0].level for head in heads[1:])
        is_title = text != shown or not has_equals or self.has_pages
        title = titled(text, self.language) if is_title else ""
        return "" if _MARKUP.search(title) else title

    @cached_property
    def short(self) -> str:
        """The short form of the title, as of a law, in brackets after it; else the title."""
        view = self.document.view
        titles = (view.block_text(block) for block in view.blocks if block.kind == "title")
        match = re.search(r"\((?:[^()]* – )?([A-ZÄÖÜ][\w-]*[A-ZÄÖÜ][\w-]*)\)$", next(titles, ""))
        return match[1] if match else self.title

    @cached_property
    def has_pages(self) -> bool:
        """Whether the document holds several pages, each under a heading of level 1."""
        blocks = self.document.view.blocks
        first = next((block for block in blocks if block.kind != "front_matter"), None)
        return first is not None and first.kind == "title"

    @cached_property
    def sections(self) -> tuple["Section", ...]:
        """The sections in order; what stands before the first heading is one, too."""
        return tuple(self._sections())

    @cached_property
    def words(self) -> Counter[str]:
        """How often each word stands in paragraphs and items, as it is written; no first words.

        Lines in capitals are left out.
        """
        blocks = (b for b in self.document.blocks if b.kind in {"paragraph", "item", "definition"})
        shown = (self.document.view.block_text(block).splitlines() for block in blocks)
        texts = (" ".join(line for line in lines if not line.isupper()) for lines in shown)
        return Counter(word for text in texts for word in re.findall(r"[^\W\d_]+", text)[1:])

    def is_common(self, name: str) -> bool:
        """Return whether a name is of common words, which have a capital only where they stand."""
        first, *others = re.findall(r"[^\W\d_]+", name) or [""]
        small = first[1:].islower() and self.words[first.lower()] > self.words[first]
        return small or (first[1:].islower() and any(word.islower() for word in others))

    def plainly_cased(self, text: str) -> str:
        """Return a heading without the capitals that only its place gives it."""
        return plainly_cased(text, self.words, self.language)

    def _sections(self) -> Iterator["Section"]:
        view = self.document.view
        above: list[tuple[int, str]] = []
        level, own = 0, list[Block]()
        for block in (*self.document.view.blocks, None):
            if block is not None and block.kind not in {"heading", "title"}:
                own.append(block)
                continue
            deeper = block is not None and block.kind == "heading" and block.level > level
            if own or above:
                path = tuple(name for _, name in above)
                page = path[0] if self.has_pages and above and above[0][0] == 1 else self.short
                page = titled(page, self.language)
                yield Section(self, path, tuple(own), page, whole=not (deeper and level))
            own = []
            if block is not None and block.kind == "heading":
                above = [entry for entry in above if entry[0] < block.level]
                above.append((block.level, named(view.block_text(block))))
                level = block.level


@dataclass(frozen=True)
class Section:
    """What stands under one heading, up to the next one.

    Attributes:
        outline: The document.
        path: The headings above, outermost first; the title of the document is not among them.
        blocks: What stands under the last of them.
        page: The name of the page that it stands on.
        whole: Whether no section below belongs to it.
    """

    outline: Outline
    path: tuple[str, ...]
    blocks: tuple[Block, ...]
    page: str = ""
    whole: bool = True

    @property
    def language(self) -> Language:
        """The language of the document."""
        return self.outline.language

    @property
    def heading(self) -> str:
        """The heading; empty before the first."""
        return self.path[-1] if self.path else ""

    @property
    def body(self) -> tuple[Block, ...]:
        """The blocks without front matter."""
        return tuple(block for block in self.blocks if block.kind != "front_matter")

    def text(self, block: Block) -> str:
        """Return the text of a block."""
        return self.outline.document.view.block_text(block)

    def cells(self, block: Block) -> tuple[str, ...]:
        """Return the texts of the cells of a row, or the term and the meaning of a definition."""
        cells = self.outline.document.view.cell_texts(block)
        return tuple(cell.lstrip("•·▪◦ ") for cell in cells)

    def span(self, blocks: Sequence[Block]) -> Span:
        """Return where blocks are in the raw text of the document."""
        document = self.outline.document
        return Span(document.doc_id, *document.view.raw_span(blocks[0].start, blocks[-1].end))

    def raw(self, span: Span) -> str:
        """Return a part of the raw text of the document."""
        return self.outline.document.text[span.start : span.end]

    def clean(self, text: str) -> bool:
        """Return whether a text holds no markup left over."""
        return _MARKUP.search(text) is None
