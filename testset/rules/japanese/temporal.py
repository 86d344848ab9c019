"""Japanese, when: "X橋は1951年に完成した" -> "X橋が完成したのは何年ですか?"."""

import re
from collections.abc import Iterator

from testset.rules.japanese.clause import Clause
from testset.rules.japanese.conjugation import as_question, is_negative
from testset.rules.japanese.making import made
from testset.rules.japanese.standing import named
from testset.rules.passage_candidate import Candidate

__all__ = ["dates"]

_DATE = re.compile(
    r"(?P<date>(?:西暦|紀元前)?\d{3,4}年(?P<day>\d{1,2}月(?:\d{1,2}日)?)?|\d{1,2}世紀(?:初頭|"
    r"前半|後半|末|半ば)?|\d{4}年代(?:初頭|前半|後半|末|半ば)?)(?P<case>には|に|から|まで|より|"
    r"の|、)?"
)
_HAPPENED = re.compile(r"(?:た|[んい]だ|ました)$")
_RELATIVE = re.compile(r"[るた](?:まで|とき|時|際|ため|後|前|[一-龯ァ-ヶー「])|の[はが]")
"""A verb that something follows: the date may be of that verb, and not of the last."""
_MANY = re.compile(r"、.*、|(?<!ため)(?<!年)(?<!で)(?<!に)(?<!て)、")
"""More than one clause: the date may be of one of them alone."""
_SAYS_LITTLE = 8
_LONGEST = 48
_SPECIFIC = 11


def dates(clause: Clause) -> Iterator[Candidate]:
    """Yield when something happened, from the one date of a clause."""
    whole = clause.whole
    start, end = len(clause.lead), len(whole) - len(clause.rest)
    found = [match for match in _DATE.finditer(whole) if not start <= match.start() < end]
    if len(found) != 1 or len(re.findall(r"\d+年", clause.lead + clause.rest)) > 1:
        return
    date = found[0]
    if re.match(r"に(?:入|わた|なる|なって|かけ)", whole[date.end("date") :]):
        return
    asks = "何年" if date["date"].endswith("年") else "いつ"
    if not _HAPPENED.search(clause.rest) or is_negative(clause.rest):
        return
    if date["case"] in {"に", "には", "、"} and not clause.rest.endswith("ました"):
        yield from _cleft(clause, whole, date, asks)
    if date["case"] in {"に", "から", "まで", "より"} and not clause.lead:
        yield from _in_place(clause, date["date"], asks)


def _cleft(clause: Clause, whole: str, date: re.Match[str], asks: str) -> Iterator[Candidate]:
    """Yield "Xが...したのは何年ですか?"."""
    left = whole[: date.start()] + whole[date.end() :]
    case = clause.case
    if case == "は":
        if re.search(r"[一-龯ァ-ヺーA-Za-z0-9」]が", clause.rest):
            return
        left = left.replace(f"{clause.topic}は", f"{clause.topic}が", 1)
    left = re.sub(r"が、", "が", left.lstrip("、"), count=1)
    if case in {"では", "には"} and not re.search(r"が|[らさまかわばたな]れた$", clause.rest):
        return
    body = left.replace(clause.topic, "", 1)
    if (
        len(left) > _LONGEST + 6
        or len(body) < _SAYS_LITTLE - 3
        or _MANY.search(left)
        or re.search(r"は", left[:-1])
    ):
        return
    bare = not named(body) and len(left) < _SPECIFIC
    asked = f"{left}のは{asks}ですか?"
    yield from made(clause, asked, date["date"], "temporal", "when", 0.75 if bare else 0.93)


def _in_place(clause: Clause, date: str, asks: str) -> Iterator[Candidate]:
    """Yield "Xは何年に...しましたか?"."""
    particle = "" if asks == "いつ" else "に"
    body = clause.rest.replace(f"{date}に、", f"{date}に").replace(f"{date}に", f"{asks}{particle}")
    body = body.replace(date, asks)
    at = body.find(asks)
    if re.search(r"[^でに]は|では、", body):
        return
    if clause.case == "が" or body.count("、") > 1 or len(body) > _LONGEST:
        return
    if (at and body[at - 1] not in "にでをて、") or _RELATIVE.search(body[at:]):
        return
    question = as_question(body)
    if question and clause.about:
        asked = clause.asked(question)
        yield from made(clause, asked, date, "temporal", "when_in_place", 0.91)
