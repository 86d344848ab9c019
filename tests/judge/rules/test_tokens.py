"""Terms, numbers and languages."""

import pytest

from llamaindex_rag_eval.judge.rules.tokens import is_cjk, language_of, terms


def keys(text: str) -> list[str]:
    return [term.key for term in terms(text)]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("1,500", "1500"),
        ("3.50", "3.5"),
        ("seven", "7"),
        ("zwölf", "12"),
        ("10th", "tenth"),
        ("two and a HALF miles", "2.5 miles"),
        ("3 Dozen eggs", "36 eggs"),
        ("Single-zone", "1-zone"),
        ("the 1980's", "the 1980s"),
        ("45 , 700", "45,700"),
        ("二人", "2人"),
        ("١٢万人", "12万人"),
        ("ＡＢＣ", "abc"),
        ("connected", "connection"),
    ],
)
def test_spellings_of_one_thing_have_one_key(one: str, other: str):
    assert keys(one) == keys(other)


@pytest.mark.parametrize(("one", "other"), [("1.5", "15"), ("red", "read"), ("東", "京")])
def test_different_things_have_different_keys(one: str, other: str):
    assert keys(one) != keys(other)


def test_chinese_and_japanese_give_characters_and_pairs_and_whole_katakana_words():
    assert keys("東京タワー") == ["東", "京", "東京", "タワー".casefold()]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Where does the train go?", "en"),
        ("Wohin fährt der Zug?", "de"),
        ("電車はどこへ行きますか", "ja"),
        ("火车去哪里", "zh"),
        ("Paris", "en"),
        ("42", "other"),
        ("", "other"),
        ("Где поезд", "other"),
        ("Le chat dort sur la table rouge", "other"),
    ],
)
def test_tells_the_language(text: str, language: str):
    assert language_of(text) == language


def test_a_latin_name_does_not_make_japanese_text_latin():
    assert is_cjk("LlamaIndexで検索します")
    assert not is_cjk("The sign says 出口 and nothing else at all")
