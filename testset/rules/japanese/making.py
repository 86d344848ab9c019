"""From a question and its answer to a candidate: it must be whole, short, and shown."""

import re
from collections.abc import Iterator

from testset.rules.japanese.clause import Clause
from testset.rules.japanese.closed_classes import POINTING
from testset.rules.passage_candidate import Candidate, Kind

__all__ = ["made"]

LONGEST = 70
"""Characters of a question; people ask shorter."""
LONGEST_ANSWER = 60


def made(
    clause: Clause, question: str, answer: str, kind: Kind, rule: str, quality: float
) -> Iterator[Candidate]:
    """Yield a question, if it is not too long, and its answer can be shown and is not in it."""
    question = re.sub(r"(?<=[ぁ-ん一-龯]) (?=何)", "", question)
    answer = _as_written(answer.strip(), clause.sentence.text)
    if not question or not 1 <= len(answer) <= LONGEST_ANSWER or len(question) > LONGEST:
        return
    if answer in question or _loose(question) or POINTING.search(answer) or _cut(answer):
        return
    where = (clause.sentence.start, clause.sentence.end)
    spoilt = 0.004 * max(0, len(question) - 34)
    yield Candidate(question, answer, *where, kind, f"japanese.{rule}", round(quality - spoilt, 3))


def _as_written(answer: str, text: str) -> str:
    """Return an answer as the sentence has it, with its brackets; empty if it is not there."""
    if answer in text:
        return answer
    between = r"(?:\s*[（(][^（）()]*[）)])?\s*"
    found = re.search(between.join(map(re.escape, answer.replace(" ", ""))), text)
    return found.group() if found else ""


def _loose(question: str) -> bool:
    """Return whether a question points elsewhere, or is no longer one sentence."""
    return bool(POINTING.search(question) or re.search(_UNCLEAR, question))


_UNCLEAR = (
    r"ところによると|\d{4}年.*を.*\d{4}年|いずれ|。|、.*、.*、|たが、|(?<![年\d])\d{1,2}月|(?<![月\d])\d{1,2}日(?!間)|_\d|"
    r"ためました|ためます|結果、|後、"
)


def _cut(answer: str) -> bool:
    """Return whether an answer begins or ends in the middle of something."""
    if re.match(r"[ぁ-ゖー・ ]+$", answer):
        return False
    if re.match(r"通常|主に|普通|大抵|一連", answer):
        return True
    return (
        re.match(r"(?:なく|ない|[でにをがはとのもしてたっるれらへや、・])(?![きも])", answer)
        is not None
    )
