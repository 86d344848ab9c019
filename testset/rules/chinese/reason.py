"""Why, how and what for."""

import re
from collections.abc import Iterator

from testset.rules.chinese.clause import Clause
from testset.rules.chinese.closed_classes import CUT_OFF, POINTING
from testset.rules.chinese.predicate import predicate
from testset.rules.chinese.subject import known, named, stated
from testset.rules.passage_candidate import Candidate

__all__ = ["aims", "causes", "means", "purposes", "reasons"]

SHORTEST_REASON = 7
"""Characters, its first word included; a shorter one gives no reason worth asking for."""
_BECAUSE = re.compile(r"^(?:主要|部分|只|仅)?是?(?P<answer>(?:因为|由于)[^，。；]{4,60})$")
_SO = re.compile(r"^(?:所以|因此|因而|故)?(?P<said>.+)$")
_HENCE = re.compile(
    r"^(?P<topic>[^，]{2,24}?)(?P<answer>(?:因|由于|因为)[^，。；]{3,36}?)(?P<said>而[^，。；]{2,24})$"
)
_REASON = re.compile(
    r"^(?P<topic>[^，]{2,26}?)(?P<what>的(?:主要)?(?:原因|理由))(?:是|在于)(?P<answer>[^，。；]{4,60})$"
)
_BY_MEANS = re.compile(
    r"^(?P<topic>[^，]{2,24}?)(?P<answer>(?:通过|借助)[^，。；]{3,40}?)(?<![带起后从以看])(?:来|以)(?P<said>[^，。；]{3,30})$"
)
_IN_ORDER = re.compile(r"^(?P<answer>为了?[^，。；]{4,40})$")
_SO_AS_TO = re.compile(
    r"^(?P<answer>(?:以便|旨在|以期|以(?=提高|减少|避免|防止|保护|确保|支持|满足|实现|获得|保证|增加|改善|"
    r"提供|鼓励|激励|纪念|应对|解决|维持|加强|促进|取代|适应))[^，。；]{4,50})$"
)
_THROUGH = re.compile(r"^(?P<topic>[^，]{2,24}?)(?P<answer>通过[^，。；]{3,40})$")
_AIMS = re.compile(
    r"^(?P<topic>[^，]{2,26}?)(?P<what>的(?:主要)?(?:目的|目标|宗旨|用途|作用|任务|使命))(?:是|在于)"
    r"(?P<answer>[^，。；]{4,60})$"
)
_USED = re.compile(
    r"^(?P<topic>[^，]{2,24}?)(?P<verb>(?:通常|主要|常|经常|可以?|广泛)*被?(?:(?<![适应专作使利套实费])用(?:于|来|作)|[专适]用于))(?P<answer>[^，。；]{3,50})$"
)


def reasons(clause: Clause) -> Iterator[Candidate]:
    """Ask why: "由于P，X Q" and "X Q，因为P" -> "X为什么Q？"."""
    match = _BECAUSE.match(clause.text)
    if match is None:
        return
    if clause.first and clause.after:
        said = _SO.match(clause.after[0])
        told = said["said"] if said else ""
    else:
        told = clause.before[-1] if clause.before else ""
    yield from _why(clause, told, match["answer"])


def _why(clause: Clause, told: str, answer: str) -> Iterator[Candidate]:
    taken = predicate(told) if stated(told) else None
    if (
        taken is None
        or not named(taken.topic)
        or CUT_OFF.search(answer)
        or len(answer) < SHORTEST_REASON
        or re.search(r"\d%|[问如]何|什么", told)
    ):
        return
    yield from clause.ask(f"为什么{told}？", answer, "reason", 0.9)


def causes(clause: Clause) -> Iterator[Candidate]:
    """Ask why: "X因P而Q" -> "X为什么Q？", and "X的原因是P" -> "X的原因是什么？"."""
    if (match := _HENCE.match(clause.text)) and named(match["topic"]):
        said = match["said"].removeprefix("而")
        if not re.match(r"(?:闻名|出名|著名|得名|著称)", said) and stated(match["topic"] + said):
            question = f"{match['topic']}为什么{said}？"
            yield from clause.ask(question, match["answer"], "reason", 0.9)
    match = _REASON.match(clause.text)
    if match and clause.last and predicate(match["topic"]) and not POINTING.search(match["topic"]):
        question = f"{match['topic']}{match['what']}是什么？"
        yield from clause.ask(question, match["answer"], "reason", 0.88)


def means(clause: Clause) -> Iterator[Candidate]:
    """Ask how: "X通过P来Q" -> "X如何Q？"."""
    match = _BY_MEANS.match(clause.text)
    if match is None or not known(match["topic"]) or not stated(match["topic"] + match["said"]):
        return
    question = f"{match['topic']}如何{match['said']}？"
    yield from clause.ask(question, match["answer"], "factoid", 0.9)


def aims(clause: Clause) -> Iterator[Candidate]:
    """Ask why where a clause tells the aim: "X Q，以便P" -> "X为什么Q？"."""
    match = _SO_AS_TO.match(clause.text)
    if match and len(clause.before) == 1:
        yield from _why(clause, clause.before[0], match["answer"])
    match = _THROUGH.match(clause.text)
    if match is None or not clause.first or not known(match["topic"]):
        return
    said = clause.after[-1].removeprefix("来") if clause.after else ""
    if clause.after and clause.after[-1].startswith("来") and stated(match["topic"] + said):
        yield from clause.ask(f"{match['topic']}如何{said}？", match["answer"], "factoid", 0.88)


def purposes(clause: Clause) -> Iterator[Candidate]:
    """Ask what for: "为了P，X Q" -> "X为什么Q？", "X用于P", "X的目的是P"."""
    if (match := _IN_ORDER.match(clause.text)) and clause.first and clause.after:
        yield from _why(clause, clause.after[0], match["answer"])
    if (match := _USED.match(clause.text)) and known(match["topic"]) and clause.last:
        question = f"{match['topic']}{match['verb']}什么？".replace("用来什么", "用来做什么")
        yield from clause.ask(question, match["answer"], "factoid", 0.87)
    if (match := _AIMS.match(clause.text)) and named(match["topic"]) and clause.last:
        question = f"{match['topic']}{match['what']}是什么？"
        yield from clause.ask(question, match["answer"], "factoid", 0.9)
