"""Questions and answers in the text itself: in bold or alone on a line, behind "Q:", as a term."""

import re
from collections.abc import Iterator, Sequence

from testset.corpus.plain import Block
from testset.rules.candidate import Candidate
from testset.rules.structure.answers import answer_of, candidate_of
from testset.rules.structure.headings import is_question
from testset.rules.structure.outline import Section

__all__ = ["faq"]

_PROSE = frozenset({"paragraph", "item"})


def faq(section: Section) -> Iterator[Candidate]:
    """Yield the questions that stand in a section, each with its answer, up to the next one."""
    blocks = section.body
    asks = [_asked(section, block) for block in blocks]
    for number, (question, rest) in enumerate(asks):
        if not question:
            continue
        if rest is not None:
            yield from _inside(section, question, rest)
            continue
        ends = (n for n in range(number + 1, len(blocks)) if asks[n][0])
        answer = answer_of(section, blocks[number + 1 : next(ends, len(blocks))])
        if answer is not None and number + 1 < len(blocks) and _alike(blocks, number):
            yield candidate_of(section, question, answer, "factoid", "faq", alone=True)


def _asked(section: Section, block: Block) -> tuple[str, tuple[int, int] | None]:
    """Return the question that a block begins with, and where its answer is in it, if it is."""
    if block.kind == "definition":
        term = section.cells(block)[0]
        return (term, block.cells[-1]) if is_question(section, term) else ("", None)
    if block.kind not in _PROSE:
        return "", None
    asking, answering = (f"(?:{m})" for m in section.language.structure.question_and_answer)
    text = section.text(block)
    mark = re.match(rf"{asking}\s*[.:：)]\s*", text, re.IGNORECASE)
    first, _, rest = text[mark.end() if mark else 0 :].partition("\n")
    if mark and (found := re.search(rf"[?？]\s+(?={answering}\s*[.:：)])", first, re.IGNORECASE)):
        first, rest = first[: found.start() + 1], text[mark.end() + found.end() :]
    if not is_question(section, first) or re.search(r"[.。!！?？]\s*\S", first):
        return "", None
    if not rest.strip():
        return first, None
    start = len(text) - len(rest)
    if found := re.match(rf"\s*{answering}\s*[.:：)]\s*", rest, re.IGNORECASE):
        start += found.end()
    return first, (block.start + start, block.end)


def _inside(section: Section, question: str, place: tuple[int, int]) -> Iterator[Candidate]:
    """Yield a question whose answer stands in the same block."""
    answer = Block("paragraph", *place)
    if answer_of(section, [answer]) is not None:
        yield candidate_of(section, question, [answer], "factoid", "faq", alone=True)


def _alike(blocks: Sequence[Block], number: int) -> bool:
    """Return whether what follows a question is no further item of the same list."""
    one, two = blocks[number], blocks[number + 1]
    return one.kind != "item" or two.kind != "item" or two.level > one.level
