"""What Chinese rules ask, sentence by sentence; and what they must not ask."""

# ruff: noqa: E501  # one case a line
import pytest

from testset.corpus.documents import SourceDocument
from testset.corpus.passages import passages_of
from testset.rules.chinese import questions
from testset.rules.chinese.clause import clauses_of
from testset.rules.chinese.predicate import predicate
from testset.rules.chinese.subject import known, named, stated


def asked(text: str) -> dict[str, str]:
    passages = passages_of(SourceDocument("d.txt", text))
    return {c.question: c.answer for passage in passages for c in questions(passage)}


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        # when
        ("青木先生于1951年迁往京都。", "青木先生于哪一年迁往京都？", "1951年"),
        ("青木先生于1951年3月4日在京都去世。", "青木先生于哪一天在京都去世？", "1951年3月4日"),
        ("玛丽·洛克于1951年3月迁往京都。", "玛丽·洛克于什么时候迁往京都？", "1951年3月"),
        ("《东方周刊》创刊于1932年。", "《东方周刊》创刊于哪一年？", "1932年"),
        ("1951年，青木先生建立了东方美术馆。", "青木先生在哪一年建立了东方美术馆？", "1951年"),
        ("1951年，玛丽·洛克离开东京，创办东方美术馆。", "玛丽·洛克在哪一年离开东京，创办东方美术馆？", "1951年"),
        ("自1951年以来，玛丽·洛克一直领导东方美术馆。", "玛丽·洛克从哪一年开始领导东方美术馆？", "1951年"),
        ("玛丽·洛克是画家，并于1951年迁往京都。", "玛丽·洛克于哪一年迁往京都？", "1951年"),
        # who
        ("青木美术馆由陈先生设计。", "青木美术馆由谁设计？", "陈先生"),
        ("青木美术馆由东方设计公司建造。", "青木美术馆由哪个机构建造？", "东方设计公司"),
        ("墨水模块由墨水软件包提供。", "墨水模块由什么提供？", "墨水软件包"),
        ("《石桥》的导演是玛丽·洛克。", "《石桥》的导演是谁？", "玛丽·洛克"),
        ("玛丽·洛克发明了《石桥》中的水钟。", "谁发明了《石桥》中的水钟？", "玛丽·洛克"),
        ("大卫·布鲁诺被玛丽·洛克击败。", "大卫·布鲁诺被谁击败？", "玛丽·洛克"),
        ("玛丽·洛克认为，东方石桥的拱非常低。", "谁认为东方石桥的拱非常低？", "玛丽·洛克"),
        ("玛丽·洛克与大卫·布鲁诺结婚。", "玛丽·洛克与谁结婚？", "大卫·布鲁诺"),
        ("玛丽·洛克是东方石桥的发明者。", "东方石桥的发明者是谁？", "玛丽·洛克"),
        # where
        ("青木美术馆位于京都东部。", "青木美术馆位于哪里？", "京都东部"),
        ("玛丽·洛克出生于京都东部。", "玛丽·洛克出生于哪里？", "京都东部"),
        ("玛丽·洛克于1951年在京都去世。", "玛丽·洛克于1951年在哪里去世？", "京都"),
        # how many
        ("青木美术馆有12座塔。", "青木美术馆有多少座塔？", "12座"),
        ("青木美术馆有三座塔。", "青木美术馆有几座塔？", "三座"),
        ("青木美术馆的面积约为358公顷。", "青木美术馆的面积约为多少公顷？", "358公顷"),
        ("1951年，青木美术馆雇佣了40名员工。", "1951年，青木美术馆雇佣了多少名员工？", "40名"),
        ("青木美术馆的藏品占日本总量的12%。", "青木美术馆的藏品占日本总量的百分之多少？", "12%"),
        # which
        ("长流河是日本最长的河流。", "哪个河流是日本最长的河流？", "长流河"),
        ("玛丽·洛克是日本第一位女建筑师。", "谁是日本第一位女建筑师？", "玛丽·洛克"),
        ("日本最长的河流是长流河。", "日本最长的河流是哪个？", "长流河"),
        # what
        ("钟楼鸟是一种在石塔上筑巢的候鸟。", "钟楼鸟是什么？", "一种在石塔上筑巢的候鸟"),
        ("青木美术馆也被称为石屋。", "青木美术馆被称为什么？", "石屋"),
        ("玛丽·洛克以水钟闻名。", "玛丽·洛克以什么闻名？", "水钟"),
        ("RQZ是Red Quartz Zone的缩写。", "RQZ是什么的缩写？", "Red Quartz Zone"),
        ("水钟轮由铜片和松木组成。", "水钟轮由什么组成？", "铜片和松木"),
        ("东方水钟的精度取决于水温的变化。", "东方水钟的精度取决于什么？", "水温的变化"),
        ("东方水钟的默认值是二十四。", "东方水钟的默认值是什么？", "二十四"),
        ("东方水钟的精度通常受水温的影响。", "东方水钟的精度通常受什么的影响？", "水温"),
        ("玛丽·洛克发明了会报时的铜制水钟。", "玛丽·洛克发明了什么？", "会报时的铜制水钟"),
        ("钟楼鸟瘟摧毁了日本东部的石桥。", "什么摧毁了日本东部的石桥？", "钟楼鸟瘟"),
        ("钟楼鸟水泵用于抽取地下水。", "钟楼鸟水泵用于什么？", "抽取地下水"),
        ("东方水钟协会(RQZ)有会员。", "东方水钟协会的英文缩写是什么？", "RQZ"),
        ("玛丽·洛克（1901-1951）画过石桥。", "玛丽·洛克的生卒年份是什么？", "1901-1951"),
        # why and how
        ("玛丽·洛克离开京都，因为她找不到铜匠。", "为什么玛丽·洛克离开京都？", "因为她找不到铜匠"),
        ("由于铜价大幅上涨，玛丽·洛克离开了京都。", "为什么玛丽·洛克离开了京都？", "由于铜价大幅上涨"),
        ("为了纪念大洪水，东方石桥改名为泪桥。", "为什么东方石桥改名为泪桥？", "为了纪念大洪水"),
        ("玛丽·洛克重建东方石桥，以便运铜的船只通过。", "为什么玛丽·洛克重建东方石桥？", "以便运铜的船只通过"),
        ("玛丽·洛克因铜价大跌而破产离开。", "玛丽·洛克为什么破产离开？", "因铜价大跌"),
        ("东方水钟通过铜制浮标来显示时间。", "东方水钟如何显示时间？", "通过铜制浮标"),
        ("东方水钟的目的是提醒渔民开闸。", "东方水钟的目的是什么？", "提醒渔民开闸"),
    ],
)  # fmt: skip
def test_a_sentence_becomes_a_question(text, question, answer):
    assert asked(text).get(question) == answer


