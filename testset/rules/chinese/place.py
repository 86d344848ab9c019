"""Where: the place that ends a clause about a named subject."""

import re
from collections.abc import Iterator

from testset.rules.chinese.clause import Clause
from testset.rules.chinese.closed_classes import CUT_OFF, DATE
from testset.rules.chinese.subject import named
from testset.rules.passage_candidate import Candidate

__all__ = ["birthplaces", "places", "venues"]

_LIES = re.compile(
    r"^(?P<topic>[^，]{2,24}?)(?P<verb>位于|坐落于|坐落在|地处|座落于|座落在)(?P<answer>[^，。；]{2,30})$"
)
_BORN = re.compile(
    rf"^(?P<topic>[^，]{{2,20}}?)(?:于{DATE})?(?P<verb>出生|去世|逝世|下葬|诞生)[于在]"
    r"(?P<answer>[^，。；\d]{2,24})$"
)
_HELD = re.compile(
    rf"^(?P<topic>[^，]{{2,24}}?)(?P<when>(?:[于在]?{DATE})?)在(?P<answer>[^，。；\d的]{{2,16}})"
    r"(?P<verb>举行|举办|召开|成立|出生|去世|逝世|首演|首映|上映|开幕|签署|签订|爆发|打响|建成|展出)$"
)
_NO_PLACE = re.compile(r"(?:时|期间|之后|之前|过程中|情况下|领导下|支持下|年|月|日|天|世纪|以后)$")


def places(clause: Clause) -> Iterator[Candidate]:
    """Ask where a thing lies: "X位于Y" -> "X位于哪里？"."""
    match = _LIES.match(clause.text)
    if match is None or not named(match["topic"]) or CUT_OFF.search(match["topic"]):
        return
    if re.search(r"[是有]|之[上下间]$", match["answer"]):
        return
    yield from clause.ask(f"{match['topic']}{match['verb']}哪里？", match["answer"], "place", 0.93)


def birthplaces(clause: Clause) -> Iterator[Candidate]:
    """Ask where somebody was born or died."""
    match = _BORN.match(clause.text)
    if match is None or not named(match["topic"]) or _NO_PLACE.search(match["answer"]):
        return
    if match["answer"].endswith("的") or "·" in match["answer"]:
        return
    question = f"{match['topic']}{match['verb']}于哪里？"
    yield from clause.ask(question, match["answer"], "place", 0.93)


def venues(clause: Clause) -> Iterator[Candidate]:
    """Ask where an event took place: "X在Y举行" -> "X在哪里举行？"."""
    match = _HELD.match(clause.text)
    if match is None or not named(match["topic"]) or _NO_PLACE.search(match["answer"]):
        return
    question = f"{match['topic']}{match['when']}在哪里{match['verb']}？"
    yield from clause.ask(question, match["answer"], "place", 0.92)
