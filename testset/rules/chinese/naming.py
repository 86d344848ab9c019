"""What is it called, and what is it known for."""

import re
from collections.abc import Iterator

from testset.rules.chinese.clause import Clause
from testset.rules.chinese.closed_classes import POINTING
from testset.rules.chinese.subject import known, named
from testset.rules.passage_candidate import Candidate

__all__ = ["fame", "names", "stands_for"]

_CALLED = re.compile(
    r"^(?P<topic>[^，]{2,30}?)(?P<how>(?:通常|也|又|常|经常|有时|后来|现在|普遍)*(?:被[^，]{0,8}?)?"
    r"(?:称为|称作|叫做|叫作|誉为|命名为|改名为|更名为|译为|昵称为|简称为?|俗称|别名))"
    r"(?P<answer>[^，。；]{2,30})$"
)
_BARE = frozenset({"称为", "称作", "叫做", "叫作", "命名为"})
"""Of these, the one named stands after the verb as often as before it."""
_KNOWN = re.compile(
    r"^(?P<topic>[^，]{2,26}?)(?P<by>因|以)(?P<answer>[^，。；]{2,36}?)(?P<known>而(?:闻名|出名|著名|"
    r"得名|著称)|(?:闻名|著称))(?:于世)?$"
)
_SHORT = re.compile(
    r"^(?P<topic>[A-Za-z][\w.+-]{1,12})(?:是|代表|即|意为|指的是)(?P<answer>(?:[A-Z][\w-]+ ?){2,6})"
    r"的(?:缩写|简称|首字母缩写)$"
)


def names(clause: Clause) -> Iterator[Candidate]:
    """Ask for the other name: "X也被称为Y" -> "X也被称为什么？"."""
    match = _CALLED.match(clause.text)
    if match is None or not known(match["topic"]) or re.search(r"[、和的]", match["answer"]):
        return
    if (
        match["how"] in _BARE
        or POINTING.search(match["how"])
        or match["answer"].endswith(("的", "时", "后"))
    ):
        return
    question = f"{match['topic']}{match['how']}什么？"
    yield from clause.ask(question, match["answer"], "naming", 0.93)


def fame(clause: Clause) -> Iterator[Candidate]:
    """Ask what a thing is known for: "X以Y闻名" -> "X以什么闻名？"."""
    match = _KNOWN.match(clause.text)
    if match is None or not named(match["topic"]):
        return
    question = f"{match['topic']}{match['by']}什么{match['known']}？"
    yield from clause.ask(question, match["answer"], "reason", 0.92)


def stands_for(clause: Clause) -> Iterator[Candidate]:
    """Ask what an abbreviation stands for."""
    match = _SHORT.match(clause.text)
    if match is not None:
        question = f"{match['topic']}是什么的缩写？"
        yield from clause.ask(question, match["answer"].strip(), "naming", 0.93)
