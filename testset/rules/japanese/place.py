"""Japanese, where: "X寺は京都府北部に位置する" -> "X寺はどこに位置していますか?"."""

import re
from collections.abc import Iterator

from testset.rules.japanese.clause import Clause
from testset.rules.japanese.closed_classes import PLACE
from testset.rules.japanese.conjugation import as_question
from testset.rules.japanese.making import made
from testset.rules.japanese.standing import is_noun_phrase, is_vague
from testset.rules.passage_candidate import Candidate

__all__ = ["places"]

_LYING = re.compile(
    r"^(?P<answer>[^、。を]{2,34}?)に(?P<verb>位置する|位置している|位置します|所在する|"
    r"所在します|ある|あります|本拠を置く|本社を置く|本部を置く|"
    r"設置されている|置かれている|置かれた|設けられた|分布する|分布している|生息する|"
    r"生息している|移転した|移された|建設された)$"
)
_HAPPENED = re.compile(
    r"^(?P<before>(?:\d{3,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?(?:に|"
    r"、)?)?)(?P<answer>[^、。を\d]{2,24}?)で(?P<verb>生まれた|開催された|開催されました|"
    r"開催されている|行われた|"
    r"行われている|開かれた|発見された|発足した|結成された|設立された|死去した|発祥した|"
    r"栽培されている|製造されている|生産されている|話されている)$"
)
_ADDRESS = re.compile(r"^[一-龯]{2,3}[都府県道][一-龯]{1,5}[市区町村郡]")
_SPOT = re.compile(r"[ァ-ヺー]{3,}$")


def places(clause: Clause) -> Iterator[Candidate]:
    """Yield where something is, or where it happened."""
    if not clause.about or clause.lead:
        return
    if match := _LYING.match(clause.rest):
        verb = "に" + match["verb"]
        address = _ADDRESS.match(match["answer"]) is not None
        sure = address or match["verb"] not in {
            "ある",
            "あります",
            "置かれている",
            "置かれた",
            "設けられた",
        }
        if _is_place(match["answer"], sure=sure):
            asked = clause.asked(as_question(f"どこ{verb}"))
            yield from made(clause, asked, match["answer"], "place", "where", 0.93)
    elif (match := _HAPPENED.match(clause.rest)) and _is_place(match["answer"], sure=False):
        asked = clause.asked(as_question(f"{match['before']}どこで{match['verb']}"))
        yield from made(clause, asked, match["answer"], "place", "where_done", 0.92)


def _is_place(text: str, *, sure: bool) -> bool:
    """Return whether a text names a place; where the verb is sure of it, anything not vague."""
    if is_vague(text) or re.search(r"[はがを]", text):
        return False
    if sure and re.match(r"^[一-龯]{2,3}[都道府県][^はがを]{2,24}$", text):
        return True
    spot = PLACE.search(text) or _SPOT.search(text)
    return (bool(spot) and is_noun_phrase(text)) or (sure and bool(PLACE.search(text)))
