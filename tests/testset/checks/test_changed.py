"""What an edit did to the sentence that an item rests on."""

import pytest

from tests.testset.checks.examples import draft_of
from testset import GoldSpan
from testset.checks import changed


def verdict(question: str, reference: str, before: str, now: str) -> str:
    old, new = (GoldSpan.cut("d", "", text, 0, len(text)) for text in (before, now))
    draft = draft_of(question, reference, language="", gold=((new,),))
    return changed.by_rule(draft, ((old,),)).verdict


@pytest.mark.parametrize(
    ("question", "reference", "before", "now"),
    [
        (
            "Was ist ein Haken?",
            "eine Funktion",
            "Ein Haken ist eine Funktion, die den Zustand liefert.",
            "Ein Haken ist keine Funktion, die den Zustand liefert.",
        ),
        (
            "フックとは何ですか",
            "関数",
            "フックは状態を返す関数です。",
            "フックは状態を返す関数ではありません。",
        ),
        ("钩子是什么？", "函数", "钩子是返回状态的函数。", "钩子不是返回状态的函数。"),
        (
            "Who may approve leave of ten days?",
            "The line manager",
            "The line manager may approve leave of up to ten days.",
            "The line manager may approve leave of up to six days.",
        ),
        (
            "How heavy is the pump?",
            "40 kg",
            "The pump of the works weighs 40 kg.",
            "The pump of the works never weighs 40 kg.",
        ),
    ],
)
def test_a_denial_and_another_value_of_what_is_asked_are_rejected(question, reference, before, now):
    assert verdict(question, reference, before, now) == "rejected"
    assert verdict(question, reference, before, before) == "passed"


@pytest.mark.parametrize(
    "now",
    [
        "The pump, built in 1844, weighs 40 kg.",
        "The pump, built in 1843, weighs 40 kg and is not red.",
        "The large pump, built in 1843, weighs 40 kg.",
    ],
)
def test_what_nobody_asks_about_may_change(now):
    before = "The pump, built in 1843, weighs 40 kg."
    assert verdict("How heavy is the pump?", "40 kg", before, now) == "passed"
