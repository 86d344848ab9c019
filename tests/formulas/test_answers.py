import pytest

from llamaindex_rag_eval.formulas.answers import (
    exact_match,
    normalise_answer,
    string_presence,
    token_f1,
    words,
)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The Seine!", "seine"),
        ("ＰＡＲＩＳ", "paris"),
        ("STRASSE", "Straße"),
        ("ℌof", "hof"),  # its capital comes to light only by NFKC
        ("«Rhône»", "Rho\u0302ne"),  # composed and decomposed
        ("東京。", "東京"),
        ("an apple", "apple"),
    ],
)
def test_answers_that_differ_in_form_only_match(left, right):
    assert exact_match(left, right) == 1.0


def test_articles_inside_words_stay():
    assert normalise_answer("Athens and a theatre") == "athens and theatre"


def test_token_f1_counts_repeated_tokens_once_each():
    # response: red red fox; reference: red fox den. 2 common, 3 and 3 tokens
    assert token_f1("red red fox", "the red fox den") == 2 / 3


def test_scripts_without_spaces_are_compared_by_character():
    # 3 of 4 characters of 東京都庁 are in 東京都
    assert token_f1("東京都", "東京都庁") == pytest.approx(6 / 7)


def test_an_answer_without_tokens_agrees_only_with_another_one():
    assert token_f1("the", "?!") == 1.0
    assert token_f1("", "Paris") == token_f1("Paris", "") == 0.0


def test_words_of_indic_scripts_stay_whole():
    assert words("हिन्दी भाषा") == ("हिन्दी", "भाषा")


def test_presence_compares_whole_tokens_when_normalised():
    assert string_presence("Parisian", "Paris") == 1.0
