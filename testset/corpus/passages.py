"""Passages: the parts of a document that questions are planned on.

A passage is a run of blocks of the plain view under one heading, not longer than `PASSAGE_SIZE`
characters unless one block alone is. A list, a table or code stays whole and with what introduces
it, up to `LONGEST_GROUP` passages' size; a longer one becomes several passages, each shown with its
lead-in, caption and header. All offsets are those of the raw text.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property

from llamaindex_rag_eval.judge.rules.sentences import sentence_spans
from llamaindex_rag_eval.judge.rules.tokens import Language, is_cjk, language_of
from testset.corpus.chunks import chunks_of
from testset.corpus.documents import SourceDocument
from testset.corpus.plain import LEAD_END, Block as Block, BlockKind as BlockKind, PlainView
from testset.corpus.setting import around_block, below, lead_in_of, path_of

PASSAGE_SIZE = 1200
"""Characters of a passage, about as many as a retrieved chunk has."""
CJK = 3
"""Characters of other scripts that one of Chinese or Japanese counts as."""
LONGEST_GROUP = 3
"""The size of a list, a table or a block up to which it is not cut, in passages."""
LANGUAGE_LENGTH = 200
"""Characters of prose from which a language is recognised; a passage with less has that of its
document."""
PROSE: frozenset[BlockKind] = frozenset({"paragraph", "item"})
"""Kinds of blocks that are made of sentences."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a paragraph or list item as a reader sees it, and its place in the document.

    Attributes:
        text: The sentence.
        start: Its first character in the raw text, which may hold marks that no reader sees.
        end: One past its last.
    """

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class Passage:
    """A part of a document.

    Attributes:
        document: The document.
        start: Its first character in the raw text of the document.
        end: One past its last.
        headings: The headings above it, outermost first.
        blocks: Its blocks; their offsets are those of the plain view.
        language: The language of the passage.
    """

    document: SourceDocument
    start: int
    end: int
    headings: tuple[str, ...]
    blocks: tuple[Block, ...]
    language: Language

    @cached_property
    def text(self) -> str:
        """What a reader sees of it, with the lead-in, caption and header of what is cut off."""
        return "".join(self._lines()).strip("\n")

    @property
    def path(self) -> tuple[str, ...]:
        """The title of the document and the headings, each once."""
        return path_of(self.document, self.headings)

    @property
    def shown(self) -> str:
        """The text below the title and headings: what writers, checks and people are shown."""
        path = " / ".join(self.path)
        return below((path,) if path else (), self.text)

    def block_text(self, block: Block) -> str:
        """Return the plain text of one of its blocks."""
        return self.document.view.block_text(block)

    def raw_span(self, block: Block) -> tuple[int, int]:
        """Return where a block is in the raw text of the document."""
        return self.document.view.raw_span(block.start, block.end)

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences of its paragraphs and list items, in order."""
        view = self.document.view
        return tuple(
            Sentence(text, *view.raw_span(start, start + len(text)))
            for start, text in self.plain_sentences()
        )

    def plain_sentences(self) -> Iterator[tuple[int, str]]:
        """Yield where each of the sentences starts in the plain view, and its text."""
        for block in self.blocks:
            if block.kind in PROSE:
                text = self.block_text(block)
                for start, end in sentence_spans(text):
                    yield block.start + start, text[start:end]

    def _lines(self) -> Iterator[str]:
        """Yield the blocks with what parts them; before one, what it is not understood without."""
        said: set[str] = set()
        before: Block | None = None
        for block in self.blocks:
            text = self.block_text(block)
            together = before is not None and block.group and block.group == before.group
            for line in self._around(block, first=before is None):
                if line not in said:
                    said.add(line)
                    yield f"\n\n{line}"
                    together = True
            yield "\n" if together else "\n\n"
            yield _marked(block, text)
            said.add(text)
            before = block

    def _around(self, block: Block, *, first: bool) -> tuple[str, ...]:
        """Return what a block is not understood without; of the first, also what is cut off."""
        if block.kind == "code":
            return ()
        view = self.document.view
        number = view.block_at(block.start) if first else None
        return around_block(block) if number is None else lead_in_of(view, number)


