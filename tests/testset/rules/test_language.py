"""Tables of languages are read, checked, and told apart by a text."""

import pytest

from llamaindex_rag_eval.errors import InputError
from testset.rules import language
from testset.rules.language import language_of, languages, without_rules


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("The price of the pump is on the label.", "en"),
        ("Der Preis der Pumpe ist auf dem Schild.", "de"),
        ("ポンプの価格はラベルに書いてあります。", "ja"),
        ("水泵的价格写在标签上。", "zh"),
        ("All pumps come with a kit: 30 l/min, 60 l/min, 90 l/min, 120 l/min.", "en"),
        ("Ár Qdrant Zvw.", None),
        ("", None),
    ],
)
def test_the_language_of_a_text_is_told_by_script_and_common_words(text, code):
    found = language_of(text)
    assert (found and found.code) == code


ENGLISH, TERSE = "Where is the serial number? On the plate.", "Gewicht Pumpe P100? 40 kg"
RUSSIAN = "Сколько весит насос? Насос весит 40 кг."


@pytest.mark.parametrize(
    ("texts", "start"),
    [
        ([ENGLISH, "ポンプの重さは? 40kg"], ""),
        ([ENGLISH, TERSE, TERSE, "Garantie der Pumpe? Zwei Jahre ab Kauf."], ""),
        ([*[ENGLISH] * 19, RUSSIAN], ""),
        ([], ""),
        ([*[ENGLISH] * 3, RUSSIAN], "25% of the questions and answers seem to be in another "),
        ([ENGLISH, "Où est la plaque ?"], "50% of the questions and answers seem to be in French"),
    ],
)
def test_a_language_that_the_judge_has_no_rules_for_is_named_unless_few_texts_are_in_it(
    texts, start
):
    sentences = without_rules(texts)
    assert [sentence.startswith(start) for sentence in sentences] == [True] * bool(start)


def test_an_unknown_key_in_a_table_is_an_error_with_its_place(tmp_path, monkeypatch):
    (tmp_path / "xx.toml").write_text('name = "X"\nlabels = 1\n', "utf-8")
    monkeypatch.setattr(language, "FOLDER", tmp_path)
    languages.cache_clear()
    try:
        with pytest.raises(InputError, match=r"xx\.toml, labels"):
            languages()
    finally:
        languages.cache_clear()
