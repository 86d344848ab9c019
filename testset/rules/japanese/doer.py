"""Japanese, who did it: "X大学はY憲章を採択した" -> "Y憲章を採択したのはどこですか?"."""

import re
from collections.abc import Iterator

from testset.rules.japanese.clause import Clause
from testset.rules.japanese.closed_classes import POINTING, SORTS
from testset.rules.japanese.conjugation import is_negative
from testset.rules.japanese.making import made
from testset.rules.japanese.standing import named, word_for
from testset.rules.passage_candidate import Candidate

__all__ = ["PERSONAL", "doers"]

PERSONAL = re.compile(
    r"(?:結婚|就任|当選|立候補|入団|入学|卒業|引退|辞任|退任|死去|誕生|出演|留学|即位|退位|"
    r"述べ|語っ|告白|発言|生まれ|亡くな|除名され|逮捕され|選出され|任命され)"
)
"""What only people do, or is done to people alone."""
_DONE = re.compile(r"(?:[っいえけせてねへめれげぜでべしきちりみび]た|[んい]だ|ている|ていた)$")
_SPECIFIC = 10
_LONG_ENOUGH = 20
_LONGEST = 52


def doers(clause: Clause) -> Iterator[Candidate]:
    """Yield "...したのは誰ですか?" where the topic is known to be a person, a body or a place."""
    rest = clause.rest
    if not clause.about or is_negative(rest) or not _DONE.search(rest) or _MANY.search(rest):
        return
    told = f"{clause.lead}{rest}"
    if "の" in clause.topic[-3:] or (clause.case == "が" and not _DATED.search(told)):
        return
    word = _word(clause, told)
    if not word or not _SPECIFIC <= len(told) <= _LONGEST or POINTING.search(told):
        return
    if len(re.findall(r"\d{3,4}年", told)) <= 1 and _tells(told):
        asked = f"{told}のは{word}ですか?"
        yield from made(clause, asked, clause.topic, "factoid", "doer", 0.9)


def _word(clause: Clause, told: str) -> str:
    """Return the question word for a topic; empty where it might be any."""
    topic, rest = clause.topic, clause.rest
    if len(topic) < _SHORTEST_NAME or _TIME.search(topic):
        return ""
    if rest.endswith(("ました", "のであった", "のである")):
        return ""
    word = word_for(topic)
    if word != "何":
        return word
    if PERSONAL.search(rest[-8:]) and len(topic) <= _LONGEST_NAME:
        return "誰"
    return "何" if "を" not in rest and _is_thing(topic) and _DATED.search(told) else ""


_DATED = re.compile(r"\d{3,4}年|「|『")
_LONGEST_NAME = 12
_SHORTEST_NAME = 3
_TIME = re.compile(r"(?:以降|以来|以後|以前|時代|当時|現在|[後前中時年])$")
_MANY = re.compile(
    r"[^でに]は|が.*、|、.*、|(?<!ため)(?<!年)(?<!で)(?<!に)(?<!来)(?<!もって)、|"
    r"^(?:あまり|急遽|のち)|では"
)
"""More than one clause, or more than one thing that the sentence is about."""


def _is_thing(topic: str) -> bool:
    return SORTS.search(topic) is not None or "「" in topic


def _tells(told: str) -> bool:
    """Return whether what was done is told so that few can have done it."""
    undated = re.sub(r"\d{3,4}年(?:\d{1,2}月)?(?:\d{1,2}日)?[に、]?", "", told)
    thing = re.search(r"(?P<thing>[^、をに]{3,40})[をに]", undated)
    return thing is not None and (
        re.search(r"「|『|最[初古大]|初めて", told) is not None
        or named(thing["thing"])
        or (re.search(r"\d{3,4}年", told) is not None and len(told) > _LONG_ENOUGH)
    )
