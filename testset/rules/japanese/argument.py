"""Japanese, to what, as what, with whom: one noun phrase of a clause is asked for in its place.

"X山は1975年に国立公園に指定された" -> "X山は1975年に何に指定されましたか?".
"""

import re
from collections.abc import Iterator

from testset.rules.japanese.clause import LISTED, Clause
from testset.rules.japanese.closed_classes import LIST, NOUN, PLACE
from testset.rules.japanese.conjugation import as_question, is_negative
from testset.rules.japanese.doer import PERSONAL
from testset.rules.japanese.making import made
from testset.rules.japanese.standing import is_clear, is_noun_phrase, is_vague, named, word_for
from testset.rules.passage_candidate import Candidate, Kind

__all__ = ["arguments", "sayings", "subjects"]

_DATE = r"\d{3,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?(?:に|、|から|まで)"
_BEFORE = rf"(?P<before>(?:{_DATE})?(?:[^、]{{2,34}}(?:に|で|から|へ|まで|を|、))?)"
_VERB = r"[^、。をがは]{2,18}"
_TO = (
    r"(?:に(?:は)?(?:就任|加盟|参加|加入|由来|属|選出|改組|変更|指定|登録|選ば|任命|使われ|"
    r"用いられ|使用され|利用され|"
    r"分類|基づ|準拠|対応し|含まれ|相当|合併|統合|改称|改名|似て|適し|優れ|影響を|なった|"
    r"なりました|移行|参入|従事|関与|反対|賛成))"
)
_CASES: tuple[tuple[str, re.Pattern[str]], ...] = (
    (
        "として",
        re.compile(rf"^{_BEFORE}(?P<answer>{LIST})(?P<tail>として(?!い)(?:は)?、?{_VERB})$"),
    ),
    ("に", re.compile(rf"^{_BEFORE}(?P<answer>{LIST})(?P<tail>(?=にな|{_TO}){_VERB})$")),
    ("to", re.compile(rf"^{_BEFORE}(?P<answer>{NOUN}(?:の{NOUN})*)(?P<tail>に{_VERB})$")),
    (
        "と",
        re.compile(
            rf"^{_BEFORE}(?P<answer>{NOUN}(?:の{NOUN})*)(?P<tail>と(?:結婚|合併|対立|提携|同盟|"
            rf"締結|国境を|統合|協力|共演|交戦){_VERB})$"
        ),
    ),
    (
        "について",
        re.compile(
            rf"^{_BEFORE}(?P<answer>{LIST})(?P<tail>(?:について|に関して|をめぐって)、?{_VERB})$"
        ),
    ),
    (
        "place",
        re.compile(
            rf"^{_BEFORE}(?P<answer>{NOUN}(?:の{NOUN})*)(?P<tail>(?:で(?!あ|し|は)|へ)、?{_VERB})$"
        ),
    ),
    ("from", re.compile(rf"^{_BEFORE}(?P<answer>{NOUN}(?:の{NOUN})*)(?P<tail>から、?{_VERB})$")),
)
_SAYING = re.compile(
    r"^(?P<before>[^「」]{0,40})(?P<answer>「[^「」]{4,56}」)(?P<tail>と(?:批判|主張|述べ|規定|"
    r"評価|表現|定義|説明|発表|答え|宣言|名付け|命名|発言|呼ん|呼び|回答|非難|呼びかけ|報告|訴え|語っ|称し|表明|強調|指摘|し(?:た|ている)$)[^、。をがは]{0,10})$"
)
_SUBJECT = re.compile(
    rf"^(?P<before>(?:{_DATE}|[^、。はが]{{2,20}}(?:で|に|から|、))?)"
    rf"(?P<answer>(?:[^、。はがを]{{4,24}}である)?{LIST})が、?(?P<tail>[^。はが]{{2,36}})$"
)
_RELATIVE = re.compile(r"[るたうい](?:[一-龯ァ-ヶー「]|すべて|こと|の|もの|ため|よう|ところ)")
_VERBAL = re.compile(r"(?:[たうくつぶむぐ]|(?<!であ)る|(?<!で)す|[んい]だ|ます|ました)$")

_OPEN = re.compile(r"^(?:ある|あった|いる|あります|行われた|行われている|進んだ|出た)$")
_LONG_TOPIC = 8
_SHORTEST = 3
_LONG_LEAD = 13
"""Characters of a circumstance that is more than a date."""


