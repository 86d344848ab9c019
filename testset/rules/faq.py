"""Questions and answers in the text itself: in bold or alone on a line, behind "Q:", as a term."""

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from testset.corpus.plain import Block
from testset.rules.answers import answer_of, candidate_of
from testset.rules.candidate import Candidate
from testset.rules.casing import spoken
from testset.rules.headings import is_question
from testset.rules.outline import Section

_PROSE = frozenset({"paragraph", "item"})


class _Question(NamedTuple):
    """What a block asks."""

    question: str
    """Empty if it says too little to be asked alone; it still ends the answer before it."""
    answer: Block | None
    """What stands behind it in the same block."""
    set_apart: bool
    """Whether it is marked as a question, or in bold; another one may only be rhetoric."""


def faq(section: Section) -> Iterator[Candidate]:
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
            question = spoken(ask.question, section.outline.words, section.language)
            yield candidate_of(section, question, answer, "factoid", "faq")


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
