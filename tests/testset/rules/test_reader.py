"""The last reader keeps questions that people ask, and turns nonsense down."""

# ruff: noqa: E501  # one case a line

from collections import Counter

import pytest

from tests.benchmarks.last_reader import OWN, read_judged
from testset.rules.reader import fault_of, pointer_in


def test_good_questions_are_kept_and_bad_ones_turned_down_in_each_language():
    rows = list(read_judged(OWN))
    assert {row.language for row in rows} == {"de", "en", "ja", "zh"}
    wrong = Counter(
        row.language
        for row in rows
        if bool(fault_of(row.question, row.answer, row.language, evidence=row.evidence))
        != (row.verdict == "drop")
    )
    assert wrong.total() <= len(rows) / 20


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How do I send form data?", "pass a dict to data"),
        ("What is cross site scripting?", "the injection of arbitrary HTML into a website"),
    ],
)
def test_a_question_of_common_words_is_kept(question, answer):
    assert fault_of(question, answer, "en") == ""


@pytest.mark.parametrize(
    ("question", "answer", "evidence", "says"),
    [
        ("What is it?", "a pump", "", "points at"),
        (
            "What is a cooling fan?",
            "a machine that cools",
            "A cooling fan is a machine that cools and dries.",
            "middle",
        ),
        ("What is the share plan called?", "ESPP", "The plan (RSU, ESPP, options) is old.", "list"),
        ("What does the vent need?", "the vent", "", "repeats"),
        ("What does API stand for?", "Web Programming", "", "another letter"),
        ("What happens if a pump fails?", "a new one should be bought", "", "what to do"),
        ("What is a lease?", "a debt, the rent you pay on it is an expense", "", "runs on"),
        ("How is the oil made thin?", "by adding salt, and the wax by adding ash", "", "runs on"),
        ("Where are the valves stored?", "in three different rooms", "", "no place"),
        ("How do I drain the boiler?", "first close the tap", "", "first step"),
        ("When do the ceremony take place?", "in May", "", "does not fit"),
        ("What does the club own?", "a boat. Back to top", "", "around a page"),
        ("How can oil be found or can be heated?", "by drilling", "", "two clauses"),
        ("What are the possible options?", "red and blue", "", "vaguely"),
    ],
)
def test_a_fault_is_named(question, answer, evidence, says):
    assert says in fault_of(question, answer, "en", evidence=evidence)


@pytest.mark.parametrize(
    ("question", "answer", "asks"),
    [
        ("福利厚生：救急車はどのくらいですか？", "1 日", False),
        (
            "福利厚生：「第 1 子または第 2 子」はどのくらいですか？",
            "16 週間 (出産前 6 週間)",
            False,
        ),
        ("福利厚生：通知期限はどのくらいですか？", "48 時間", True),
        ("村の人口はどのくらいですか？", "約3万人", True),
    ],
)
def test_a_time_in_japanese_answers_a_question_that_asks_for_one(question, answer, asks):
    assert (fault_of(question, answer, "ja") == "") == asks


