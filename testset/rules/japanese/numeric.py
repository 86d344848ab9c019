"""Japanese, how many: "X駅には6本の線路がある" -> "X駅には何本の線路がありますか?"."""

import re
from collections.abc import Iterator

from testset.rules.japanese.clause import Clause
from testset.rules.japanese.closed_classes import COUNTERS
from testset.rules.japanese.conjugation import as_question
from testset.rules.japanese.making import made
from testset.rules.passage_candidate import Candidate

__all__ = ["counts", "ranks"]

_FIGURE = r"\d[\d,.]*(?:[万億兆千百](?:\d[\d,]*[万千百]?)?)?|[二三四五六七八九十]{1,3}"
_COUNT = re.compile(
    rf"(?P<answer>(?P<about>約|およそ|計|合計)?(?P<figure>{_FIGURE}) ?(?P<unit>{COUNTERS}|"
    rf"(?=の[一-龯ァ-ヶ]))"
    r"(?P<bound>以上|以下|以内|未満|程度|あまり|ほど|余り|前後)?)"
    r"(?![間目代年月日前後生時ご毎当ずお連ぶ者材々数]|につき|あたり|ごと)"
)
_FRACTION = re.compile(r"[第各毎〜~～\-−–/\d.,a-zA-Z一-龯]$|(?:のうち|ごと)$")
_COPULA = re.compile(r"(?:である|です|だ|であった|でした|[一-龯ァ-ヺー])$")
_NOMINAL = re.compile(r"(?:である|です|だ|であった|でした|)$")
_LONGEST_TAIL = 26
_WHOLE = frozenset({"0", "1", "100"})
_MONEY = frozenset({"円", "ドル", "ユーロ", "ポンド"})
_SPELT = frozenset({"人", "つ", "種類", "か国", "カ国", "回", "台", "本", "年間", "名"})
"""Units before which a number may be spelt."""
_SHARE = frozenset({"%", "％", "パーセント"})
_SPANS = frozenset(
    {"時間", "年間", "か月", "カ月", "ヶ月", "ヵ月", "日", "日間", "分", "秒", "週間"}
)
_POSSIBLE = re.compile(
    r"(?:できる|できます|れる|れます|ある|あります|いる|います|あった|いた|いました|れた|"
    r"れました)$"
)


def counts(clause: Clause) -> Iterator[Candidate]:
    """Yield how many, how much or how long, from the one count of its unit in a clause."""
    found = [match for match in _COUNT.finditer(clause.rest) if _counts(clause.rest, match)]
    units = [match["unit"] for match in found]
    for match in found:
        if units.count(match["unit"]) > 1 or len(found) > 2:
            continue
        nominal = _NOMINAL.match(clause.rest[match.end() :]) is not None
        if _COPULA.search(clause.rest) and not nominal:
            continue
        body = (
            clause.rest[: match.start()]
            + _asking(match, nominal=nominal)
            + clause.rest[match.end() :]
        )
        if re.search(r"\d+ ?" + re.escape(match["unit"]), clause.topic + body) or _loose(
            clause, body
        ):
            continue
        asked = clause.asked(as_question(body))
        yield from made(clause, asked, match["answer"], "numeric", "count", 0.93)


def ranks(clause: Clause) -> Iterator[Candidate]:
    """Yield "Xは世界第何位の産出国ですか?" where a clause gives the rank of its topic."""
    found = list(_RANK.finditer(clause.rest))
    if len(found) != 1 or not clause.about or clause.rest.count("、") > 1:
        return
    match = found[0]
    rest = clause.rest
    body = f"{rest[: match.start()]}{match['ordinal']}何位{rest[match.end() :]}"
    if re.search(r"[^でに]は|にも?続|[もか]$", body) or len(body) < _SHORTEST_BODY:
        return
    asked = clause.asked(as_question(re.sub(r"でも(?:あ|$)", "であ", body)))
    yield from made(clause, asked, match.group(), "numeric", "rank", 0.9)


_RANK = re.compile(r"(?P<ordinal>第?)\d{1,3}位(?![タ])")
_SHORTEST_BODY = 10


def _counts(rest: str, match: re.Match[str]) -> bool:
    """Return whether a match is a count, and not an ordinal, a range or a manner of speaking."""
    before = rest[: match.start()]
    joined = re.search(
        r"(?:最大|最低|最小|平均|全長|月額|年額|延べ|総計|全|毎分|毎秒|毎時|過去|[^一-龯]全)$",
        before,
    )
    if (_FRACTION.search(before) and not joined) or match["figure"] in _WHOLE:
        return False
    if match["unit"] in _SPANS and rest[match.end() :].startswith("に"):
        return False
    spelt = not match["figure"][0].isdigit()
    if spelt and match["unit"] not in _SPELT:
        return False
    if before.count("「") != before.count("」") or before.count("『") != before.count("』"):
        return False
    return not re.match(
        r"[一-龯ァ-ヶ]|に[一\d]|と(?!な|推|定|さ|見)|も|や|・|、\d",
        rest[match.end() :],
    )


def _asking(match: re.Match[str], *, nominal: bool) -> str:
    """Return the words that ask for a count; where that is all that is said, without a bound."""
    unit, bound = match["unit"], match["bound"] or ""
    if nominal or bound in {"ほど", "程度", "あまり", "余り", "前後"}:
        bound = ""
    if unit in _MONEY:
        return f"いくら{bound}"
    if unit in _SHARE:
        return f"何パーセント{bound}"
    return f"いくつ{bound}" if unit in {"つ", ""} else f"何{unit}{bound}"


def _loose(clause: Clause, body: str) -> bool:
    """Return whether a question would lack its subject, or have too much in it."""
    after = body.partition("何")[2] if "何" in body else body.partition("いく")[2]
    others = re.findall(r"[^でに]は", body)
    if len(others) > (clause.case == "では"):
        return True
    if (
        body.count("、") > 1
        or re.search(r"のは|な ?(?:何|いく)|[るた](?:何|いく)|[るたす]が、", body)
        or len(after) > _LONGEST_TAIL
    ):
        return True
    if re.search(r"\d[億万]|[たる]ため", body) or re.search(r"位である$|位です$", body):
        return True
    if clause.case in {"では", "には", "からは"}:
        return not re.search(r"[一-龯ァ-ヺーA-Za-z」][がは]", body) and not _POSSIBLE.search(body)
    return False
