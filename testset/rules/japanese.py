"""Japanese: the answer is replaced by its question word in place, and か closes the sentence.

"XはY年に開設された。" -> "Xは何年に開設されましたか?"; only sentences whose topic (は) is named at
their start, and that stand without what came before.
"""

import re
from collections.abc import Iterator

from testset.passages import Passage, Sentence
from testset.rules.candidate import Candidate, Kind

__all__ = ["INSIDE", "NO_TOPIC", "POINTING", "japanese"]

LONGEST = 120
LONGEST_QUESTION = 62
"""Characters; people ask shorter."""
SHORTEST_TOPIC = 2
_TOPIC = re.compile(r"^(?P<topic>[^、。は「」（）()]{2,24})は、?(?P<rest>.+)$")
POINTING = re.compile(
    r"^(?:これ|それ|あれ|ここ|そこ|この|その|あの|彼|同|当|前者|後者|なお|また|しかし|"
    r"そして|ただし|"
    r"現在|当時|後|以降|以後|例えば|私|他|一方|さらに|ほか|もの|こと|今|近年|日本語で|のち|"
    r"最近|場合|理由)"
)
INSIDE = re.compile(
    r"これ|それ|この|その|同年|同社|同国|同地|同市|同氏|同局|当時|彼|前述|上記|後述|以下|\d*注釈|\["
)
NO_TOPIC = (
    r"[にでへがをもてし]$|に関して|について|に対して|として|により|によって|"
    r"から$|まで$|より$|など$|ため$|とき$"
)
_DATE = re.compile(
    r"(?P<answer>(?:西暦|紀元前)?\d{3,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?)(?:[（(][^）)"
    r"]{1,12}[）)])?(?=に|の|から|"
    r"より|まで)"
)
_COUNTERS = (
    "人|名|個|台|校|局|回|議席|本|隻|機|冊|曲|話|店舗|店|か国|カ国|ヶ国|ヵ国|か所|カ所|"
    "ヶ所|種類|種|"
    "分野|部門|階|両|駅|チーム|大学|言語|キロメートル|メートル|km|m|ha|km2|%|パーセント|円|"
    "ドル|時間|分間|年間|日間|歳"
)
_COUNT = re.compile(
    rf"(?P<answer>(?:約|およそ|全)?[\d,.]+(?:万[\d,]*|億[\d,]*)?(?P<unit>{_COUNTERS}))"
    rf"(?![間目代以年前後生])"
)
_IS = re.compile(r"^(?P<answer>[^。]{6,80}?)(?:である|です|のこと|をいう|を指す|)$")
_NOMINAL = re.compile(r"(?:である|であった|だった|(?<!ん)だ|です|でした)$")
_VERBAL = re.compile(r"(?:[たる]|ない)$")
_POLITE = re.compile(r"(?:ます|ました)$")
_FRONTED = re.compile(
    r"^(?P<answer>(?:西暦|紀元前)?\d{3,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?)(?:には、?|に、?|、)"
    r"(?P<rest>[^。]{6,80}た)$"
)


def japanese(passage: Passage) -> Iterator[Candidate]:
    """Yield questions for dates, counts and definitions of named topics."""
    for sentence in passage.sentences:
        text = re.sub(r"\s*\n\s*", "", sentence.text).strip().rstrip("。")
        text = re.sub(r"[（(][^（）()]*[）)]", "", text)
        told: set[str] = set()
        for part in (*_opening(text), text):
            for entry in list(_read(sentence, part)):
                if entry.answer not in told or entry.kind == "definition":
                    told.add(entry.answer)
                    yield entry


def _opening(text: str) -> Iterator[str]:
    """Yield the first clause of a chain of clauses, with the ending it has as a sentence."""
    match = _CHAIN.match(text)
    if match:
        yield match["head"] + _ENDINGS[match["ending"]]


_ENDINGS = {
    "し": "した", "され": "された", "となり": "となった", "になり": "になった",
    "したが": "した", "されたが": "された", "している": "している", "しており": "している",
    "されており": "されている", "であり": "である", "で": "である", "して": "した",
    "られ": "られた", "われ": "われた", "したため": "した", "したものの": "した",
    "だったが": "だった", "あったが": "あった", "いたが": "いた", "れており": "れている",
    "を獲得": "を獲得した", "を結成": "を結成した", "に就任": "に就任した", "が成立": "が成立した",
}  # fmt: skip
_CHAIN = re.compile(
    rf"^(?P<head>[^。]{{14,80}}?)(?P<ending>{'|'.join(sorted(_ENDINGS, key=len, reverse=True))})、"
)


