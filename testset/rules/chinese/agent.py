"""Who: the maker of a thing, and who did what is told."""

import re
from collections.abc import Iterator

from testset.rules.chinese.clause import Clause
from testset.rules.chinese.closed_classes import (
    DATE,
    GENERIC,
    INSTITUTION,
    NAME,
    NO_SUBJECT,
    PERSON,
    POINTING,
    SOUNDS,
)
from testset.rules.chinese.predicate import predicate
from testset.rules.chinese.subject import known, named, stated
from testset.rules.passage_candidate import Candidate

__all__ = ["doers", "holders_of_views", "makers", "office_holders", "passive_agents"]

_MADE = (
    "设计|建造|修建|创立|创建|创办|建立|成立|领导|撰写|编写|书写|出版|发行|制作|制造|生产|拥有|管理|"
    "运营|经营|组织|提出|发现|发明|控制|任命|选举产生|选出|开发|维护|执导|主演|主持|演唱|演奏|"
    "翻译|绘制|创作|命名|资助|赞助|召集|发起|统治|担任|扮演|饰演|提供|签署|授予|颁发|负责|主办"
)
_BY = re.compile(
    rf"^(?P<topic>[^，]{{2,26}}?)(?P<when>[于在]{DATE})?(?P<is>是|最初|主要|最早|最终|后来)?由(?P<answer>[^，。；]{{2,24}}?)"
    rf"(?P<rest>(?:[于在][^，。；]{{2,16}}?)?(?:{_MADE})(?:的|和[^，。；的]{{2,4}})?)$"
)
_THING = re.compile(r"(?:包|库|系统|体系|程序|模块|器|文件|命令|工具|脚本|软件|框架|服务)$")
_OFFICE = re.compile(
    r"^(?P<topic>[^，是]{2,22}?的(?P<office>(?:第[一二三四五六七八九十]+[任位])?(?:现任|首任|前任|创始)?"
    r"(?:首都|首府|省会|作者|导演|编剧|主角|主演|总统|首相|总理|国王|女王|皇帝|市长|校长|主席|"
    r"院长|会长|主教|教练|主教练|队长|总设计师|设计者|设计师|建筑师|创始人|创立者|创办人|发明者|"
    r"发现者|继任者|继承人|前任|妻子|丈夫|父亲|母亲|儿子|女儿|老师|导师|学生|总部|所在地|发源地|"
    r"赢家|冠军|获胜者|领袖|领导人|赞助商|开发商|制造商|母公司|维护者)))(?:是|为)"
    r"(?P<answer>[^，。；]{2,24})$"
)
_PLACES = re.compile(r"(?:首都|首府|省会|总部|所在地|发源地)$")
_FIRMS = re.compile(r"(?:赞助商|开发商|制造商|母公司)$")
_PASSIVE = re.compile(
    rf"^(?P<topic>[^，]{{2,22}}?)被(?P<answer>[^，的]{{0,10}}?[{SOUNDS}]{{1,6}}(?:[·•‧][{SOUNDS}]{{1,7}})+)"
    r"(?P<rest>[^，]{2,24})$"
)
_HOLDS = re.compile(
    r"^(?P<who>[^，]{2,20}?)(?P<verb>认为|指出|主张|声称|相信|断言|提出|发现)(?P<view>[^，]{0,40})$"
)
_ONE_OF_MANY = re.compile(r"一[个种项条]|[许很]多|大量|[几多数][个种项]")
SHORTEST_DEED, LONG_DEED = 7, 12
"""Characters of what was done: a short one must hold a name, or many could have done it."""
_DID = re.compile(
    r"^(?:首次|最早|率先|最先|独立|正式|共同|成功|后来|最终|随后|终于|也)*(?:发明|发现|提出|创立|创建|创办|建立|设计|撰写|写|"
    r"出版|发表|赢得|击败|征服|率领|指挥|开发|创作|执导|证明|翻译|引入|引进|推出|建造|收购|任命|"
    r"命名|签署|颁布|废除|首创|绘制|编写|研制|获得|捐赠|资助|组建|担任|出任|成为|接替|扮演|继承)"
)