def arguments(clause: Clause) -> Iterator[Candidate]:
    """Yield a question for each noun phrase whose part in the clause its particle tells."""
    if not clause.about or not _VERBAL.search(clause.rest) or is_negative(clause.rest):
        return
    for case, pattern in _CASES:
        match = pattern.match(clause.rest)
        if match is None or not _fits(match, case):
            continue
        if clause.past and case != "に" and not clause.placed(match["before"]):
            continue
        word = _word(case, match["answer"])
        asked = clause.asked(as_question(f"{match['before']}{word}{match['tail']}"))
        if word:
            kind: Kind = "place" if word == "どこ" else "factoid"
            yield from made(clause, asked, match["answer"], kind, "argument", 0.9)


def _word(case: str, answer: str) -> str:
    """Return the question word; empty where the particle alone does not tell."""
    if case == "to":
        word = word_for(answer)
        return word if word != "何" and (named(answer) or "の" in answer) else ""
    if case in {"place", "from"}:
        return "どこ" if PLACE.search(answer) and is_noun_phrase(answer) else ""
    if case == "と":
        return {"何": "", "誰": "誰", "どこ": "どこ"}[word_for(answer)]
    return "何"


def _fits(match: re.Match[str], case: str) -> bool:
    """Return whether a phrase begins where it seems to, and tells enough."""
    before, answer = match["before"], match["answer"]
    if (
        is_vague(answer)
        or len(answer) < (_SHORTEST if case == "に" else 2)
        or re.match(r"\d", answer)
        or _RELATIVE.search(match["tail"])
    ):
        return False
    if re.search(r"[はが]|[^一-龯]と$|[るたい]で$", before) or before.count("、") > 1:
        return False
    if LISTED.search(before) or (match["tail"].startswith("にな") and not named(answer)):
        return False
    if case == "に" and re.search(
        r"(?:よう|うち|際|時|後|前|中|年|月|日|頃|ため|一部|上|下)$", answer
    ):
        return False
    return not re.search(
        r"(?:うえ|上|中|下|一方|共同|単独|全体|方法|形|代表|主席|目的|対象|結果|年|月|日|頃|時|"
        r"以来|以降|当時)$",
        answer,
    )


def sayings(clause: Clause) -> Iterator[Candidate]:
    """Yield what was said, where the words are quoted and it is told when, where or of what."""
    match = _SAYING.match(clause.rest)
    if match is None or not clause.about or is_negative(clause.rest):
        return
    before = match["before"]
    if not clause.lead and len(before) < 4:
        return
    if before and not re.search(r"(?:[をにでて]|[年月日])、?$", before):
        return
    if match["tail"].startswith("とし") and not before.endswith("を"):
        return
    asked = clause.asked(as_question(f"{before}何{match['tail']}"))
    yield from made(clause, asked, match["answer"], "factoid", "saying", 0.92)


def subjects(clause: Clause) -> Iterator[Candidate]:
    """Yield "Xでは何が...ましたか?" where a clause says what is or happened somewhere or then."""
    if clause.case == "が":
        yield from _then(clause)
        return
    match = _SUBJECT.match(clause.rest)
    if match is None or clause.case not in {"では", "には"} or is_negative(clause.rest):
        return
    answer, tail = match["answer"], match["tail"]
    if (
        is_vague(answer)
        or re.search(r"^\d", answer)
        or not _VERBAL.search(tail)
        or _RELATIVE.search(tail)
    ):
        return
    if len(answer) < 3 or not (named(answer) or "の" in answer or "、" in answer):
        return
    if (
        not is_clear(answer)
        or re.search(r"\d年", tail)
        or (_OPEN.search(tail) and len(clause.topic) < _LONG_TOPIC)
    ):
        return
    asked = clause.asked(as_question(f"{match['before']}{word_for(answer)}が{tail}"))
    yield from made(clause, asked, answer, "factoid", "subject", 0.86)


def _then(clause: Clause) -> Iterator[Candidate]:
    """Yield "1951年に何が...ましたか?" where a clause tells what happened in a year."""
    if not re.search(r"\d{3,4}年", clause.lead) or not named(clause.topic):
        return
    if not _VERBAL.search(clause.rest) or is_negative(clause.rest) or "、" in clause.rest:
        return
    if not named(clause.rest) and len(clause.lead) < _LONG_LEAD:
        return
    personal = PERSONAL.search(clause.rest[-8:]) is not None
    if not personal and not is_clear(clause.topic):
        return
    word = "誰" if personal else word_for(clause.topic)
    asked = as_question(f"{clause.lead}{word}が{clause.rest}")
    yield from made(clause, asked, clause.topic, "factoid", "then", 0.87)
