"""Japanese, further: short names, what a thing is called, who did something, and why.

"青木組（略称: AG）は..." -> "青木組の略称は何ですか?".
"""

import re
from collections.abc import Iterator

from testset.passages import Passage, Sentence
from testset.rules.candidate import Candidate, Kind
from testset.rules.japanese import INSIDE, NO_TOPIC, POINTING, polite

__all__ = ["japanese_parts"]

LONGEST = 64
"""Characters of a question; longer ones are not asked by people."""
_SAYS_MUCH = 16
_NAME = r"[一-龯々ァ-ヶーA-Za-z0-9・＝=]"
_BRACKET = re.compile(
    rf"(?<!{_NAME})(?P<name>{_NAME}{{3,20}})[（(](?P<inner>[^（）()]{{3,80}})[）)](?=は|、|"
    rf"と|が|を|の|に)"
)
_LABELS = (
    (re.compile(r"略称[は:： ]*「?(?P<answer>[^、,;；」)）]{1,20})"), "の略称"),
    (re.compile(r"通称[は:： ]*「?(?P<answer>[^、,;；」)）]{2,20})"), "の通称"),
    (
        re.compile(r"(?:英語?|英名|英文名称)[:： ]+(?P<answer>[A-Za-z][A-Za-z .'’-]{2,60})"),
        "は英語で",
    ),
    (re.compile(r"オランダ語[:： ]+(?P<answer>[A-Za-z][A-Za-z .'’-]{2,60})"), "はオランダ語で"),
    (
        re.compile(r"ドイツ語[:： ]+(?P<answer>[A-Za-zÄÖÜäöüß][A-Za-zÄÖÜäöüß .'’-]{2,60})"),
        "はドイツ語で",
    ),
    (
        re.compile(r"フランス語[:： ]+(?P<answer>[A-Za-zÀ-ÿ][A-Za-zÀ-ÿ .'’-]{2,60})"),
        "はフランス語で",
    ),
    (re.compile(r"^(?P<answer>[ぁ-ゖー・ ]{3,24})(?:、|,|$)"), "の読み方"),
)
_CLAUSE = re.compile(r"^(?P<topic>[^、。は「」（）()]{2,24})は、?(?P<rest>[^。]{6,110})$")
_CALLED = re.compile(
    r"^(?P<before>[^、]{0,30}(?:では|には|から|に)?、?)(?P<answer>「[^」]{2,24}」|"
    r"[一-龯ァ-ヶーA-Za-z]{2,20})(?:など)?"
    r"(?:と|とも)(?P<verb>呼ばれる|呼ばれている|呼ばれた|呼ばれていた|称される|いう|称した|"
    r"称する|表記される)$"
)
_PLACED = re.compile(
    r"^(?P<answer>[^、]{2,36}?)に(?P<verb>位置する|位置している|所在する|本拠を置く|"
    r"本社を置く|属する|分布する|由来する)$"
)
_ORIGIN = re.compile(
    r"^(?P<answer>[^、。\d]{2,36}?)(?P<verb>で構成される|で構成されている|から成る|"
    r"からなる|から構成される|に分けられる|に分かれる|に大別される|を目的とする|"
    r"を意味する|を担当する|を採用している|を指す)$"
)
_BECAUSE = (
    re.compile(
        r"^(?P<what>[^。]{6,50}?)のは、?(?P<answer>[^。]{6,70}(?:ため|から))(?:である|だ|"
        r"です|であった|とされる)$"
    ),
    re.compile(
        r"^(?P<answer>[^、。]{6,60}(?:ため|ことから|により|によって))"
        r"、(?P<what>[^。]{8,60}[たるい])$"
    ),
)
_ORG = re.compile(
    r"(?:党|会|庁|省|社|国|新聞|大学|連盟|組合|政府|局|軍|院|所|団|協会|機関|連合|公社|"
    r"銀行|裁判所|市|県|州|町|村|王国|帝国|連邦|オランダ|ドイツ|フランス|イギリス|"
    r"アメリカ|ロシア|ウクライナ|ドミニカ国|ベルギー|日本)$"
)
_PERSON = re.compile(
    r"(?:氏|王|皇帝|委員長|首相|大統領|女王|議員|教授|監督|師匠|"
    r"[一-龯]{2,3}[雄子郎夫三一二治次彦美])$"
)
_VERB = re.compile(
    r"(?:した|された|している|されている|する|される|なった|れた|えた|った|いた|げた|めた|"
    r"いる|きた|せた|ける|める|える|られる)$"
)


def japanese_parts(passage: Passage) -> Iterator[Candidate]:
    """Yield questions for names in brackets, names given, places, parts, doers and reasons."""
    for sentence in passage.sentences:
        whole = re.sub(r"\s*\n\s*", "", sentence.text).strip().rstrip("。")
        yield from _bracketed(sentence, whole)
        text = re.sub(r"[（(][^（）()]*[）)]", "", whole)
        if INSIDE.search(text) or "。" in text:
            continue
        yield from _reasons(sentence, text)
        yield from _there(sentence, text)
        match = _CLAUSE.match(text)
        if match is None or POINTING.match(match["topic"]) or re.search(NO_TOPIC, match["topic"]):
            continue
        yield from _said(sentence, match["topic"], match["rest"])
        yield from _object(sentence, match["topic"], match["rest"])
        yield from _doer(sentence, match["topic"], match["rest"])