@pytest.mark.parametrize(
    ("language", "question", "answer", "says"),
    [
        ("ja", "作業場：なぜそれを作るのですか？", "弁は一つでは足りません。", "outside"),
        ("ja", "弁を自分で作る方法は？", "もっと詳しいことについては、作業場の入口の棚にある緑色の表紙の手引きと、その隣の棚にある部品の一覧とを読んでください。", "elsewhere"),
        ("ja", "弁を作るにはどうすればよいですか？", "手引きを読み、緑色の弁を選んで取り付けてください", ""),
        ("ja", "作業場には何がありますか？", "等の道具があります。ポンプもあります。", "particle"),
        ("ja", "弁を開くにはどうすればよいですか？", "作業場の指示に従います", "way"),
        ("ja", "弁を開くにはどうすればよいですか？", "まず弁を選択し、次に緑色のボタンを押します", ""),
        ("ja", "ハルバットとは何ですか？", "代替のボイラー", "nothing"),
        ("ja", "ハルバットとは何ですか？", "ハルバットは名前または印です。", "no thing"),
        ("ja", "ハルバットとは何ですか？", "ハルバットは、弁を閉じる部品です。", ""),
        ("ja", "点検の目標を教えてもらえますか？", "「来年までにボイラーの点検を一人でできるようにする。」", "example"),
        ("ja", "ハルバットは何のためのものですか？", "冬の点検にのみ使用されます。", "for"),
        ("ja", "ハルバットは何のためのものですか？", "空欄の場合、今日の日付になります。", "for"),
        ("ja", "ハルバットは何のためのものですか？", "弁を閉じます。冬の点検にのみ使用されます。", ""),
        ("ja", "ボイラーの点検計画はどのようになっていますか？", "点検表を作る\n配管の掃除\n弁の交換", "links"),
        ("ja", "弁を開くにはどうすればよいですか？", "対応する行を消してください", "no answer"),
        ("ja", "弁を開くにはどうすればよいですか？", "レバーを引きます。番号はこの章で決めます。", "outside"),
        ("ja", "こういった弁は毎年交換しますか？", "はい。毎年五月に交換します。", "outside"),
        ("ja", "ハルバットは何のためのものですか？", "箱での提供はありません。(重さ: 3キロ)", "for"),
        ("ja", "弁はややこしいですね。どれを選べばよいですか？", "緑色の弁を選んでください。", "of what"),
        ("ja", "ボイラー：どれを選べばよいですか？", "緑色の弁を選んでください。", "of what"),
        ("ja", "弁の大きさはどのくらいですか？", "530", "unit"),
        ("ja", "弁の数はどのくらいですか？", "530", ""),
        ("ja", "弁を開くにはどうすればよいですか？", "クリックしてください", "way"),
        ("ja", "弁を設定するにはどうすればよいですか？", "弁の部品は、次のものとなります：\n- 輪\n- 軸", "way"),
        ("ja", "弁を設定するにはどうすればよいですか？", "弁には次の手順があります。\n1. 輪を外します。", ""),
        ("ja", "弁の料金を教えてもらえますか？", "ボイラーの料金のXパーセント", "example"),
        ("ja", "fooの重さを教えてもらえますか？", "弁の重さの二倍", "placeholder"),
        ("zh", "如何自己制作阀门？", "欲了解详细信息，请阅读车间入口处的手册，或者旁边架子上绿色封面的零件清单。", "elsewhere"),
        ("zh", "如果时间不够，应该怎么做？", "请继续阅读后面的章节，那里有逐步的说明，讲解怎样打开车间里的每一个绿色阀门和水泵", "elsewhere"),
        ("zh", "如何打开阀门？", "请参考车间入口处的手册和旁边架子上绿色封面的零件清单，选择与水泵相配的阀门，然后按两次绿色按钮", ""),
        ("zh", "如何保存水量？", "指定车间里保存水量的表格。默认不保存。", "only"),
        ("zh", "如何修好阀门？", "你需要使用它们打开锅炉", "elsewhere"),
        ("zh", "如何打开阀门？", "必须首先准备一张绿色的点检表", "first"),
        ("zh", "如何打开阀门？", "需要先关闭水泵，然后再按两次绿色按钮", ""),
        ("zh", "如何打开阀门？", "请改用绿色按钮", "elsewhere"),
        ("zh", "如何打开阀门？", "请使用 图标或点检表菜单", "picture"),
        ("zh", "如果阀门生锈，应该怎么做？", "建议尝试使用", "cut off"),
        ("zh", "如果阀门生锈，会怎么样？", "水泵的声音会有所不同", "nothing"),
        ("zh", "如果阀门生锈，会怎么样？", "水泵的声音会不同", "nothing"),
        ("zh", "如何标记阀门？", "只需要在数字后面加一个", "nothing"),
        ("zh", "如何选择阀门？", "选择的水泵不同，阀门的大小也会不同。", "only"),
        ("zh", "如何安装阀门？", "警告\n不要碰绿色的水泵。", "only"),
        ("zh", "阀门的检查是什么？", "一个相当复杂的问题", "nothing"),
        ("zh", "什么是漏水？", "假设有人打开了阀门，水就会流出来。", "example"),
        ("zh", "harvat-mode 的作用是什么？", "通常建议保持默认值。", "what it is for"),
        ("zh", "harvat.pdf 的作用是什么？", "以 PDF 文件的方式下载。", "what it is for"),
    ],
)  # fmt: skip
def test_an_answer_that_leads_elsewhere_is_none(language, question, answer, says):
    fault = fault_of(question, answer, language)
    assert says in fault
    assert bool(fault) == bool(says)


def test_a_question_without_an_answer_is_read_alone():
    assert fault_of("Who repairs the lift?", "", "en") == ""


def test_a_pronoun_may_stand_for_a_name_before_it():
    assert pointer_in("When did Ada Byron build her first pump?", "en") is None
    found = pointer_in("When was his pump built?", "en")
    assert found is not None
    assert found.group() == "his"


def test_a_language_without_a_table_is_read_for_its_form():
    assert fault_of("Hol van a (kapu?", "itt", "hu") == "the question leaves a bracket open"
    assert fault_of("Hol van a kapu?", "itt", "hu") == ""