def makers(clause: Clause) -> Iterator[Candidate]:
    """Ask by whom a thing was made: "X由Y设计" -> "X由谁设计？"."""
    match = _BY.match(clause.text)
    if match is None or not named(match["topic"]):
        return
    answer = match["answer"]
    if NO_SUBJECT.match(answer) or POINTING.search(answer) or GENERIC.match(answer):
        return
    asks = "哪个机构" if INSTITUTION.search(answer) and not PERSON.search(answer) else "谁"
    if match["topic"] in answer or re.search(r"或|、|来$|进行$", answer):
        return
    if _THING.search(answer):
        asks = "什么"
    if asks == "谁" and re.search(r"[部分物质料]$|元素|系统", answer):
        return
    question = f"{match['topic']}{match['when'] or ''}{match['is'] or ''}由{asks}{match['rest']}？"
    yield from clause.ask(question, answer, "factoid", 0.92)


def office_holders(clause: Clause) -> Iterator[Candidate]:
    """Ask who holds a part: "X的导演是Y" -> "X的导演是谁？"; of a seat, where it is."""
    match = _OFFICE.match(clause.text)
    if match is None or not named(match["topic"]) or not clause.first:
        return
    if re.search(r"[、]|一[位个名]|来自", match["answer"]):
        return
    asks = "谁"
    if _PLACES.search(match["office"]):
        asks = "哪里"
    elif _FIRMS.search(match["office"]):
        asks = "哪家公司"
    yield from clause.ask(f"{match['topic']}是{asks}？", match["answer"], "factoid", 0.93)


def passive_agents(clause: Clause) -> Iterator[Candidate]:
    """Ask by whom: "X被Y击败" -> "X被谁击败？", where Y is a foreign name."""
    match = _PASSIVE.match(clause.text)
    if match is None or not named(match["topic"]) or not stated(clause.text):
        return
    yield from clause.ask(f"{match['topic']}被谁{match['rest']}？", match["answer"], "factoid", 0.9)


def doers(clause: Clause) -> Iterator[Candidate]:
    """Ask who did it: the subject with a proper name in it gives way to its question word."""
    taken = predicate(clause.text)
    if taken is None or not stated(clause.text):
        return
    topic, said = taken.topic, taken.said
    told = len(said) >= SHORTEST_DEED and (NAME.search(said) or len(said) >= LONG_DEED)
    if _ONE_OF_MANY.search(said) and not NAME.search(said):
        return
    if not _DID.match(said) or not told or not named(topic) or re.search(r"[和与、]", topic):
        return
    asks = _who(topic)
    if asks:
        yield from clause.ask(f"{asks}{said}？", topic, "factoid", 0.88)


def holders_of_views(clause: Clause) -> Iterator[Candidate]:
    """Ask who holds a view: "Y认为，P" -> "谁认为P？"."""
    match = _HOLDS.match(clause.text)
    if match is None or not named(match["who"]) or _who(match["who"]) != "谁":
        return
    view = match["view"] or (clause.after[0] if clause.after else "")
    taken = predicate(view)
    if (
        taken is None
        or not known(taken.topic)
        or not stated(view)
        or re.search(r"[和与、]", match["who"])
    ):
        return
    yield from clause.ask(f"谁{match['verb']}{view}？", match["who"], "factoid", 0.86)


def _who(topic: str) -> str:
    """Return the question word for a subject; empty if it shows no kind."""
    if re.search(r"[·•‧][^，的]{1,9}$", topic) or PERSON.search(topic):
        return "谁"
    if re.fullmatch(rf"[{SOUNDS}]{{3,6}}", topic):
        return "谁"
    if topic.endswith("公司"):
        return "哪家公司"
    if re.search(r"(?:大学|学院)$", topic):
        return "哪所大学"
    if INSTITUTION.search(topic):
        return "哪个机构"
    return ""