def _read(sentence: Sentence, text: str) -> Iterator[Candidate]:
    yield from _fronted(sentence, text)
    match = _TOPIC.match(text)
    if match is None or POINTING.match(match["topic"]) or len(text) > LONGEST:
        return
    if INSIDE.search(text):
        return
    topic, rest = match["topic"], match["rest"]
    if re.search(r"[^、](?<!つい)(?<!上)(?<!中)(?<!点)(?<!うえ)で$", topic):
        yield from _replaced(sentence, topic, rest)
    if re.search(NO_TOPIC, topic):
        return
    yield from _definition(sentence, topic, rest)
    if not topic.endswith(("と", "後", "頃", "時")):
        yield from _replaced(sentence, topic, rest)


def _definition(sentence: Sentence, topic: str, rest: str) -> Iterator[Candidate]:
    if topic.endswith("こと") or rest.startswith(("違い", "異なり", "別に", "違って")):
        return
    name = topic.removesuffix("と")
    if "の" in name and not topic.endswith("と"):
        yield from _property(sentence, name, rest)
        return
    match = _IS.match(rest) if topic.endswith("と") or _GENUS.search(rest) else None
    if topic.endswith("と") and not _NOMINAL.search(rest) and re.search(r"[るたい]$", rest):
        return
    if match is None or re.search(r"\d|、.*、.*、", match["answer"]) or "の一つ" in rest:
        return
    if match["answer"] not in sentence.text:
        return
    quality = 0.95 if topic.endswith("と") else 0.8
    yield _candidate(sentence, f"{name}とは何ですか?", match["answer"], "definition", quality)
    sort = _SORT.search(match["answer"])
    if sort:
        asked = f"{name}はどんな{sort.group()}ですか?"
        yield _candidate(sentence, asked, match["answer"], "definition", quality)


_SORT = re.compile(
    r"(?:国家|国|都市|魚|権利|機関|会社|企業|政党|団体|組織|作家|駅|川|山|島|大学|施設|"
    r"制度|物理量|建築家|人物|"
    r"資格|職業|番組|地域|民族|言語|動物|植物|方法|技術)$"
)


def _property(sentence: Sentence, name: str, rest: str) -> Iterator[Candidate]:
    """Yield "Xの愛称は何ですか?" where a sentence gives one thing of another."""
    match = re.match(
        r"(?P<answer>「[^」]{2,30}」|[^、。はがをにで]{2,24})(?:である|です|だ)?$", rest
    )
    if match is None or re.search(r"\d|[るたい]$|こと$|もの$|ため$|人物$", match["answer"]):
        return
    if match["answer"] not in sentence.text or _LOOSE.search(name):
        return
    where = re.search(r"(?:本社|本部|本店|所在地|出身|出身地|産地|首都|県庁)$", name)
    asks = "どこ" if where else "何"
    quality = 0.88 if _PROPERTY.search(name) else 0.76
    if re.search(r"[一-龯ァ-ヶー]{2}$", name) and _SPECIFIC.search(name):
        yield _candidate(sentence, f"{name}は{asks}ですか?", match["answer"], "naming", quality)


_SPECIFIC = re.compile(r"[ァ-ヶー]{3}|[A-Z]{2}|日本の|市の|県の|州の|協会の|党の|大学の|法の")
_LOOSE = re.compile(
    r"^(?:一部|多く|大半|最初|その|場合)|(?:の(?:一部|多く|大半|場合|最初|中|多数|うち|理由))$"
)


_PROPERTY = re.compile(
    r"の(?:愛称|名称|正式名称|英語名|別名|首都|本社|本店|本部|通称|略称|最高峰|公用語|通貨|"
    r"主産業|作者|名前|旧称|異名|"
    r"主要\w{1,4}|最大\w{1,4}|最高\w{1,4}|中心\w{0,3}|代表\w{0,3}|原因|目的|特徴|由来|語源|"
    r"キャッチフレーズ|テーマ\w{0,3})$"
)
_GENUS = re.compile(
    r"(?:の一種|ひとつ|都市|国家|機関|団体|政党|組織|会社|企業|動物|植物|魚|駅|人物|作家|"
    r"選手|落語家|政治家|国|島|川|山|放送局|大学|施設|権利|物理量|技術|"
    r"方法|制度|言語|民族|地域|作品|番組|組合|連合|協会|職業|資格|建築家|町|村|湖|半島)"
    r"(?:である|です|)$"
)


