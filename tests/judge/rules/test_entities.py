"""Entities and the form in which they are compared."""

import pytest

from llamaindex_rag_eval.judge.rules.entities import entities_of, normal_entity


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Ada Nakamura moved from Kyoto to Rome.", {"Ada Nakamura", "Kyoto", "Rome"}),
        ("It opened on 3 May 2021 and cost $12 million.", {"3 May 2021", "$12 million"}),
        ("Am 3. Mai 2021 zahlte Ada 12,50 Euro.", {"3. Mai 2021", "Ada", "12,50 Euro"}),
        ("塔は1958年に完成し、高さは333メートルです。", {"1958年", "333メートル"}),
        ("She read “The Long Lock” at 40 km.", {"The Long Lock", "40 km"}),
    ],
)
def test_finds_names_dates_and_quantities(text: str, expected: set[str]):
    assert expected <= set(entities_of(text))


def test_each_entity_is_named_once_in_order():
    assert entities_of("Kyoto and Rome. KYOTO! The Rome.") == ("Kyoto", "Rome")


@pytest.mark.parametrize("text", ["", "the tea is green", "...", "これは。"])
def test_a_text_without_entities_has_none(text: str):
    assert entities_of(text) == ()


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Paris", "paris"),
        ("The Taj Mahal", "Taj Mahal"),
        ("ＰＡＲＩＳ", "Paris"),
        ("die Elbe", "Elbe"),
        ("  Taj   Mahal. ", "taj mahal"),
        ("STRASSE", "straße"),
    ],
)
def test_spellings_of_one_entity_are_equal(one: str, other: str):
    assert normal_entity(one) == normal_entity(other)