def _marked(block: Block, text: str) -> str:
    """Return the text of a block with the marks by which a reader tells items and code."""
    if block.kind == "item":
        return f"{'  ' * (block.level - 1)}- {text}"
    if block.kind == "code":
        return f"```{block.language}\n{text}\n```"
    return text


def passages_of(document: SourceDocument) -> list[Passage]:
    """Return the passages of a document in order; none if it holds only headings."""
    view = document.view
    passages: list[Passage] = []
    whole = cache(lambda: language_of(_prose(view, view.blocks) or view.text))
    size = PASSAGE_SIZE // CJK if is_cjk(view.text) else PASSAGE_SIZE
    for headings, run in _runs(view, size):
        prose = _prose(view, run)
        own = language_of(prose) if len(prose) >= LANGUAGE_LENGTH else "other"
        language = whole() if own == "other" else own  # names and values alone tell no language
        start, end = view.raw_span(run[0].start, run[-1].end)
        passages.append(Passage(document, start, end, headings, tuple(run), language))
    return passages


def _prose(view: PlainView, blocks: Sequence[Block]) -> str:
    """Return the text of blocks without code."""
    return "\n".join(view.block_text(block) for block in blocks if block.kind != "code")


Unit = list[Block]
"""Blocks that stay in one passage."""


def _runs(view: PlainView, size: int) -> Iterator[tuple[tuple[str, ...], Unit]]:
    """Yield the blocks of each passage, after the headings above them."""
    above: tuple[str, ...] = ()
    run: Unit = []
    for headings, unit in _units(view, size):
        full = run and unit[-1].end - run[0].start > size
        if run and (full or headings != above):
            yield above, run
            run = []
        run, above = [*run, *unit], headings
    if run:
        yield above, run


def _units(view: PlainView, size: int) -> Iterator[tuple[tuple[str, ...], Unit]]:
    """Yield what is not cut, after the headings above it: a list, a table, code with its lead-in.

    What is too long for that is cut between rows, items or lines.
    """
    ends = {block.group: number for number, block in enumerate(view.blocks) if block.group}
    unit: Unit = []
    last = -1
    for number, block in enumerate(view.blocks):
        titles = block.kind in {"heading", "title", "front_matter"}
        if unit and (titles or number > last):
            yield from ((view.headings[number - 1], part) for part in _parts(view, unit, size))
            unit = []
        if not titles:
            unit.append(block)
            last = max(last, ends.get(block.group, number), number + _leads(view, number))
    yield from ((view.headings[-1], part) for part in _parts(view, unit, size) if part)


def _leads(view: PlainView, number: int) -> int:
    """Return 1 if a block introduces the next one, else 0."""
    block = view.blocks[number]
    leads = block.kind == "paragraph" and view.block_text(block).endswith(LEAD_END)
    return int(leads or block.kind in {"admonition", "caption"})


def _parts(view: PlainView, unit: Unit, size: int) -> Iterator[Unit]:
    """Yield a unit, in parts of about a passage's size if it is longer than `LONGEST_GROUP`."""
    if not unit or unit[-1].end - unit[0].start <= LONGEST_GROUP * size:
        yield unit
        return
    part: Unit = []
    for block in (piece for entry in unit for piece in _pieces(view, entry, size)):
        joined = block.level > 1 or (part and view.block_text(part[-1]).endswith(LEAD_END))
        limit = LONGEST_GROUP * size if joined else size
        if part and block.end - part[0].start > limit:
            yield part
            part = []
        part.append(block)
    yield part


def _pieces(view: PlainView, block: Block, size: int) -> Iterator[Block]:
    """Yield a block, in parts if it is longer than `LONGEST_GROUP`; a row stays whole."""
    if block.kind == "row" or block.end - block.start <= LONGEST_GROUP * size:
        yield block
        return
    for chunk in chunks_of(view.block_text(block), chunk_size=size):
        yield replace(block, start=block.start + chunk.start, end=block.start + chunk.end)
