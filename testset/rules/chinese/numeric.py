"""How many: the one number of a clause whose subject is named, with its measure word."""

import re
from collections.abc import Iterator

from testset.rules.chinese.clause import Clause
from testset.rules.chinese.closed_classes import UNITS
from testset.rules.chinese.predicate import predicate
from testset.rules.chinese.subject import named, stated
from testset.rules.passage_candidate import Candidate

__all__ = ["counts", "shares"]

_ABOUT = r"(?:大约|约|超过|近|将近|接近|多达|高达|至少|最多|不到|仅)"
_DIGITS = "一二两三四五六七八九"
_TENS = "十百千万亿"
_NUMBER = (
    rf"(?:\d[\d,.]*(?: ?[{_TENS}]+)?|[两三四五六七八九十]+[{_TENS}]*|"
    rf"[{_DIGITS}][{_TENS}][{_DIGITS}{_TENS}]*)(?:多|余)?"
)
_COUNT = re.compile(
    rf"(?P<answer>(?P<about>{_ABOUT}?)(?<![A-Za-z\d第.几{_DIGITS}{_TENS}-]) ?"
    rf"(?P<number>{_NUMBER}) ?(?P<unit>{UNITS}))"
    r"(?!以上|以下|以内|以外|[/每前后半比之者级月日份星]|左右|(?<=位)[A-Za-z处系架操码字数])"
)
_NO_COUNT = re.compile(r"(?:[第每与和、·-]|为期)$")
LONGEST_COUNTED = 12
"""Characters after a small number in words; more of them make a clumsy question."""
_COUNTING = re.compile(r"(?:有|含|括|存在|了|达|为|于|分成|共|获得|赢得|失去|编制|建造|出版)$")
"""What stands before a number in words that counts: "三国" counts nothing."""
_SHARE = re.compile(
    rf"(?P<answer>{_ABOUT}?(?:\d[\d.]*(?:[-–~至到]\d[\d.]*)? ?[%％]|"
    r"百分之[一二三四五六七八九十百零点]+))"
)
_OTHER_NUMBERS = re.compile(r"\d|[二两三四五六七八九十百几][个名位座条次所家种]")


def counts(clause: Clause) -> Iterator[Candidate]:
    """Ask for the number: "X有12座塔" -> "X有多少座塔？"."""
    found = list(_COUNT.finditer(clause.text))
    if len(found) != 1 or not _whole(clause):
        return
    match = found[0]
    before, after = clause.text[: match.start()], clause.text[match.end() :]
    if _OTHER_NUMBERS.search(before + after) or _NO_COUNT.search(before):
        return
    if not _said_of(clause, match.start()):
        return
    in_digits = match["number"][0].isdigit()
    if not (in_digits or (_COUNTING.search(before) and len(after) <= LONGEST_COUNTED)):
        return
    asks = "多少" if in_digits else "几"
    question = f"{clause.dated}{before}{asks}{match['unit']}{after}？"
    yield from clause.ask(question, match["answer"], "numeric", 0.88)


def shares(clause: Clause) -> Iterator[Candidate]:
    """Ask for the share: "X占总量的12%" -> "X占总量的百分之多少？"."""
    found = list(_SHARE.finditer(clause.text))
    if len(found) != 1 or not _whole(clause):
        return
    match = found[0]
    before, after = clause.text[: match.start()], clause.text[match.end() :]
    if re.search(r"\d", before + after) or not _said_of(clause, match.start()):
        return
    if not after and before.endswith(("占", "占了", "为", "是", "有")):
        return
    question = f"{clause.dated}{before}百分之多少{after}？"
    yield from clause.ask(question, match["answer"], "numeric", 0.9)


def _whole(clause: Clause) -> bool:
    """Return whether the clause says something of a named subject."""
    taken = predicate(clause.text)
    return taken is not None and named(taken.topic) and stated(clause.text)


def _said_of(clause: Clause, place: int) -> bool:
    """Return whether a place lies in what is said, not in the subject."""
    taken = predicate(clause.text)
    return taken is not None and place >= len(taken.topic)
