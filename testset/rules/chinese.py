"""Chinese: the answer is replaced by its question word in place.

"X 于 1899 年成立" -> "X于哪一年成立？"; only clauses whose subject is named at their start.
"""

import re
from collections.abc import Iterator

from testset.passages import Passage, Sentence
from testset.rules.candidate import Candidate, Kind

__all__ = ["chinese"]

LONGEST = 48
"""Characters of a clause; longer ones read like riddles once turned into a question."""
_POINTING = re.compile(
    r"他|她|它|这(?!里斯)|该|此|其(?!他|中|余|实)|那(?!不勒斯|波)|上述|以下|后者|前者|我们|"
    r"你|自己|同年|同时|当时"
)
_NO_SUBJECT = re.compile(
    r"^(?:凭借|其中|即便|即使|旧的|后|一|在|于|从|由|因|但|而|并|且|也|又|则|如|虽|若|当|"
    r"与|和|或|对|为|以|被|把|将|有|没|不|只|到|自|"
    r"另|还|随|最|许多|一些|大多|所有|每|各|后来|今天|现在|目前|通过|根据|除|尽管|由于|"
    r"例如|包括|之后|"
    r"是|可|会|能|要|使|让|就|都|很|更|至|经|按|作为|之|的|约|大约|超过|近|第|几|多|两|三|"
    r"四|五|六|七|八|九|十|\d)"
)
_SPACE = re.compile(r"(?<=[\u3000-\u9fff]) | (?=[\u3000-\u9fff])")
_FRONTED = re.compile(
    r"^(?:在|于)?(?P<answer>(?:公元前?)?\d{3,4} ?年(?: ?\d{1,2} ?月(?: ?\d{1,2} ?日)?)?)"
    r"[，,](?P<rest>[^，。；,]{6,44})$"
)
_DATE = re.compile(
    r"(?P<at>[在于])(?P<answer>(?:公元前?)?\d{3,4}年(?:\d{1,2}月(?:\d{1,2}日)?)?)(?!代|至|到|[-–])"
)
_UNITS = (
    "个|人|名|座|条|次|分|所|家|种|位|架|艘|部|英里|公里|千米|米|公顷|平方公里|"
    "美元|英镑|欧元|吨|张|场|本|支|度"
)
_COUNT = re.compile(
    rf"(?P<answer>(?P<lead>(?:大约|约|超过|近|多达|至少)?)(?P<number>\d[\d,.]*(?:万|亿|百万)?)"
    rf"多?(?P<unit>{_UNITS}))(?!以上|以下|[/每])"
)
_IS = re.compile(
    r"^(?P<topic>[^，。的在于为以有被]{2,16}?)是(?:一个|一种|一座|一家|一所|一条|一位|一名|"
    r"一支|指)(?P<answer>[^，。；]{5,60})$"
)
_PERSON = re.compile(r"(?:家|员|者|人|师|长|总统|国王|皇帝|教授|牧师|球手|卫)$")
_PLACE = re.compile(r"^(?P<topic>[^，。的在于]{2,16}?)位于(?P<answer>[^，。；]{2,24})$")


def chinese(passage: Passage) -> Iterator[Candidate]:
    """Yield questions for dates, counts, definitions and places of named subjects."""
    for sentence in passage.sentences:
        text = re.sub(r"[（(\[][^（）()\[\]]*[）)\]]", "", sentence.text)
        text = _SPACE.sub("", re.sub(r"\s+", " ", text).strip()).rstrip("。")
        if "“" in text or "”" in text or '"' in text:
            continue
        yield from _fronted(sentence, text)
        first = re.split(r"[，；,;：:]", text)[0]
        if _NO_SUBJECT.match(first) or _POINTING.search(first) or len(first) > LONGEST:
            continue
        yield from _said(sentence, first)
        yield from _related(sentence, text if "、" in first and text.count("，") == 0 else first)
        yield from _replaced(sentence, first)


def _fronted(sentence: Sentence, text: str) -> Iterator[Candidate]:
    match = _FRONTED.match(re.split(r"[；;]", text)[0])
    if match is None:
        parts = re.split(r"(?<=[，,])", text)
        match = _FRONTED.match("".join(parts[:2]).rstrip("，,")) if len(parts) > 2 else None
    if match is None or _NO_SUBJECT.match(match["rest"]) or _POINTING.search(match["rest"]):
        return
    if re.search(r"\d年|(?:宣布|表示|指出|认为|报道|声称|称|说)$", match["rest"]):
        return
    asks = "哪一年" if match["answer"].endswith("年") else "什么时候"
    yield from _made(sentence, f"{asks}{match['rest']}？", match["answer"], "temporal", 0.85)


def _said(sentence: Sentence, clause: str) -> Iterator[Candidate]:
    if match := _IS.match(clause):
        asks = "谁" if _PERSON.search(match["answer"]) else "什么"
        yield from _made(
            sentence, f"{match['topic']}是{asks}？", match["answer"], "definition", 0.9
        )
    if match := _PLACE.match(clause):
        yield from _made(sentence, f"{match['topic']}位于哪里？", match["answer"], "place", 0.95)


