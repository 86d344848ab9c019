"""Values of texts are compared by what they count."""

import pytest

from testset.checks.answers import holds, values_of


def test_a_number_of_something_else_is_no_other_answer():
    text = "The Ely pump weighs 90 kilograms and has 12 zones."
    assert values_of(text, "numeric", like="12 zones") == [(41, "12")]
    assert [value for _, value in values_of(text, "numeric")] == ["90", "12"]
    assert [v for _, v in values_of("It costs £96 and 40 men.", "numeric", like="£12")] == ["96"]


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
