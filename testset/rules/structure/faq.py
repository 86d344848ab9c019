"""Questions and answers in the text itself: in bold or alone on a line, behind "Q:", as a term."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from testset.corpus.plain import Block
from testset.rules.candidate import Candidate
from testset.rules.structure.answers import answer_of, candidate_of, in_setting
from testset.rules.structure.casing import spoken
from testset.rules.structure.headings import is_question
from testset.rules.structure.outline import Section

_PROSE = frozenset({"paragraph", "item"})


class _Question(NamedTuple):
    """What a block asks."""

    question: str
    """Empty if it says too little to be asked alone; it still ends the answer before it."""
    answer: Block | None
    """What stands behind it in the same block."""


def faq(section: Section) -> Iterator[Candidate]:
    """Yield the questions that stand in a section, each with its answer, up to the next one."""
    blocks = section.body
    asks = [_question_in(section, block) for block in blocks]
    for number, ask in enumerate(asks):
        if ask is None or not ask.question:
            continue
        ends = (n for n in range(number + 1, len(blocks)) if asks[n] is not None)
        below = blocks[number + 1 : next(ends, len(blocks))]
        if ask.answer is None and not (below and _alike(blocks, number)):
            continue
        blocks_below = [_unmarked(section, below[0]), *below[1:]] if below else []
        answer = answer_of(section, blocks_below if ask.answer is None else [ask.answer])
        if answer is not None:
            question = spoken(ask.question, section.outline.words, section.language)
            question = in_setting(section, question)
            yield candidate_of(section, question, answer, "factoid", "faq", alone=True)


def answers(section: Section, block: Block) -> bool:
    """Return whether a block answers a question that stands on a line before it."""
    before = [section.text(other) for other in section.blocks if other.start <= block.start]
    return any(re.search(r"[?？]\s*$", text, re.MULTILINE) for text in (section.heading, *before))


def _question_in(section: Section, block: Block) -> _Question | None:
    """Return the question that a block begins with; `None` if it begins with none."""
    if block.kind == "definition":
        term, (start, end) = section.cells(block)[0], block.cells[-1]
        answer = Block("paragraph", start, end)
        return _Question(term, answer) if is_question(section, term) else None
    if block.kind not in _PROSE:
        return None
    asking, answering = section.language.structure.question_and_answer
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
        return _Question("", None) if ends else None
    if not rest.strip():
        return _Question(first, None)
    start = block.start + len(text) - len(rest)
    return _Question(first, _unmarked(section, Block("paragraph", start, block.end)))


def _mark(marks: str, text: str) -> int:
    """Return where a text begins behind a mark as "Q:"; 0 if it has none."""
    match = re.match(rf"\s*(?:{marks})\s*[.:：)]\s*", text, re.IGNORECASE)
    return match.end() if match else 0


def _unmarked(section: Section, block: Block) -> Block:
    """Return an answer without the mark before it."""
    answering = section.language.structure.question_and_answer[1]
    return replace(block, start=block.start + _mark(answering, section.text(block)))


def _alike(blocks: Sequence[Block], number: int) -> bool:
    """Return whether what follows a question is its answer, and not that of a list with it."""
    block, below = blocks[number], blocks[number + 1]
    return block.kind != "item" or (below.kind == "item" and below.level > block.level)
