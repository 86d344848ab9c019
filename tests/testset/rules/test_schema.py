"""What recurs in documents, sections or rows becomes a question: whose, what, and the value."""

import pytest

from testset import SourceDocument
from testset.rules.candidate import Candidate
from testset.rules.registry import candidates_of, collection_schema

FILLER = {
    "en": "It is in the hall and it is on the left of the door, as you can see. The {} is known.\n",
    "de": "Sie ist in der Halle und sie ist auf der linken Seite von der Tür zu sehen.\n",
    "fr": "Elle est dans la salle et les {} sont à gauche de la porte pour tous les jours.\n",
    "es": "Está en la sala y los {} son a la izquierda de la puerta para todos los días.\n",
    "ja": "ホールにあり、ドアの左側に水の{}が見えます。\n",
    "zh": "在大厅里，在门的左边可以看到水的{}。\n",
    "ko": "홀 안에 있으며 문의 왼쪽에서 물의 {} 볼 수 있습니다.\n",
}
NAMES = ("Harvat", "Orlant", "Bekum", "Selvan", "Torvid")


def asked(texts: list[str]) -> dict[str, Candidate]:
    documents = [SourceDocument(f"{n}.md", text) for n, text in enumerate(texts)]
    schema = collection_schema(documents)
    return {c.question: c for each in documents for c in candidates_of(each, schema)}


@pytest.mark.parametrize(
    ("language", "label", "question"),
    [
        ("en", "Weight", "What is the weight of Harvat?"),
        ("fr", "Poids", "À combien s’élèvent les poids pour Harvat ?"),
        ("es", "Pesos", "¿Cuáles son los pesos de Harvat?"),
        ("ja", "重さ", "Harvatの重さはいくつですか？"),
        ("zh", "重量", "Harvat的重量是多少？"),
        ("ko", "무게", "Harvat의 무게는 얼마인가요?"),
    ],
)
def test_a_heading_of_five_documents_is_asked_of_each_of_them(language, label, question):
    filler = FILLER[language].format(label.lower())
    texts = [f"# {name}\n\n{filler}\n## {label}\n\n{n + 4} kg" for n, name in enumerate(NAMES)]
    assert asked(texts)[question].answer == "4 kg"
    assert question not in asked(texts[:4])


def test_nothing_is_asked_of_a_label_that_no_text_uses_as_a_noun_or_of_a_value_in_words():
    filler = FILLER["en"].format("weight")
    values = {"Getting it": "{} kg", "Why use it?": "{} kg", "Weight": "As the door {}"}
    for label, value in values.items():
        texts = [
            f"# {name}\n\n{filler}\n## {label}\n\n{value.format(n + 4)}"
            for n, name in enumerate(NAMES)
        ]
        assert not asked(texts)


def test_a_label_of_five_sections_is_asked_of_each():
    sections = "\n\n".join(f"## {name}\n\n- Weight: {n + 4} kg" for n, name in enumerate(NAMES))
    found = asked([f"# Lynn works\n\n{FILLER['en'].format('weight')}\n{sections}\n"])
    weight = found["What is the weight of Harvat?"]
    assert (weight.answer, weight.kind, weight.type) == ("4 kg", "numeric", "single_hop")


TABLE = "# Lynn works\n\n{}\n| Pump | {} |\n|---|---|\n{}"


@pytest.mark.parametrize(
    ("header", "values", "asks"),
    [
        ("Weight", ("4 kg", "5 kg", "6 kg", "7 kg", "8 kg"), True),
        ("Number", ("1", "2", "3", "4", "5"), False),
        ("Pins", ("4 / 6", "5 / 7", "6 / 8", "7 / 9", "8 / 10"), False),
        ("Role", ("R", "A", "C", "I", "R"), False),
        ("Tested", ("yes", "no", "yes", "no", "yes"), False),
        ("Contact", tuple(f"{name}@lynn.org" for name in NAMES), False),
        ("Colour", ("grey",) * 5, False),
        ("Label", NAMES, False),
        ("Weight", ("4 kg", "5 kg", "6 kg", "7 kg"), False),
    ],
)
def test_a_column_of_five_rows_is_asked_for_unless_its_values_say_nothing(header, values, asks):
    rows = "".join(f"| {name} | {value} |\n" for name, value in zip(NAMES, values, strict=False))
    found = asked([TABLE.format(FILLER["en"].format(header.lower()), header, rows)])
    assert (f"What is the {header.lower()} of Harvat?" in found) is asks
    assert bool(found) is asks


def test_a_table_whose_rows_have_common_names_is_not_asked_about():
    words = ("Easy task", "Hard task", "Long task", "Light task", "Late task")
    rows = "".join(f"| {name} | {n + 4} kg |\n" for n, name in enumerate(words))
    assert not asked([TABLE.format(FILLER["en"].format("weight"), "Weight", rows)])


def test_nothing_is_asked_about_a_part_of_something_with_a_name():
    rows = "".join(f"| {name} | {n + 4} kg |\n" for n, name in enumerate(NAMES))
    text = TABLE.format(FILLER["en"].format("weight"), "Weight", rows)
    assert not asked([text.replace("Lynn works", "Lynn F4")])
    assert "What is the weight of Harvat?" in asked([text])


def test_a_table_whose_columns_are_models_is_read_by_its_rows():
    rows = "".join(
        f"| {label} | {n} A | {n + 2} A |\n"
        for n, label in enumerate(("Load", "Peak", "Loss", "Fuse", "Draw"))
    )
    header = "| Value | VT-2 | VT-4 |\n|---|---|---|\n"
    text = f"# Lynn works\n\n{FILLER['en'].format('peak')}\n{header}{rows}"
    found = asked([text])["What is the peak of VT-4?"]
    assert (found.answer, found.type) == ("3 A", "table")


def test_what_most_titles_end_with_is_no_part_of_an_entity():
    filler = FILLER["zh"].format("原料")
    texts = [
        f"# {name}的做法\n\n{filler}\n## 原料\n\n{n + 4}千克\n" for n, name in enumerate(NAMES)
    ]
    assert "Harvat的原料是多少？" in asked(texts)


def test_examples_menus_and_invented_names_are_no_facts():
    filler = FILLER["en"].format("owner")
    for value in ("[a page](a.md)", "Jane Doe", "for example, a pump"):
        texts = [
            f"# {name}\n\n{filler}\n## Owner\n\n- {value} {n}\n" for n, name in enumerate(NAMES)
        ]
        assert not asked(texts)
