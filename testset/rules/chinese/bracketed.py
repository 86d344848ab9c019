"""What stands in brackets behind a name: when somebody lived, how a name is shortened."""

import re
from collections.abc import Iterator

from testset.corpus.passages import Passage, Sentence
from testset.rules.chinese.closed_classes import SOUNDS
from testset.rules.chinese.predicate import predicate
from testset.rules.chinese.subject import known
from testset.rules.passage_candidate import Candidate, Kind

__all__ = ["bracketed"]

QUALITY = 0.79
"""Below what clauses give: most people ask for what is told, not for what is in brackets."""

_LIVED = re.compile(
    rf"(?<![·•‧{SOUNDS}])(?P<name>[{SOUNDS}]{{1,7}}(?:[·•‧][{SOUNDS}]{{1,7}})+)"
    r" ?[（(](?P<years>(?:公元前?)?\d{3,4} ?年?"
    r" ?[-–—~～至] ?\d{3,4} ?年?)"
)
_SHORT = re.compile(
    r"(?:^|[，。；：、“])(?P<name>[\u4e00-\u9fff]{4,16})"
    r" ?[（(](?:简称|缩写为?|英文缩写为?)?[:：]? ?"
    r"(?P<short>[A-Z][A-Z&.-]{1,7})[)）]"
)


def bracketed(passage: Passage) -> Iterator[Candidate]:
    """Ask for the years of a life and for the abbreviation of a name."""
    for sentence in passage.sentences:
        for match in _LIVED.finditer(sentence.text):
            question = f"{match['name']}的生卒年份是什么？"
            yield _made(sentence, question, match["years"], "temporal")
        for match in _SHORT.finditer(sentence.text):
            if (
                known(match["name"])
                and not predicate(match["name"] + "等等等")
                and not re.search(r"[的是在和与]", match["name"])
            ):
                question = f"{match['name']}的英文缩写是什么？"
                yield _made(sentence, question, match["short"], "naming")


def _made(sentence: Sentence, question: str, answer: str, kind: Kind) -> Candidate:
    place = (sentence.start, sentence.end)
    return Candidate(question, answer.strip(), *place, kind, f"chinese.{kind}", QUALITY)
