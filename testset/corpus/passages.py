"""Passages: the parts of a document that questions are planned on.

A passage is a run of blocks under one heading, not longer than `PASSAGE_SIZE` characters unless
one block alone is. It lies at exact offsets, and knows the headings above it.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

from llamaindex_rag_eval.judge.rules.sentences import sentence_spans
from llamaindex_rag_eval.judge.rules.tokens import Language, language_of
from testset.corpus.blocks import Block, blocks_of
from testset.corpus.documents import SourceDocument
from testset.corpus.lexicon import Lexicon

__all__ = ["Passage", "Sentence", "passages_of"]

PASSAGE_SIZE = 1200
"""Characters: about what one retrieved chunk holds, so one passage is one place to look."""
CLUE_LENGTH = 200
"""Characters that tell a language; a shorter passage is taken to be in its document's."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a paragraph or list item, at its place in the document."""

    text: str
    start: int
    end: int
    first: bool = False
    """Whether it opens its passage, so that nothing before it can be referred to."""


@dataclass(frozen=True)
class Passage:
    """A part of a document.

    Attributes:
        document: The document.
        start: Its first character in the document.
        end: One past its last.
        headings: The headings above it, outermost first.
        blocks: Its blocks, headings left out.
        language: The language of the passage.
        lexicon: What the documents tell about their words.
    """

    document: SourceDocument
    start: int
    end: int
    headings: tuple[str, ...]
    blocks: tuple[Block, ...]
    language: Language
    lexicon: Lexicon = field(default_factory=Lexicon)

    @property
    def text(self) -> str:
        """The text of the passage."""
        return self.document.text[self.start : self.end]

    def block_text(self, block: Block) -> str:
        """Return the text of one of its blocks."""
        return self.document.text[block.start : block.end]

    @cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences of its paragraphs and list items, in order."""
        return tuple(self._sentences())

    def _sentences(self) -> Iterator[Sentence]:
        first = True
        for block in self.blocks:
            if block.kind not in {"paragraph", "item"}:
                continue
            text = self.block_text(block)
            for start, end in sentence_spans(text):
                yield Sentence(text[start:end], block.start + start, block.start + end, first)
                first = False


def passages_of(document: SourceDocument, lexicon: Lexicon | None = None) -> list[Passage]:
    """Return the passages of a document in order; none if it holds only headings."""
    lexicon = lexicon or Lexicon.of([document.text])
    passages: list[Passage] = []
    headings: list[tuple[int, str]] = []
    run: list[Block] = []
    for block in blocks_of(document.text):
        if block.kind == "heading":
            _close(passages, document, headings, run, lexicon)
            headings = [entry for entry in headings if entry[0] < block.level]
            headings.append((block.level, document.text[block.start : block.end]))
            continue
        if run and block.kind != run[-1].kind and _is_table(block) != _is_table(run[-1]):
            pass  # a table stays with the sentence that introduces it
        elif run and block.end - run[0].start > PASSAGE_SIZE and not _is_table(block):
            _close(passages, document, headings, run, lexicon)
        run.append(block)
    _close(passages, document, headings, run, lexicon)
    return passages


def _is_table(block: Block) -> bool:
    return block.kind in {"row", "rule"}


def _close(
    passages: list[Passage],
    document: SourceDocument,
    headings: list[tuple[int, str]],
    run: list[Block],
    lexicon: Lexicon,
) -> None:
    """Append the passage that the blocks of `run` make, and empty `run`."""
    if not run:
        return
    start, end = run[0].start, run[-1].end
    titles = tuple(title for _, title in headings)
    clue = document.text[start:end] if end - start >= CLUE_LENGTH else document.text
    language = language_of(clue)
    passages.append(Passage(document, start, end, titles, tuple(run), language, lexicon))
    run.clear()
