"""Tables of languages are read, checked, and told apart by a text."""

import pytest

from llamaindex_rag_eval.errors import InputError
from testset.rules import language
from testset.rules.language import language_of, languages


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


def test_an_unknown_key_in_a_table_is_an_error_with_its_place(tmp_path, monkeypatch):
    (tmp_path / "xx.toml").write_text('name = "X"\nlabels = 1\n', "utf-8")
    monkeypatch.setattr(language, "FOLDER", tmp_path)
    languages.cache_clear()
    try:
        with pytest.raises(InputError, match=r"xx\.toml, labels"):
            languages()
    finally:
        languages.cache_clear()
