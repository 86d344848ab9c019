"""Headings that are questions: an FAQ already holds what people ask, and the answer below it."""

import re
from collections.abc import Iterator

from testset.passages import Passage
from testset.rules.candidate import Candidate

__all__ = ["faq"]

_ASKS = ("?", "？", "か。")
_MARKED = re.compile(r"(?:Q|Question|Frage|質問|问)[:：.]\s*(?P<question>.+[?？])\s*$")
LONGEST_ANSWER = 600


def faq(passage: Passage) -> Iterator[Candidate]:
    """Yield the question of the nearest heading with the paragraph under it as its answer."""
    question = passage.headings[-1].strip() if passage.headings else ""
    paragraph = next((block for block in passage.blocks if block.kind == "paragraph"), None)
    if not question.endswith(_ASKS) or paragraph is None or paragraph != passage.blocks[0]:
        return
    answer = passage.block_text(paragraph)
    if len(answer) > LONGEST_ANSWER or not _single(question):
        return
    yield Candidate(
        question, " ".join(answer.split()), paragraph.start, paragraph.end, "factoid", "faq", 1.0
    )


def _single(question: str) -> bool:
    """Return whether the heading is one question, not a remark and a question about it."""
    return len(re.findall(r"[.!?？。](?:\s|$)", question)) == 1
