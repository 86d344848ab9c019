"""Questions that a text answers."""

import pytest

from llamaindex_rag_eval.judge.rules.questions import questions_of


@pytest.mark.parametrize(
    "text",
    [
        "The lock was built in 1890.",
        "Die Anlage kostet 12 Euro.",
        "塔は東京です。",
        "北京是首都。",
        "Paris",
    ],
)
@pytest.mark.parametrize("n", [1, 3, 9])
def test_asks_as_many_questions_as_wanted(text: str, n: int):
    questions, noncommittal = questions_of(text, n)
    assert len(questions) == n
    assert not noncommittal
    assert all(question.endswith(("?", "？")) for question in questions)


def test_three_questions_are_different():
    questions, _ = questions_of("The lock was built by Ito in 1890.", 3)
    assert len(set(questions)) == 3


def test_asks_in_the_language_of_the_text():
    (german, *_), _ = questions_of("Die Anlage steht im Tal.", 3)
    assert german.startswith("Was")
    (japanese, *_), _ = questions_of("塔は東京です。", 3)
    assert japanese.endswith("か？")


@pytest.mark.parametrize("text", ["", "I don't know.", "分かりません。", "What is it?"])
def test_a_text_that_evades_or_states_nothing_is_noncommittal(text: str):
    assert questions_of(text, 3) == ((), True)