def _replaced(sentence: Sentence, topic: str, rest: str) -> Iterator[Candidate]:
    dates, counts = list(_DATE.finditer(rest)), list(_COUNT.finditer(rest))
    if len(dates) == 1 and len(re.findall(r"\d{3,4}年", rest)) == 1:
        found = dates[0]
        asks = "何年" if found["answer"].endswith("年") else "いつ"
        particle = "" if asks == "何年" or rest[found.end()] != "に" else "に"
        body = rest[: found.start()] + asks + rest[found.end() + len(particle) :]
        yield from _asked(sentence, topic, body, found["answer"], "temporal")
    others = _DATED.sub("", rest.replace(counts[0]["answer"], "")) if len(counts) == 1 else "0"
    if not re.search(r"\d", others):
        found = counts[0]
        asks = "いくら" if found["unit"] in {"円", "ドル"} else f"何{found['unit']}"
        body = rest[: found.start()] + asks + rest[found.end() :]
        kind: Kind = "factoid" if re.search(r"\d", topic + body) else "numeric"
        yield from _asked(sentence, topic, body, found["answer"], kind)


_DATED = re.compile(r"第?\d+(?:年|月|日|回|条|次|代|世紀|期)")


def polite(body: str) -> str:
    """Return a clause with its last verb in the polite form, where that is plain to see.

    Example:
        >>> polite("橋を建設した"), polite("橋を渡る")
        ('橋を建設しました', '橋を渡る')
    """
    for plain, form in _FORMS:
        if body.endswith(plain):
            return body.removesuffix(plain) + form
    return body


_FORMS = (
    ("している", "しています"), ("されている", "されています"), ("れている", "れています"),
    ("した", "しました"), ("された", "されました"), ("する", "します"), ("される", "されます"),
    ("となった", "となりました"), ("になった", "になりました"), ("われた", "われました"),
    ("られた", "られました"), ("いた", "いました"), ("いる", "います"), ("行った", "行いました"),
    ("あった", "ありました"), ("得た", "得ました"), ("られる", "られます"), ("われる", "われます"),
)  # fmt: skip


def _asked(
    sentence: Sentence, topic: str, body: str, answer: str, kind: Kind
) -> Iterator[Candidate]:
    """Yield the sentence as a question, if its ending is one that can be turned."""
    if (
        body.count("、") > 2
        or "。" in body
        or "たが" in body
        or "のは" in body
        or answer not in sentence.text
    ):
        return
    if _NOMINAL.search(body):
        asked = f"{topic}は{_NOMINAL.sub('', body)}ですか?"
    elif _VERBAL.search(body) or _POLITE.search(body):
        asked = f"{topic}は{polite(body)}か?"
    else:
        return
    if len(asked) > LONGEST_QUESTION:
        return
    quality = 0.9 - 0.006 * max(0, len(asked) - 36)
    yield _candidate(sentence, asked, answer, kind, quality)


def _fronted(sentence: Sentence, text: str) -> Iterator[Candidate]:
    """Yield "...のは何年ですか?" for sentences that open with a date and say what happened then."""
    match = _FRONTED.match(text)
    if match is None and "は" not in text and len(text) <= 90 and text.endswith("た"):
        moved = re.match(
            r"^(?P<before>[^\d。]{3,50}?)(?P<date>\d{4}年(?:\d{1,2}月(?:\d{1,2}日)?)?)"
            r"に、?(?P<after>[^\d。]{3,50})$",
            text,
        )
        match = (
            _FRONTED.match(f"{moved['date']}に{moved['before']}{moved['after']}") if moved else None
        )
    if match is None or INSIDE.search(text) or re.search(r"\d年", match["rest"]):
        return
    rest = re.sub(r"(?<=[一-龯ァ-ヶーA-Za-z])は、?", "が", match["rest"], count=1)
    if (
        not re.search(r"[^、]{2,30}が", rest)
        or rest.startswith(("は", "の", "開催", "行われ"))
        or rest.count("、") > 1
        or len(rest) > LONGEST_QUESTION - 6
        or POINTING.match(rest)
    ):
        return
    asks = "何年" if match["answer"].endswith("年") else "いつ"
    quality = 0.92 - 0.005 * max(0, len(rest) - 36)
    yield _candidate(sentence, f"{rest}のは{asks}ですか?", match["answer"], "temporal", quality)


def _candidate(
    sentence: Sentence, question: str, answer: str, kind: Kind, quality: float
) -> Candidate:
    rule = f"japanese.{kind}"
    return Candidate(question, answer, sentence.start, sentence.end, kind, rule, quality)