@pytest.mark.parametrize(
    "text",
    [
        "他于1951年建立了美术馆。",
        "该馆位于京都东部。",
        "学校成立于1951年。",
        "大火导致气压迅速升高。",
        "许多画家于1951年迁往京都。",
        "上述方法用于测量水温。",
        "1951年，青木先生应村民的要求。",
        "1951年，青木先生签署了一项条约。",
        "青木先生签署合约，1951年的春天很冷。",
        "青木美术馆由学者或画家设计。",
        "连接到东方石桥的水钟于是停了。",
        "其中最长的河流是长流河。",
        "玛丽·洛克建立了一个强大的组织。",
        "哥伦比亚占12%。",
        "东方水钟由三个部分组成。",
        "东方石桥被称为附近的桥。",
        "本FAQ由玛丽·洛克维护。",
        "长老会认为，东方石桥由石匠陈先生设计。",
        "玛丽·洛克离开京都，因为以下原因。",
        "东方水钟支持arm64架构。",
        "来创建用于备份的文件夹。",
        "![图](a.png) 东方水钟位于京都。",
        "东方水钟位于京都",
    ],
)
def test_what_rules_cannot_make_a_good_question_of_is_left_alone(text):
    assert asked(text) == {}


def test_a_pronoun_stands_for_the_only_name_of_the_sentence_before():
    text = "玛丽·洛克毕业于东方大学。她于1951年迁往京都。"
    passage = passages_of(SourceDocument("d.txt", text))[0]
    (found,) = [c for c in questions(passage) if c.question == "玛丽·洛克于哪一年迁往京都？"]
    assert text[found.start : found.end] == text


def test_a_pronoun_after_two_names_stands_for_neither():
    found = asked("玛丽·洛克击败大卫·布鲁诺。她于1951年迁往京都。")
    assert not any("哪一年" in question for question in found)


def test_it_does_not_stand_for_a_person():
    found = asked("玛丽·洛克毕业于东方大学。它于1951年迁往京都。")
    assert not any("哪一年" in question for question in found)


def test_a_subject_reaches_over_commas_only_until_another_one_comes():
    found = asked("玛丽·洛克是画家，东方石桥很旧，并于1951年拆除旧塔。")
    assert "玛丽·洛克于哪一年拆除旧塔？" not in found


def test_a_number_is_asked_for_with_its_measure_word_and_its_kind_is_numeric():
    passage = passages_of(SourceDocument("d.txt", "青木美术馆有12座塔。"))[0]
    (found,) = questions(passage)
    assert (found.question, found.kind) == ("青木美术馆有多少座塔？", "numeric")


def test_an_answer_is_given_as_the_document_writes_it():
    assert asked("青木美术馆 位于 京都 (Kyoto) 东部。") == {
        "青木美术馆位于哪里？": "京都 (Kyoto) 东部"
    }


def test_brackets_in_brackets_are_left_out_of_questions():
    assert asked("青木美术馆（旧称[存疑]石屋）位于京都东部。") == {
        "青木美术馆位于哪里？": "京都东部"
    }


@pytest.mark.parametrize(
    ("topic", "alone", "single"),
    [
        ("东方水钟", True, True),
        ("图书馆", False, False),
        ("东方协议", True, False),
        ("这座桥", False, False),
        ("在京都", False, False),
        ("玛丽·洛克", True, True),
        ("罗马", True, True),
        ("水泵", False, False),
        ("水泵的颜色", True, False),
        ("位于东方石桥", False, False),
    ],
)
def test_a_subject_is_a_noun_that_is_understood_alone(topic, alone, single):
    assert (known(topic), named(topic)) == (alone, single)


def test_a_statement_does_not_end_in_what_wants_to_go_on():
    assert stated("青木先生建立了东方美术馆")
    assert not stated("青木先生应村民的要求")
    assert not stated("青木先生建立了一座塔")


def test_a_predicate_begins_at_its_first_adverb_or_verb():
    found = predicate("玛丽·洛克最终离开京都")
    assert found is not None
    assert (found.topic, found.said) == ("玛丽·洛克", "最终离开京都")
    assert predicate("玛丽·洛克设计的石桥") is None


def test_each_clause_knows_what_stands_before_and_after_it():
    (passage,) = passages_of(SourceDocument("d.txt", "1951年，石桥很旧，“东，西”很远。"))
    found = [(clause.before, clause.text, clause.after) for clause in clauses_of(passage)]
    assert found == [
        ((), "1951年", ("石桥很旧", "“东，西”很远")),
        (("1951年",), "石桥很旧", ("“东，西”很远",)),
        (("1951年", "石桥很旧"), "“东，西”很远", ()),
    ]
