"""What rules ask, sentence by sentence; and what they must not ask."""

# ruff: noqa: E501  # one case a line
import pytest

from testset import SourceDocument
from testset.corpus.passages import passages_of
from testset.rules.grammars import passage_candidates


def asked(text: str, doc_id: str = "d.txt") -> dict[str, str]:
    passages = passages_of(SourceDocument(doc_id, text))
    return {c.question: c.answer for passage in passages for c in passage_candidates(passage)}


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("In 1186, Temujin was elected khan of the Mongols.", "In which year was Temujin elected khan of the Mongols?", "1186"),
        ("The VT-480 was introduced on 21 February 2023.", "When was the VT-480 introduced?", "21 February 2023"),
        ("Nora Quill wrote the Ely Guide in 1951.", "Who wrote the Ely Guide in 1951?", "Nora Quill"),
        ("The Ely Bridge was designed by Nora Quill.", "Who designed the Ely Bridge?", "Nora Quill"),
        ("The VT-480 has twelve zones.", "How many zones does the VT-480 have?", "twelve zones"),
        ("Ely Hall is a concert house in the fens.", "What is Ely Hall?", "a concert house in the fens"),
        ("Nora Quill was born in Lynn and lived there.", "Where was Nora Quill born?", "Lynn"),
        ("The estimated cost of the Ely Bridge is £96,000.", "What is the estimated cost of the Ely Bridge?", "£96,000"),
        ("The VT-480 is cooled because its processor gets hot.", "Why is the VT-480 cooled?", "because its processor gets hot"),
        ("The Treaty of Ely ended the long war with Lynn in 1951.", "Which treaty ended the long war with Lynn in 1951?", "Treaty of Ely"),
        ("About 40% of the eggs of the Ely hen were eaten.", "What percentage of the eggs of the Ely hen were eaten?", "About 40%"),
        ("The Ely Pump protects Ely Hall by moving water from the river.", "How does the Ely Pump protect Ely Hall?", "by moving water from the river"),
        ("Nora Quill led the Ely Guild from 1901 to 1910.", "During which years did Nora Quill lead the Ely Guild?", "from 1901 to 1910"),
        ("The basic unit of money in Ely is a brass token.", "What is the basic unit of money in Ely?", "a brass token"),
        ("Aufgrund der Kälte platzte das große Rohr in Lynn.", "Warum platzte das große Rohr in Lynn?", "Aufgrund der Kälte"),
        ("Über 60 % der Bäume in Lynn wurden im Winter gefällt.", "Wie viel Prozent der Bäume in Lynn wurden im Winter gefällt?", "Über 60 %"),
        ("青木組（略称: AG）は京都の会社である。", "青木組の略称は何ですか?", "AG"),
        ("青木橋は地元の人々から石橋と呼ばれる。", "青木橋は地元の人々から何と呼ばれますか?", "石橋"),
        ("Im Jahr 1186 wurde Temujin zum Khan der Mongolen gewählt.", "In welchem Jahr wurde Temujin zum Khan der Mongolen gewählt?", "1186"),
        ("Der Regler VT-240 hat vier Zonen.", "Wie viele Zonen hat der Regler VT-240?", "vier Zonen"),
        ("青木美術館は1951年に開館した。", "青木美術館は何年に開館しましたか?", "1951年"),
        ("1839年にオランダがベルギーの独立を承認した。", "オランダがベルギーの独立を承認したのは何年ですか?", "1839年"),
    ],
)  # fmt: skip
def test_a_sentence_becomes_a_question(text, question, answer):
    assert asked(text).get(question) == answer


@pytest.mark.parametrize(
    "text",
    [
        "It was introduced on 21 February 2023.",
        "He wrote the guide in 1951.",
        "This table shows twelve zones.",
        "Diese Brücke wurde 1951 gebaut.",
        "その美術館は1951年に開館した。",
    ],
)
def test_a_sentence_that_points_elsewhere_is_not_asked_about(text):
    assert asked(text) == {}


def test_she_is_named_by_the_sentence_before():
    found = asked("Nora Quill studied in Lynn. She wrote the Ely Guide in 1951.")
    assert found["In which year did Nora Quill write the Ely Guide?"] == "1951"
