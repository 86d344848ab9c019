"""Values of texts are compared by what they count."""

from testset.checks.answers import values_of


def test_a_number_of_something_else_is_no_other_answer():
    text = "The Ely pump weighs 90 kilograms and has 12 zones."
    assert values_of(text, "numeric", like="12 zones") == [(41, "12")]
    assert [value for _, value in values_of(text, "numeric")] == ["90", "12"]
    assert [v for _, v in values_of("It costs £96 and 40 men.", "numeric", like="£12")] == ["96"]
