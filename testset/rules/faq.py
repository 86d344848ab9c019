"""Questions that a document asks itself: headings, lines in bold or alone, behind "Q:", terms."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from llamaindex_rag_eval.judge.rules.tokens import is_cjk
from testset.corpus.plain import Block
from testset.rules.answers import answer_of, candidate_of
from testset.rules.candidate import Candidate
from testset.rules.casing import spoken
from testset.rules.outline import Outline, Section

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
    yield from drafts if len(drafts) >= FEWEST and mostly else ()


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
    answer = answer_of(section, [_unmarked(section, section.body[0]), *section.body[1:end]])
    if answer is not None and section.clean(section.heading):
        yield _candidate(section, section.heading, answer)


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
        blocks_below = [_unmarked(section, below[0]), *below[1:]] if below else []
        answer = answer_of(section, blocks_below if ask.answer is None else [ask.answer])
        if answer is not None:
            yield _candidate(section, ask.question, answer)


def _candidate(section: Section, question: str, answer: tuple[Block, ...]) -> Candidate:
    said = spoken(question, section.outline.words, section.language)
    return candidate_of(section, said, answer, "factoid", "faq")


def is_question(section: Section, text: str) -> bool:
    """Return whether a line is a question that says enough, and no more than a heading does."""
    words = len(text) // 2 if is_cjk(text) else len(text.split())
    if words < FEWEST_WORDS or len(text) > LONGEST:
        return False
    spoken = _SPEAKER.match(text) or not re.match(r"[\w¿\"'“„«‘「『(（]", text)
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
    answer = _unmarked(section, Block("paragraph", start, block.end))
    return _Question(first, answer, set_apart)


def _mark(marks: str, text: str) -> int:
    """Return where a text begins behind a mark as "Q:"; 0 if it has none."""
    match = re.match(rf"\s*(?:{marks})\s*[.:：)]\s*", text, re.IGNORECASE)
    return match.end() if match else 0


def _unmarked(section: Section, block: Block) -> Block:
    """Return an answer without the mark before it."""
    answering = section.language.answers[1]
    return replace(block, start=block.start + _mark(answering, section.text(block)))
