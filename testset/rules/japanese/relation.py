"""Japanese, how things belong together: properties, parts, and what there is somewhere."""

import re
from collections.abc import Iterator

from testset.rules.japanese.clause import Clause
from testset.rules.japanese.closed_classes import LIST, NOUN
from testset.rules.japanese.conjugation import as_question
from testset.rules.japanese.making import made
from testset.rules.japanese.standing import is_noun_phrase, is_vague, named, word_for
from testset.rules.passage_candidate import Candidate

__all__ = ["existing", "parts", "properties", "superlatives"]

_WHAT = (
    "愛称|名称|正式名称|英語名|別名|通称|略称|公用語|通貨|主産業|旧称|異名|最高峰|主食|特産品|"
    "名産|国技|国花|校訓|原料|主成分|"
    "原因|目的|特徴|由来|語源|テーマ|主題|拠点|主な産業|主な宗教|役割|前身|後身|姉妹都市"
)
_WHO = (
    "作者|著者|監督|創設者|創業者|設計者|発明者|会長|社長|議長|委員長|党首|校長|学長|責任者|"
    "担当者|初代会長|初代社長|開発者"
)
_WHERE = (
    "本社|本部|本店|所在地|首都|県庁所在地|最大都市|最大の都市|出身地|産地|原産地|起点|"
    "終点|発祥地|本拠地|事務局|中心地|主産地|中心都市"
)
_PROPERTY = re.compile(
    rf"の(?:(?P<who>{_WHO})|(?P<where>{_WHERE})|(?P<what>{_WHAT}|主な[一-龯]{{2,3}}|"
    rf"最も[^の]{{2,12}}))$"
)
_ANY = re.compile(r"(?:の|における)(?P<any>[一-龯ァ-ヺー]{2,8})$")
_NOMINAL = re.compile(r"(?:である|です|だ|であった)$")
_VALUE = re.compile(rf"^(?P<answer>{LIST})(?:である|です|だ|であった|にある|)$")
_PARTS = re.compile(
    rf"^(?P<answer>{NOUN}(?:(?:の|と|や|および|及び|、){NOUN})+)(?P<verb>(?:で|から|によって|"
    rf"により)構成され(?:る|ている|ます|ています)|から成る|からなる|から成り立つ|"
    r"から成り立っている|に分けられる|に分かれる|に分類される|に大別される|に分けられている|"
    r"に分かれている)$"
)
_SERVES = re.compile(
    rf"^(?P<answer>{LIST})(?P<verb>を(?:目的とする|意味する|対象とする|前身とする|起源とする|"
    rf"採用している|担当している|担当する|公用語とする|母体とする|モデルとする|理念とする))$"
)
_THERE = re.compile(
    rf"^(?P<answer>(?:[^、。はがを]{{4,24}}である)?{LIST})(?:などの[一-龯ァ-ヺー]{{2,8}}|"
    rf"など)?が、?(?P<verb>ある|存在する|設置されている|置かれている|含まれる|含まれている|"
    r"付属している|あります|含まれます|含まれています|存在します|所属している|生息している|"
    r"加盟している|あった|ありました|存在した|いた)$"
)


def properties(clause: Clause) -> Iterator[Candidate]:
    """Yield "Xの首都はどこですか?" where a sentence gives one thing of a named other."""
    place = _PROPERTY.search(clause.topic) or _ANY.search(clause.topic)
    value = _VALUE.match(clause.rest)
    if place is None or value is None or clause.case != "は" or is_vague(value["answer"]):
        return
    if not named(clause.topic[: place.start()]) or re.match(r"約?\d", value["answer"]):
        return
    told = place.groupdict()
    if "と" in clause.topic or "、" in clause.topic:
        return
    word = "誰" if told.get("who") else "どこ" if told.get("where") else "何"
    if "any" in told and (
        "、" in value["answer"]
        or word_for(value["answer"]) != "何"
        or not _NOMINAL.search(clause.rest)
    ):
        return
    verb = "にありますか?" if clause.rest.endswith("にある") else "ですか?"
    asked = f"{clause.lead}{clause.topic}は{word}{verb}"
    yield from made(clause, asked, value["answer"], "naming", "property", 0.94)


def parts(clause: Clause) -> Iterator[Candidate]:
    """Yield what something is made of, or what it aims at."""
    match = _PARTS.match(clause.rest) or _SERVES.match(clause.rest)
    if match is None or not clause.about or is_vague(match["answer"]):
        return
    if re.search(r"^\d|[\d二三四五六七八九]つ$", match["answer"]) or not is_noun_phrase(
        match["answer"]
    ):
        return
    asked = as_question(f"何{match['verb']}")
    if asked:
        yield from made(clause, clause.asked(asked), match["answer"], "factoid", "parts", 0.92)


def existing(clause: Clause) -> Iterator[Candidate]:
    """Yield "Xには何がありますか?" where a clause says what there is at a named place or thing."""
    match = _THERE.match(clause.rest)
    if match is None or clause.case != "には" or clause.lead or is_vague(match["answer"]):
        return
    if re.search(
        r"^\d(?!\d{3}年)|必要|可能性|違い|問題|場合|傾向|意味|理由|関係|影響|効果|機能$",
        match["answer"],
    ):
        return
    asked = as_question(f"何が{match['verb']}")
    quality = 0.76 if match["verb"].endswith("た") else 0.84
    if asked and (named(match["answer"]) or "、" in match["answer"]):
        yield from made(
            clause, clause.asked(asked), match["answer"], "factoid", "existing", quality
        )


_FIRST = re.compile(
    r"^(?P<what>[^、はがを]{2,20}(?:最大|最高|最古|最長|最多|最小|唯一|最初|第[二三2３3]位|"
    r"最も[^、はが]{2,8}))(?P<of>の?[^、はがをですだ]{1,14}?)(?:である|です|だ|であった|)$"
)


def superlatives(clause: Clause) -> Iterator[Candidate]:
    """Yield "日本最大の港はどこですか?" where a clause says of a name that it is that."""
    match = _FIRST.match(clause.rest)
    if match is None or clause.case != "は" or clause.lead or "の" in clause.topic:
        return
    if re.search(r"[一1]つ|ひとつ|る$|であり", match["of"]) or not _NAMED_HEAD.search(clause.topic):
        return
    asked = f"{match['what']}{match['of']}は{word_for(clause.topic)}ですか?"
    yield from made(clause, asked, clause.topic, "naming", "superlative", 0.93)


_NAMED_HEAD = re.compile(r"[ァ-ヺーA-Za-z]{3}|[一-龯]{2}")