def _bracketed(sentence: Sentence, text: str) -> Iterator[Candidate]:
    for match in _BRACKET.finditer(text):
        if POINTING.match(match["name"]) or match["name"].isdigit():
            continue
        for pattern, asks in _LABELS:
            found = pattern.search(match["inner"])
            if not found:
                continue
            ending = "何といいますか?" if asks.startswith("は") else "は何ですか?"
            question = f"{match['name']}{asks}{ending}"
            quality = 0.55 if asks == "の読み方" else 0.82
            yield from _made(sentence, question, found["answer"].strip(), "naming", quality)
            break


def _said(sentence: Sentence, topic: str, rest: str) -> Iterator[Candidate]:
    if match := _CALLED.match(rest):
        before, verb = match["before"], _polite(match["verb"])
        asked = f"{topic}は{before}何と{verb}か?"
        yield from _made(sentence, asked, match["answer"], "naming", 0.88)
    elif match := _PLACED.match(rest):
        asked = f"{topic}はどこに{_polite(match['verb'])}か?"
        if match["verb"] in {"属する", "由来する"}:
            asked = f"{topic}は何に{_polite(match['verb'])}か?"
        yield from _made(sentence, asked, match["answer"], "place", 0.9)
    elif match := _ORIGIN.match(rest):
        asked = f"{topic}は何{_polite(match['verb'])}か?"
        yield from _made(sentence, asked, match["answer"], "factoid", 0.85)


_OBJECT = re.compile(
    r"^(?P<before>(?:[^、を]{2,30}、)?)(?P<answer>[^、。をはがに]{4,30})を"
    r"(?P<tail>[^、。をに]{2,16}(?:した|している|する|された|いる|おこなった|行った|得た))$"
)


def _object(sentence: Sentence, topic: str, rest: str) -> Iterator[Candidate]:
    """Yield "...は何を...しましたか?" for clauses with one object."""
    match = _OBJECT.match(rest)
    if match is not None and not re.match(r"(?:こと|もの|の)$", match["answer"][-2:]):
        asked = f"{topic}は{match['before']}何を{polite(match['tail'])}か?"
        yield from _made(sentence, asked, match["answer"], "factoid", 0.78)


def _doer(sentence: Sentence, topic: str, rest: str) -> Iterator[Candidate]:
    """Yield "...したのはどこですか?" where the topic is a body or a person who did something."""
    if not _VERB.search(rest) or rest.count("、") > 1 or topic.endswith(("で", "に", "と")):
        return
    if (
        not re.search(r"[をに]", rest)
        or not re.match(r"[一-龯ァ-ヶA-Z0-9「]", rest)
        or not 14 <= len(rest) <= 48
        or "。" in rest
    ):
        return
    asks = "どこ" if _ORG.search(topic) else "誰" if _PERSON.search(topic) else "何"
    if not re.search(
        r"(?:者|人|たち|ら|派|家|側|上|中|場合|結果|等|ほか|時代|一つ|一方|際)$", topic
    ):
        quality = 0.7 if asks == "何" else 0.86 - 0.004 * max(0, len(rest) - 30)
        yield from _made(sentence, f"{rest}のは{asks}ですか?", topic, "factoid", quality)


def _there(sentence: Sentence, text: str) -> Iterator[Candidate]:
    """Yield "...には何がありますか?" for what a sentence says is somewhere."""
    match = _THERE.match(text)
    if match is None or POINTING.match(match["place"]):
        return
    asked = f"{match['place']}は何が{_BE[match['verb']]}か?"
    yield from _made(sentence, asked, match["answer"], "factoid", 0.8)


_THERE = re.compile(
    r"^(?P<place>[^、。は]{3,24}に)は、?(?P<answer>[^、。]{3,44})が(?P<verb>ある|存在する|"
    r"設置されている|置かれている)$"
)
_BE = {
    "ある": "あります",
    "存在する": "存在します",
    "設置されている": "設置されています",
    "置かれている": "置かれています",
}


def _reasons(sentence: Sentence, text: str) -> Iterator[Candidate]:
    for pattern in _BECAUSE:
        match = pattern.match(text)
        if match is None or POINTING.match(text) or POINTING.match(match["what"]):
            continue
        what = re.sub(r"(?<=[一-龯ァ-ヶーA-Za-z])は、?", "が", match["what"], count=1)
        if what.count("、") or len(what) < _SAYS_MUCH or not re.search(r"[がはを]", what):
            continue
        if re.search(r"(?:ない|なった|した|された|いる|する|れる|った|ている)$", what):
            yield from _made(sentence, f"なぜ{what}のですか?", match["answer"], "reason", 0.84)
        return


_POLITE = (
    ("呼ばれていた", "呼ばれていました"),
    ("呼ばれている", "呼ばれています"),
    ("呼ばれる", "呼ばれます"),
    ("呼ばれた", "呼ばれました"),
    ("される", "されます"),
    ("いう", "いいます"),
    ("した", "しました"),
    ("している", "しています"),
    ("する", "します"),
    ("置く", "置いていますか"),
    ("されている", "されています"),
    ("成る", "成りますか"),
    ("なる", "なります"),
    ("分けられる", "分けられます"),
    ("分かれる", "分かれます"),
    ("指す", "指します"),
)


def _polite(verb: str) -> str:
    """Return a plain verb in the polite form of questions."""
    for plain, form in sorted(_POLITE, key=lambda pair: -len(pair[0])):
        if verb.endswith(plain):
            return verb.removesuffix(plain) + form.removesuffix("か")
    return verb


def _made(
    sentence: Sentence, question: str, answer: str, kind: Kind, quality: float
) -> Iterator[Candidate]:
    if len(question) > LONGEST or answer not in sentence.text or answer in question:
        return
    place = (sentence.start, sentence.end)
    yield Candidate(question, answer, *place, kind, f"japanese.{kind}", quality)