def _related(sentence: Sentence, clause: str) -> Iterator[Candidate]:
    """Yield questions for what a thing consists of, is called, includes, is known for."""
    for pattern, asks in _RELATIONS:
        match = pattern.match(clause)
        if (
            match
            and not _POINTING.search(clause)
            and not re.search(r"\d$", match["answer"])
            and not re.search(r"[与和会可能也还都将]$|一件$", match["topic"])
        ):
            question = f"{match['topic']}{asks}？"
            yield from _made(sentence, question, match["answer"], "factoid", 0.85)
            return


_TOPIC = r"(?P<topic>[^，。；：]{2,18}?)"
_RELATIONS = (
    *(
        (
            re.compile(rf"^{_TOPIC}(?:是)?由(?P<answer>[^，。；]{{2,16}}?){verb}(?:的)?$"),
            f"由谁{verb}",
        )
        for verb in (
            "设计",
            "建造",
            "创立",
            "创建",
            "领导",
            "撰写",
            "编写",
            "出版",
            "发行",
            "制作",
            "拥有",
            "管理",
            "运营",
            "组织",
            "提出",
            "发现",
            "控制",
            "任命",
            "选举产生",
        )
    ),
    *(
        (
            re.compile(rf"^{_TOPIC}{verb}了?(?P<answer>[^，。；\d]{{4,36}})$"),
            f"{verb}了什么",
        )
        for verb in (
            "发现",
            "发明",
            "出版",
            "发表",
            "创立",
            "建立",
            "获得",
            "赢得",
            "提出",
            "设计",
            "启动",
            "推出",
            "创造",
            "证明",
            "影响",
            "采用",
            "取代",
            "席卷",
            "承认",
            "击败",
        )
    ),
    (re.compile(rf"^{_TOPIC}由(?P<answer>[^，。；]{{3,50}})组成$"), "由什么组成"),
    (
        re.compile(rf"^{_TOPIC}(?:也|又)?被?(?:称为|称作|叫做|誉为)(?P<answer>[^，。；]{{2,24}})$"),
        "被称为什么",
    ),
    (
        re.compile(rf"^{_TOPIC}被(?:认为|视为|看作)是?(?P<answer>[^，。；]{{4,40}})$"),
        "被认为是什么",
    ),
    (re.compile(rf"^{_TOPIC}(?:包括|包含)(?:了)?(?P<answer>[^，。；]{{4,60}})$"), "包括什么"),
    (
        re.compile(rf"^{_TOPIC}因(?P<answer>[^，。；]{{3,30}})而(?:闻名|出名|著名|得名)$"),
        "因什么而闻名",
    ),
    (re.compile(rf"^{_TOPIC}(?:取决于|依赖于)(?P<answer>[^，。；]{{3,40}})$"), "取决于什么"),
    (re.compile(rf"^{_TOPIC}来自(?:于)?(?P<answer>[^，。；]{{2,30}})$"), "来自哪里"),
    (re.compile(rf"^{_TOPIC}(?:出生于|出生在)(?P<answer>[^，。；\d]{{2,24}})$"), "出生在哪里"),
    (re.compile(rf"^{_TOPIC}导致了?(?P<answer>[^，。；]{{4,40}})$"), "导致什么"),
    (
        re.compile(
            r"^(?P<topic>[^，。；：是]{2,20}的(?:首都|总部|创始人|主席|名字|目标|目的|"
            r"主要\w{1,4}|首府|作者|"
            r"面积|人口|最大\w{1,6}|第一\w{1,6}|原因|作用|特点))(?:是|为)"
            r"(?P<answer>[^，。；]{2,40})$"
        ),
        "是什么",
    ),
    (
        re.compile(
            r"^(?P<topic>[^，。；：是]{2,16})是(?P<answer>[^，。；]{2,30}(?:最|第一|唯一|"
            r"首)[^，。；]{2,30})$"
        ),
        "是什么",
    ),
)


def _replaced(sentence: Sentence, clause: str) -> Iterator[Candidate]:
    dates, counts = list(_DATE.finditer(clause)), list(_COUNT.finditer(clause))
    if len(dates) == 1 and len(re.findall(r"\d年", clause)) == 1:
        found = dates[0]
        asks = "哪一年" if found["answer"].endswith("年") else "什么时候"
        asks = found["at"] + asks
        question = clause[: found.start()] + asks + clause[found.end() :] + "？"
        yield from _made(sentence, question, found["answer"], "temporal", 0.9)
    elif len(counts) == 1 and not re.search(r"\d", clause.replace(counts[0]["answer"], "")):
        found = counts[0]
        asks = f"多少{found['unit']}"
        question = clause[: found.start()] + asks + clause[found.end() :] + "？"
        yield from _made(sentence, question, found["answer"], "numeric", 0.85)


def _as_written(answer: str, text: str) -> str:
    """Return the answer as the document has it, its blanks between scripts included."""
    match = re.search(r"\s*".join(map(re.escape, answer)), text)
    return match.group() if match else answer


def _made(
    sentence: Sentence, question: str, answer: str, kind: Kind, quality: float
) -> Iterator[Candidate]:
    quality -= 0.01 * max(0, len(question) - 26)
    place = (sentence.start, sentence.end)
    answer = _as_written(answer, sentence.text)
    yield Candidate(question, answer, *place, kind, f"chinese.{kind}", quality)
