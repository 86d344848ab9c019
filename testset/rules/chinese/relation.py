"""What: parts, sources, attributes and works of named things."""

import re
from collections.abc import Iterator

from testset.rules.chinese.clause import Clause
from testset.rules.chinese.closed_classes import (
    NAME,
    NOT_A_NOUN,
    PERSON,
    POINTING,
)
from testset.rules.chinese.predicate import predicate
from testset.rules.chinese.subject import known, named, stated
from testset.rules.passage_candidate import Candidate

__all__ = [
    "attributes",
    "influences",
    "objects",
    "partners",
    "parts",
    "relations",
    "seats",
    "subjects",
]

_CONSISTS = re.compile(
    r"^(?P<topic>[^，]{2,24}?)(?P<adverb>主要|通常|一般)?由(?P<answer>[^，。；]{3,50}?)(?P<verb>组成|构成|制成)$"
)
_OF_NOUNS = frozenset({"代表", "等于", "等同于", "相当于"})
_NOTHING_NAMED = re.compile(r"\d|^[一二三四五六七八九十两几]+[个种类]?(?:部分|阶段|层|组|方面)$")
_DIVIDED = re.compile(
    r"^(?P<topic>[^，]{2,24}?)(?P<verb>(?:主要|通常|可以?)?(?:被?(?:分为|分成|划分为)了?|(?<!软件)包括|(?<!软件)包含|涵盖)了?)"
    r"(?P<answer>[^，。；]{2,30}(?:、|和|以及|与)[^，。；]{2,40})$"
)
_SIMPLE = tuple(
    (re.compile(rf"^(?P<topic>[^，]{{2,24}}?)(?P<verb>{verb})(?P<answer>[^，。；]{{3,36}})$"), asks)
    for verb, asks in (
        ("取决于", "什么"),
        ("依赖于", "什么"),
        ("源于|起源于|源自|发源于|来源于|衍生自", "什么"),
        ("相当于|等于|等同于", "什么"),
        ("负责", "什么"),
        ("专注于|致力于", "什么"),
        ("代表", "什么"),
        ("死于", "什么"),
        ("毕业于", "哪所学校"),
        ("毗邻|濒临|流入|注入", "哪里"),
    )
)
_ATTRIBUTE = re.compile(
    r"^(?P<topic>[^，是]{2,22}?)(?P<what>的(?P<noun>默认[^，。；是为]{1,6}|官方语言|英文名|全称|原名|本名|"
    r"别名|绰号|昵称|正式名称|前身|口号|校训|座右铭|货币|国歌|主要成分|化学式|分子式|符号|含义|意思|"
    r"定义|名称|名字|格式|优点|缺点|最大[^，。；是为]{1,4}|最高[^，。；是为]{1,4}))(?:是|为)"
    r"(?P<answer>[^，。；]{2,40})$"
)
_UNDER = re.compile(
    r"^(?P<topic>[^，]{2,24}?)(?P<verb>(?:通常|主要|往往|一直|也|还|都|均)*受到?了?)(?P<answer>[^，。；]{2,30}?)"
    r"(?P<act>的?(?:影响|限制|约束|启发|保护|制约|支配|管辖|统治))$"
)
_SEAT = re.compile(
    r"^(?P<topic>[^，是]{2,16}?)(?:也|又)?是(?P<owner>[^，是]{2,16}?)的?(?P<seat>首都|首府|省会|总部所在地|"
    r"发源地|诞生地|创始人|创立者|缔造者|发明者|发明人|第一[任位]总统|首任总统|首任校长|开国皇帝)$"
)
_ACTED = re.compile(
    r"^(?P<topic>[^，]{2,20}?)(?P<said>(?:席卷|摧毁|毁坏|取代|导致|引起|造成|引发|促成|结束|分隔|连接|环绕|"
    r"横跨|流经)了?[^，。；]{4,30})$"
)
_OBJECT = re.compile(
    r"^(?P<mid>(?:(?:在|于|从|通过|首次|成功|率先|最早|独立|后来|最终|随后|还|也)[^，]{0,20}?)?)(?P<verb>发明|"
    r"发现|出版|发表|创立|创建|创办|成立|推出|建立|获得|赢得|夺得|提出|设计|建造|收购|签署|颁布|开创|"
    r"证明|描述|撰写|翻译|绘制|引入|引进|建议|采用|取代|摧毁|占领|征服|击败|打败|消灭|控制|创作|制定|"
    r"发起|组建|捐赠|开发|研制|生产|制造|继承|失去|改变|完成|实现|影响|奠定|象征|反映|概述|预测|标志着?)"
    r"了(?P<answer>[^，。；了]{4,36})$"
)
SHORTEST_OBJECT = 5
"""Characters of an object without a name in it; a shorter one says too little."""
_STRONG = re.compile(
    r"发明|发现|提出|创立|创建|创办|开创|撰写|出版|发表|设计|击败|打败|征服|取代|推出|颁布|开发|证明|夺得|赢得|奠定|"
    r"发起|签署|翻译|继承|收购|摧毁"
)
"""What is told of somebody once or twice: it can be asked without a time or a place."""
_WITH = re.compile(
    r"^(?P<topic>[^，]{2,20}?)(?P<with>与|同|和)(?P<answer>[^，。；]{2,30}?)(?P<act>合作|结婚|合并|结盟|接壤|毗邻|"
    r"相邻|相连|作战|交战|会面|会晤|竞争|离婚|订婚|联姻)$"
)


