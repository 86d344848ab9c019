"""Values of texts are compared by what they count."""

import pytest

from testset.checks.answers import holds, values_like, without_steps


def test_a_number_of_something_else_is_no_other_answer():
    text = "The Ely pump weighs 90 kilograms and has 12 zones."
    assert [value.number for value in values_like(text, "numeric", "8 zones")] == [12]
    assert [value.number for value in values_like(text, "numeric")] == [90, 12]
    cost = values_like("It costs £96 and 40 men.", "numeric", "£12")
    assert [value.number for value in cost] == [96]


@pytest.mark.parametrize(
    ("text", "answer", "there"),
    [
        ("It takes 5 seconds.", "5 seconds", True),
        ("It takes 15 seconds.", "5 seconds", False),
        ("It takes 1.5 seconds.", "5 seconds", False),
        ("Nobody knows.", "No.", False),
        ("船は13人を運ぶ", "3人", False),
        ("船は3人を運ぶ", "3人", True),
    ],
)
def test_an_answer_stands_in_a_text_as_whole_words_alone(text, answer, there):
    assert holds(text, answer) is there


@pytest.mark.parametrize(
    ("answer", "plain"),
    [
        ("1. Open it. 2. Close it.", "Open it.  Close it."),
        ("(1) 打开;(2) 关闭", "打开; 关闭"),
        ("It costs 1. 50 dollars", "It costs 1. 50 dollars"),
        ("Versions 1.2 and 2.3", "Versions 1.2 and 2.3"),
    ],
)
def test_the_numbers_of_steps_are_left_out(answer, plain):
    assert without_steps(answer) == plain
