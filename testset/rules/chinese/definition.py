"""What is it: definitions, and which one holds a record."""

import re
from collections.abc import Iterator

from testset.rules.chinese.clause import Clause
from testset.rules.chinese.closed_classes import CATEGORY, NAME, NO_SUBJECT, PERSON, POINTING
from testset.rules.chinese.subject import known, named
from testset.rules.passage_candidate import Candidate

__all__ = ["definitions", "record_holders", "records"]

SHORTEST_DEFINITION = 8
"""Characters; a shorter one names a kind and leaves the thing unknown."""
_IS = re.compile(
    r"^(?P<topic>[^，是]{2,20}?)(?:也|就)?是(?:指|(?P<one>一)(?:个|种|座|家|所|条|位|名|支|款|套|类|"
    r"项|本|部|组|门|片|块|颗|台|份|场|间|幢|栋))(?P<answer>[^，。；]{4,60})$"
)
_RECORD = re.compile(
    r"^(?P<topic>[^，是]{2,20}?)(?:也|又)?是(?P<answer>(?P<where>[^，。；是]{2,24}?)(?P<most>最[^的，。；]{1,4}|"
    r"第一[个位座所家条部种]|唯一(?:一?[个位座所家条部种])?|首[个位座所家条部])的?"
    r"(?P<kind>[^，。；]{1,20}))$"
)
_OF_ALL = re.compile(
    r"^(?P<owner>[^，是最]{2,16}?)(?P<record>(?:的|[^，是最]{0,8})?(?:最[^，。；是]{2,12}|"
    r"第一[个位座所家条部种][^，。；是]{1,12}))是(?P<answer>[^，。；]{2,40})$"
)
_TITLE = re.compile(rf"(?P<kind>{CATEGORY})$")
_MANY = re.compile(r"之一|[、和与及]")


def definitions(clause: Clause) -> Iterator[Candidate]:
    """Ask what a named thing is: "X是一座桥" -> "X是什么？"; of a person, who."""
    match = _IS.match(clause.text)
    if match is None or not clause.first or not known(match["topic"]) or "的" in match["topic"]:
        return
    if len(match["answer"]) < SHORTEST_DEFINITION or match["topic"][0] in "“《":
        return
    answer = clause.text[match.start("one") if match["one"] else match.start("answer") :]
    asks = "谁" if PERSON.search(match["answer"]) and "的" not in match["topic"] else "什么"
    yield from clause.ask(f"{match['topic']}是{asks}？", answer, "definition", 0.78)


def record_holders(clause: Clause) -> Iterator[Candidate]:
    """Ask who holds a record: "X是东部最长的河流" -> "东部最长的河流是哪条？"."""
    match = _RECORD.match(clause.text)
    if match is None or not clause.first or not named(match["topic"]):
        return
    record = match["answer"]
    if (
        _MANY.search(record)
        or _MANY.search(match["topic"])
        or POINTING.search(record)
        or NO_SUBJECT.match(record)
    ):
        return
    if match["topic"][0] == "“" or record.endswith("的"):
        return
    if not NAME.search(match["where"]) and len(match["where"]) < 2:
        return
    if PERSON.search(record):
        question = f"谁是{record}？"
    elif found := _TITLE.search(record):
        question = f"哪个{found['kind']}是{record}？"
    else:
        question = f"{record}是什么？"
    yield from clause.ask(question, match["topic"], "factoid", 0.93)


def records(clause: Clause) -> Iterator[Candidate]:
    """Ask what the record is: "X最长的河流是Y" -> "X最长的河流是哪条？"."""
    match = _OF_ALL.match(clause.text)
    if match is None or not clause.first or not named(match["owner"]):
        return
    if match["answer"].endswith(("的", "之一")) or POINTING.search(match["record"]):
        return
    if match["record"].endswith("的"):
        return
    asks = "谁" if PERSON.search(match["record"]) else "什么"
    if not PERSON.search(match["record"]) and _TITLE.search(match["record"]):
        asks = "哪个"
    question = f"{match['owner']}{match['record']}是{asks}？"
    yield from clause.ask(question, match["answer"], "factoid", 0.9)
