"""The last reader keeps questions that people ask, and turns down what cannot be read alone."""

import pytest

from testset.rules.reader import fault_of, pointer_in


@pytest.mark.parametrize(
    ("question", "answer", "language"),
    [
        ("How do I send form data?", "pass a dict to data", "en"),
        ("What is the impact of Harvat?", "All pumps stop.", "en"),
        ("Was ist bei Harvat unter „Wirkung“ angegeben?", "Alle Pumpen stehen still.", "de"),
        ("弁を作るにはどうすればよいですか？", "緑色の弁を選んで取り付けてください", "ja"),
        ("Harvatの影響は何ですか？", "すべてのポンプが止まります。", "ja"),
        ("如何打开阀门？", "需要先关闭水泵，然后再按两次绿色按钮", "zh"),
        ("Who repairs the lift?", "", "en"),
    ],
)
def test_a_question_with_an_answer_of_its_own_is_kept(question, answer, language):
    assert fault_of(question, answer, language) == ""


@pytest.mark.parametrize(
    ("question", "answer", "language", "says"),
    [
        ("What is it?", "a pump", "en", "points at"),
        ("What does this table show?", "the pumps", "en", "points at"),
        ("Wann wird er geleert?", "im Mai", "de", "points at"),
        ("作業場：なぜそれを作るのですか？", "弁は一つでは足りません。", "ja", "points at"),
        ("What does the vent need?", "the vent", "en", "repeats"),
        ("What is a vent?", "It is closed by:", "en", "cut off"),
        ("What is a vent?", ", which is closed", "en", "too late"),
        ("What is a (vent?", "a part of a pump", "en", "bracket open"),
        ("What is a vent?", "a **part** of a pump", "en", "markup"),
        ("How do I open the vent?", "Press ( ) twice.", "en", "picture"),
        ("弁を自分で作る方法は？", "入口の棚の手引きを参照してください。", "ja", "elsewhere"),
        ("如何自己制作阀门？", "请参考车间入口处的手册。", "zh", "elsewhere"),
    ],
)
def test_a_fault_is_named(question, answer, language, says):
    assert says in fault_of(question, answer, language)


def test_a_pronoun_may_stand_for_a_name_before_it():
    assert pointer_in("When did Ada Byron build her first pump?", "en") is None
    pointer = pointer_in("When was his pump built?", "en")
    assert pointer is not None
    assert pointer.group() == "his"


def test_a_language_without_a_table_is_read_for_its_form():
    assert fault_of("Hol van a (kapu?", "itt", "hu") == "the question leaves a bracket open"
    assert fault_of("Hol van a kapu?", "itt", "hu") == ""
