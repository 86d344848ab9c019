"""Headings that are questions: an FAQ already holds what people ask, and the answer below it."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage
from testset.rules.passage_candidate import Candidate

__all__ = ["faq"]

_ASKS = ("?", "？", "か。")
LONGEST_ANSWER = 600
_SENTENCE_END = re.compile(r"[.!?。！？:：]['\"”’)）」]*$")
_ASKED = re.compile(
    r"(?:What|Which|Who|Whom|Whose|When|Where|Why|How|Is|Are|Was|Were|Do|Does|Did|Can|Could|Will|"
    r"Would|Should|May|Must|Has|Have|Had) [^:;–—]+\?$"
)
_PLAIN_ANSWER = re.compile(r"(?:Yes|No|Not|Never|Always|Only|Because|To |By |From |Since )\b")
_NUMBERED = re.compile(r"\d+(?:\.\d+)*\.?\s")
"""How an entry of a table of contents begins."""
_SMALL = 4
"""Letters of words that say little; of longer ones, the first ones are compared."""


def faq(passage: Passage) -> Iterator[Candidate]:
    """Yield the question of the nearest heading with the paragraph under it as its answer."""
    question = passage.headings[-1].strip() if passage.headings else ""
    paragraph = next((block for block in passage.blocks if block.kind == "paragraph"), None)
    if not question.endswith(_ASKS) or paragraph is None or paragraph != passage.blocks[0]:
        return
    answer = passage.block_text(paragraph)
    if len(answer) > LONGEST_ANSWER or not _single(question) or not _says(answer):
        return
    if passage.language == "en" and not _answers(question, answer):
        return
    yield Candidate(
        question, " ".join(answer.split()), *passage.raw_span(paragraph), "factoid", "faq", 1.0
    )


def _says(answer: str) -> bool:
    """Return whether the paragraph is a sentence, not a byline, a button, or a list of contents."""
    if _NUMBERED.match(answer) or answer.rstrip().endswith(_ASKS):
        return False
    return _SENTENCE_END.search(answer) is not None


def _answers(question: str, answer: str) -> bool:
    """Return whether an English heading is asked in full, and the paragraph speaks of it.

    Headlines ask, too, and a byline or an advertisement stands below them.
    """
    if re.search(r"\||\b(?:Published|Updated|Posted)\b", answer):
        return False
    if _ASKED.match(question) is None or len(question.split()) <= _SMALL - 1:
        return False
    if _PLAIN_ANSWER.match(answer):
        return True
    asked, said = (
        {word[:_SMALL] for word in re.findall(r"[a-z]+", text.lower()) if len(word) > _SMALL}
        for text in (question, answer)
    )
    return bool(asked & said)


def _single(question: str) -> bool:
    """Return whether the heading is one question, not a remark and a question about it."""
    return len(re.findall(r"[.!?？。](?:\s|$)", question)) == 1
