"""When: the year, day or century in a clause whose subject is named."""

import re
from collections.abc import Iterator, Sequence

from testset.rules.chinese.clause import Clause
from testset.rules.chinese.closed_classes import NAME, NO_SUBJECT, NOT_A_NOUN, TIME
from testset.rules.chinese.predicate import VERBS, predicate
from testset.rules.chinese.subject import named, stated
from testset.rules.passage_candidate import Candidate

__all__ = ["begun", "dated", "fronted_dates", "since"]

LONGEST_BETWEEN = 4
"""Characters between a subject and its date; more of them hold a verb of their own."""
SHORTEST_SAID = 6
"""Characters of a predicate that clauses follow; a shorter one leaves what matters to them."""
_LATER = r"(?!代|至|到|[-–—~～]|间|以|之|前|后|的|来|左右|[春夏秋冬]|起|[上下]午|[^，]{0,4}月|\d)"
_AT = re.compile(rf"(?P<at>[在于]|(?=从))(?P<date>{TIME}){_LATER}(?=[^，]{{2}})")
_BEGUN = re.compile(
    r"^(?P<topic>[^，]{2,26}?)(?P<verb>(?:正式|首次|最早)?(?:成立|建立|创建|创立|创办|出生|诞生|"
    r"去世|逝世|死|卒|建成|建造|竣工|完工|完成|开业|开馆|开放|开通|开学|启用|落成|发布|发行|出版|"
    r"发表|上映|首播|播出|签署|签订|生效|通过|颁布|始建|建|兴建|创刊|开始|结束|起源|爆发|毕业|当选|"
    rf"退役|退休|解散|关闭|破产|独立|合并|统一|推出|问世|始|成|灭亡))[于在](?P<date>{TIME})$"
)
_ONLY_DATE = re.compile(rf"^[早就]*[在于]?(?P<date>{TIME})$")
_DATE_FIRST = re.compile(rf"^[在于]?(?P<date>{TIME}){_LATER}(?P<said>[^\d].{{5,44}})$")
_SINCE = re.compile(rf"^[自从](?P<date>{TIME})(?P<since>以来|起|开始|后|之后)$")
_TIMES = re.compile(r"\d ?年|世纪")
_NAMED_FIRST = re.compile(rf"^.{{0,3}}(?:{NAME.pattern})")
_VERB = re.compile(rf"(?:{VERBS})")
_WITHIN = re.compile(r"的[^，的]{1,6}(?:中|时|后|期间|之际)")
_REPORT = re.compile(r"报告|报道|调查|研究(?![所院生室])|估计|预测|显示|表明|预计|据")


def dated(clause: Clause) -> Iterator[Candidate]:
    """Ask for the date after "于" or "在": "X于1899年落成" -> "X于哪一年落成？"."""
    found, taken = list(_AT.finditer(clause.text)), predicate(clause.text)
    if len(found) != 1 or taken is None or not named(taken.topic):
        return
    match = found[0]
    before, after = clause.text[: match.start()], clause.text[match.end() :]
    if _TIMES.search(before + after) or not stated(before + after) or len(before) < 2:
        return
    if _REPORT.search(before + after) or len(before) < len(taken.topic):
        return
    between = before[len(taken.topic) :]
    if len(between) > LONGEST_BETWEEN and not re.search(r"[由被]", between):
        return
    if "了" in before or _WITHIN.search(after):
        return
    question = f"{before}{match['at'] or '在'}{_asks(match['date'])}{after}？"
    yield from clause.ask(question, match["date"], "temporal", 0.92)


def begun(clause: Clause) -> Iterator[Candidate]:
    """Ask for the date that ends a clause: "X成立于1899年" -> "X成立于哪一年？"."""
    match = _BEGUN.match(clause.text)
    if match is None or not named(match["topic"]):
        return
    question = f"{match['topic']}{match['verb']}于{_asks(match['date'])}？"
    yield from clause.ask(question, match["date"], "temporal", 0.93)


def fronted_dates(clause: Clause) -> Iterator[Candidate]:
    """Ask for the date that opens a sentence; the question word goes after the subject."""
    if only := _ONLY_DATE.match(clause.text):
        said = clause.after[0] if clause.first and clause.after else ""
        date = only["date"]
    elif (match := _DATE_FIRST.match(clause.text)) and clause.first:
        said, date = match["said"], match["date"]
    else:
        return
    rest = clause.after[1 if only else 0 :]
    if _TIMES.search(said) or not stated(said) or _REPORT.search(said):
        return
    yield from _put(clause, said, date, rest)


def _put(clause: Clause, said: str, date: str, rest: Sequence[str]) -> Iterator[Candidate]:
    """Yield the question of a statement; a short one is told with the clause after it."""
    found = predicate(said)
    if found is not None and named(found.topic):
        told = found.said
        if rest and len(told) < SHORTEST_SAID:
            if not stated(rest[0]) or predicate(rest[0]) or not _VERB.match(rest[0]):
                return
            told = f"{told}，{rest[0]}"
        question = f"{found.topic}在{_asks(date)}{told}？"
        yield from clause.ask(question, date, "temporal", 0.9)
        return
    unclear = NOT_A_NOUN.search(said) or NO_SUBJECT.match(said) or rest
    if _NAMED_FIRST.match(said) and not unclear:
        yield from clause.ask(f"{said}是在{_asks(date)}？", date, "temporal", 0.82)


def since(clause: Clause) -> Iterator[Candidate]:
    """Ask since when: "自1899年以来，X一直V" -> "X从什么时候开始一直V？"."""
    match = _SINCE.match(clause.text)
    if match is None or not clause.first or not clause.after or not stated(clause.after[0]):
        return
    found = predicate(clause.after[0])
    if found is None or not named(found.topic) or _TIMES.search(found.said):
        return
    said = re.sub(r"^(?:就|便)?(?:一直|开始)?", "", found.said)
    question = f"{found.topic}从{_asks(match['date'])}开始{said}？"
    yield from clause.ask(question, match["date"], "temporal", 0.9)


def _asks(date: str) -> str:
    """Return the question word for a time written in this form."""
    if date.endswith("日"):
        return "哪一天"
    return "哪一年" if re.fullmatch(r"\d{3,4} ?年", date) else "什么时候"