def parts(clause: Clause) -> Iterator[Candidate]:
    """Ask for all the parts: "X由A和B组成", "X分为A、B和C"."""
    match = _CONSISTS.match(clause.text)
    if match and known(match["topic"]) and not _NOTHING_NAMED.search(match["answer"]):
        adverb = match["adverb"] or ""
        question = f"{match['topic']}{adverb}由什么{match['verb']}？"
        yield from clause.ask(question, match["answer"], "list", 0.9)
    match = _DIVIDED.match(clause.text)
    if match and known(match["topic"]) and clause.last and "例如" not in clause.text:
        asks = (
            ("哪些部分" if "部分" in match["answer"] else "哪些")
            if "分" in match["verb"]
            else "什么"
        )
        question = f"{match['topic']}{match['verb']}{asks}？"
        yield from clause.ask(question, match["answer"], "list", 0.85)


def relations(clause: Clause) -> Iterator[Candidate]:
    """Ask for the other end of a relation that has one: "X取决于Y" -> "X取决于什么？"."""
    for pattern, asks in _SIMPLE:
        match = pattern.match(clause.text)
        if match is None or (match["verb"] in _OF_NOUNS and NOT_A_NOUN.search(match["answer"])):
            continue
        if known(match["topic"]) and not re.search(r"\d|世纪", match["answer"]):
            question = f"{match['topic']}{match['verb']}{asks}？"
            yield from clause.ask(question, match["answer"], "factoid", 0.85)
            return


def attributes(clause: Clause) -> Iterator[Candidate]:
    """Ask for an attribute: "X的官方语言是Y" -> "X的官方语言是什么？"."""
    match = _ATTRIBUTE.match(clause.text)
    if match is None or not clause.last or not named(match["topic"] + match["what"]):
        return
    if re.search(r"之一|^(?:由|对|被|在)", match["answer"]):
        return
    question = f"{match['topic']}{match['what']}是什么？"
    yield from clause.ask(question, match["answer"], "factoid", 0.9)


def influences(clause: Clause) -> Iterator[Candidate]:
    """Ask for what acts on a thing: "X受Y的限制" -> "X受什么的限制？"."""
    match = _UNDER.match(clause.text)
    if (
        match
        and known(match["topic"])
        and clause.first
        and not re.search(r"[和与]$|影响", match["answer"])
    ):
        question = f"{match['topic']}{match['verb']}什么{match['act']}？"
        yield from clause.ask(question, match["answer"], "factoid", 0.87)


def seats(clause: Clause) -> Iterator[Candidate]:
    """Ask for the holder of a seat or title: "X是Y的首都" -> "Y的首都是哪里？"."""
    match = _SEAT.match(clause.text)
    if match and named(match["topic"]) and named(match["owner"]):
        asks = "谁" if PERSON.search(match["seat"]) else "哪里"
        question = f"{match['owner']}的{match['seat']}是{asks}？"
        yield from clause.ask(question, match["topic"], "factoid", 0.92)


def subjects(clause: Clause) -> Iterator[Candidate]:
    """Ask what did something to a thing with a name: "X席卷了Y" -> "什么席卷了Y？"."""
    match = _ACTED.match(clause.text)
    if match is None or not clause.first or not stated(clause.text) or not named(match["topic"]):
        return
    done = match["said"]
    if re.match(r".{2}[者率的]", done) or predicate(match["topic"] + "等等") is not None:
        return
    if not NAME.search(done) or PERSON.search(match["topic"]):
        return
    if re.search(r"[·•‧]", match["topic"]) or NOT_A_NOUN.search(done[2:].lstrip("了")):
        return
    yield from clause.ask(f"什么{done}？", match["topic"], "factoid", 0.85)


def objects(clause: Clause) -> Iterator[Candidate]:
    """Ask what somebody did: "X在Y发明了Z" -> "X在Y发明了什么？"."""
    taken = predicate(clause.text)
    if taken is None or not NAME.search(taken.topic) or not named(taken.topic):
        return
    match = _OBJECT.match(taken.said)
    if match is None or not stated(clause.text) or POINTING.search(clause.text):
        return
    if len(match["answer"]) < SHORTEST_OBJECT and not NAME.search(match["answer"]):
        return
    told = clause.dated or match["mid"] or _STRONG.match(match["verb"])
    if not told or re.match(r"[一几][个种项条系]", match["answer"]):
        return
    if re.search(r"[一几两]些|^的|的$|成为|从而|并(?!行)", match["answer"]) or NOT_A_NOUN.search(
        match["mid"]
    ):
        return
    question = f"{clause.dated}{taken.topic}{match['mid']}{match['verb']}了什么？"
    yield from clause.ask(question, match["answer"], "factoid", 0.84)


def partners(clause: Clause) -> Iterator[Candidate]:
    """Ask with whom: "X与Y合作" -> "X与谁合作？"."""
    match = _WITH.match(clause.text)
    if match and named(match["topic"]):
        asks = "哪里" if match["act"] in {"接壤", "毗邻", "相邻", "相连"} else "谁"
        question = f"{clause.dated}{match['topic']}{match['with']}{asks}{match['act']}？"
        yield from clause.ask(question, match["answer"], "factoid", 0.88)
