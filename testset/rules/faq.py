"""Questions that a document asks itself: headings, lines in bold or alone, behind "Q:", terms."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePath
from typing import NamedTuple

from llamaindex_rag_eval.judge.rules.tokens import is_cjk
from testset.corpus.plain import Block
from testset.rules.answers import answer_of
from testset.rules.candidate import Candidate
from testset.rules.casing import spoken
from testset.rules.outline import Outline, Section
from testset.rules.titles import named

FEWEST = 3
"""Questions of a document that answers questions; of others, they are rhetoric or exercises."""
MOST_OTHERS = 2
"""Sections without a question, as what introduces and closes a page, or half as many as with one:
more are a guide, whose questions leave out what it is about."""
FEWEST_WORDS = 4
"""Words of a question at least; "In a hurry?" says too little. Two characters of Chinese or
Japanese count as one."""
LONGEST = 110
"""Characters of a question at most; a longer one is no heading."""
_SPEAKER = re.compile(r"(?:@|\[)?[^\W\d_a-z][\w.\]-]*(?: [^\W\d_a-z]\w*)?: ")
"""Who asks, in minutes."""
_PROSE = frozenset({"paragraph", "item"})


class _Question(NamedTuple):
    """What a block asks."""

    question: str
    """Empty if it says too little to be asked alone; it still ends the answer before it."""
    answer: Block | None
    """What stands behind it in the same block."""
    set_apart: bool
    """Whether it is marked as a question, or in bold; another one may only be rhetoric."""


def faq(outline: Outline) -> Iterator[Candidate]:
    """Yield the questions of a document that only answers questions, each with its answer."""
    sections = [each for each in outline.sections if each.body]
    drafts = [draft for each in sections for draft in (*_headed(each), *_inside(each))]
    asking = sum(map(_asks, sections))
    others = len(sections) - asking
    mostly = others <= max(MOST_OTHERS, asking / 2)
    yield from drafts if max(asking, len(drafts)) >= FEWEST and mostly else ()


def general_faq(outlines: Iterable[Outline]) -> frozenset[str]:
    """Return the documents of questions about all that a collection is about, one a language.

    Their title says only that they are one, as "FAQ". Of several, each is about a part, which its
    questions leave out, as those of a page with a title of its own do.
    """
    pages: dict[str, list[str]] = defaultdict(list)
    for outline in outlines:
        doc_id, language = outline.document.doc_id, outline.language
        if not language.names(outline.title or PurePath(doc_id).stem) and any(faq(outline)):
            pages[language.code].append(doc_id)
    return frozenset(own[0] for own in pages.values() if len(own) == 1)


def _asks(section: Section) -> bool:
    """Return whether a section is a question, or one stands in it."""
    marked = (_question_in(section, block) for block in section.body)
    return is_question(section, section.heading) or any(ask and ask.set_apart for ask in marked)


def _headed(section: Section) -> Iterator[Candidate]:
    """Yield the question that a heading is, with the whole of what stands below it."""
    if not section.whole or not is_question(section, section.heading):
        return
    asks = (is_question(section, section.text(block)) for block in section.body)
    end = next((number for number, ask in enumerate(asks) if ask), None)
    yield from _answered(section, section.heading, section.body[:end] or section.body[:1])


def _inside(section: Section) -> Iterator[Candidate]:
    """Yield the questions that stand in a section, each with its answer, up to the next one."""
    blocks = section.body
    asks = [_question_in(section, block) for block in blocks]
    alone = sum(ask is not None for ask in asks) == 1
    for number, ask in enumerate(asks):
        if ask is None or not ask.question or (alone and not ask.set_apart):
            continue
        ends = (n for n in range(number + 1, len(blocks)) if asks[n] is not None)
        below = blocks[number + 1 : next(ends, len(blocks))]
        if ask.answer is None and not (below and blocks[number].kind != "item"):
            continue
        yield from _answered(section, ask.question, below if ask.answer is None else [ask.answer])


def _answered(section: Section, question: str, blocks: Sequence[Block]) -> Iterator[Candidate]:
    """Yield a question with its answer; nothing if one of them needs its page to be understood."""
    language = section.language
    answer = answer_of(section, [_unmarked(section, blocks[0]), *blocks[1:]])
    if answer is None or not section.clean(question) or language.speaks(question):
        return
    text, span = "\n".join(map(section.text, answer)), section.span(answer)
    said = spoken(named(question), section.outline.words, language)
    yield Candidate(said, text, ((span,),), "factoid", "faq", language.code)


def is_question(section: Section, text: str) -> bool:
    """Return whether a line is a question that says enough, and no more than a heading does."""
    words = len(text) // 2 if is_cjk(text) else len(text.split())
    if words < FEWEST_WORDS or len(text) > LONGEST:
        return False
    spoken = _SPEAKER.match(text) or not re.match(r"(?!\d+\s)[\w¿\"'“„«‘「『(（]", text)
    return section.language.is_question(text) and not spoken


def _question_in(section: Section, block: Block) -> _Question | None:
    """Return the question that a block begins with; `None` if it begins with none."""
    if block.kind == "definition":
        term, (start, end) = section.cells(block)[0], block.cells[-1]
        answer = Block("paragraph", start, end)
        return _Question(term, answer, set_apart=True) if is_question(section, term) else None
    if block.kind not in _PROSE:
        return None
    asking, answering = section.language.answers
    text = section.text(block)
    mark = _mark(asking, text)
    first, _, rest = text[mark:].partition("\n")
    if mark and (
        match := re.search(rf"[?？]\s+(?=(?:{answering})\s*[.:：)])", first, re.IGNORECASE)
    ):
        first, rest = first[: match.start() + 1], text[mark + match.end() :]
    set_apart = mark > 0 or section.is_bold(block)
    several = not set_apart and re.search(r"[.。!！?？]\s*\S", first)
    if several or not is_question(section, first):
        ends = mark or (set_apart and not several and first.rstrip().endswith(("?", "？")))
        return _Question("", None, set_apart=True) if ends else None
    if not rest.strip():
        return _Question(first, None, set_apart)
    start = block.start + len(text) - len(rest)
    return _Question(first, Block("paragraph", start, block.end), set_apart)


def _mark(marks: str, text: str) -> int:
    """Return where a text begins behind a mark as "Q:"; 0 if it has none."""
    match = re.match(rf"\s*(?:{marks})\s*[.:：)]\s*", text, re.IGNORECASE)
    return match.end() if match else 0


def _unmarked(section: Section, block: Block) -> Block:
    """Return an answer without the mark before it."""
    answering = section.language.answers[1]
    return replace(block, start=block.start + _mark(answering, section.text(block)))
