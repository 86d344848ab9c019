import pytest
from hypothesis import given, strategies as st

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.formulas.texts import bleu, chrf, rouge, string_similarity

TWO_SENTENCES = "The river rises in Switzerland. It flows north to the sea."


@pytest.mark.parametrize("text", [TWO_SENTENCES, "Paris", "東京は首都です。", "Да, это он."])
def test_identical_texts_score_one_in_every_script(text):
    assert bleu(text, text) == 1.0
    assert chrf(text, text) == 1.0
    assert rouge(text, text, rouge_type="rouge1") == 1.0
    assert rouge(text, text) == 1.0


@pytest.mark.parametrize("measure", [bleu, chrf, rouge])
def test_an_empty_response_scores_zero_and_an_empty_reference_is_undefined(measure):
    assert measure("", "Paris") == 0.0
    assert measure("Paris", " ") is None


def test_rouge_two_is_undefined_for_a_reference_of_one_word():
    assert rouge("Paris", "Paris", rouge_type="rouge2") is None


def test_bleu_sees_partial_overlap_of_unspaced_scripts():
    assert 0 < bleu("東京は日本の都市です", "東京は日本の首都です") < 1


def test_bleu_ignores_case_only_if_asked():
    assert bleu("PARIS", "paris") == 0.0


def test_rouge_by_hand():
    # unigrams: the, sat common of 3 and 4; longest common subsequence: the sat
    assert rouge("the dog sat", "the cat sat down", rouge_type="rouge1", measure="recall") == 2 / 4
    assert rouge("the dog sat", "the cat sat down", measure="precision") == 2 / 3
    assert rouge("東京都", "東都", measure="recall") == 1.0


def test_unknown_options_are_refused():
    with pytest.raises(InputError, match="'rouge9'"):
        rouge("a", "a", rouge_type="rouge9")  # type: ignore[arg-type]  # what is refused
    with pytest.raises(InputError, match="'f1'"):
        rouge("a", "a", measure="f1")  # type: ignore[arg-type]  # what is refused
    with pytest.raises(InputError, match="'soundex'"):
        string_similarity("a", "a", measure="soundex")  # type: ignore[arg-type]  # what is refused


@pytest.mark.parametrize(
    ("measure", "expected"),
    [
        ("levenshtein", 1 / 3),  # replace a and b: 2 edits of 3
        ("damerau_levenshtein", 2 / 3),  # one swap
        ("optimal_alignment", 2 / 3),
        ("indel", 2 / 3),  # delete a, insert a: 2 of 6
        ("hamming", 1 / 3),
        ("jaro", 5 / 9),  # three characters leave no window: only c agrees, (1/3 + 1/3 + 1) / 3
        ("jaro_winkler", 5 / 9),  # no common beginning
    ],
)
def test_string_similarities_by_hand(measure, expected):
    assert string_similarity("abc", "bac", measure=measure) == pytest.approx(expected)


@given(st.text(max_size=12))
def test_a_string_is_like_itself(text):
    for measure in ("levenshtein", "indel", "hamming", "jaro", "jaro_winkler"):
        assert string_similarity(text, text, measure=measure) == 1.0
