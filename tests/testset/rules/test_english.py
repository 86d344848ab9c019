"""What the English rules ask, and what they leave alone."""

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
        ("The Ely Hen Guild (EHG) buys corn, and EHG sells eggs.", "What does EHG stand for?", "Ely Hen Guild"),
        ("The farm keeps an EHG (Ely Hen Guild) badge.", "What does EHG stand for?", "Ely Hen Guild"),
        ("Nora Quill, founder of Ely Hall, sold bread.", "Who founded Ely Hall?", "Nora Quill"),
        ("They met in Lynn, the capital of Quillshire.", "What is the capital of Quillshire?", "Lynn"),
        ("To prime your Ely pump, open the red valve by hand.", "How do I prime my Ely pump?", "open the red valve by hand"),
        ("You can clean the Ely pump by running salt water through it.", "How can I clean the Ely pump?", "by running salt water through it"),
        ("The Ely pump is used to drain wet fields.", "What is the Ely pump used for?", "to drain wet fields"),
        ("The Ely pump allows users to drain wet fields.", "What does the Ely pump allow users to do?", "drain wet fields"),
        ("The Ely Wall is 73 miles long.", "How long is the Ely Wall?", "73 miles"),
        ("The Ely Guild raised $96,000 for Lynn Fair.", "How much did the Ely Guild raise for Lynn Fair?", "$96,000"),
        ("The Ely Bridge was sold for $96,000 in spring.", "For how much was the Ely Bridge sold?", "$96,000"),
        ("The Battle of Ely took place in Quillshire.", "Where did the Battle of Ely take place?", "Quillshire"),
        ("Masons mix lime mortar. Lime mortar protects the stones of the Ely Bridge.", "What protects the stones of the Ely Bridge?", "lime mortar"),
        ("In 1951, the Ely Guild reported that hens like music.", "What did the Ely Guild report in 1951?", "that hens like music"),
        ("The Ely Bridge is the oldest stone bridge in Quillshire.", "What is the oldest stone bridge in Quillshire?", "Ely Bridge"),
        ("A sluice is a gate that holds back water.", "What is a sluice?", "a gate that holds back water"),
        ("Nora Quill was a historian of the fens.", "Who was Nora Quill?", "a historian of the fens"),
        ("The Ely pump consists of a brass drum and two valves.", "What does the Ely pump consist of?", "a brass drum and two valves"),
        ("The guild sold the Old Ely Bridge in 1951.", "In which year did the guild sell the Old Ely Bridge?", "1951"),
    ],
)  # fmt: skip
def test_a_sentence_becomes_a_question(text, question, answer):
    assert asked(text).get(question) == answer


@pytest.mark.parametrize(
    "text",
    [
        "5 years is a reasonable period for keeping a boat.",
        "Thirty different hens is a minimum for a good farm.",
        "A boat is an anchor that you really do not need.",
        "Buying a boat is a bit of paperwork for a farmer.",
        "The typical case is a farmer with a small boat.",
        "A nice feature is a handle that turns by itself.",
        "The last field is a number that names the farm.",
        "Safety is a vast and very sensitive subject for farmers.",
        "Rowing a boat is a prerequisite for the job.",
        "The pump is part of the farm in Lynn.",
        "1 - For boats a licence is required for each owner.",
        "The Ely Guild met on Monday in the hall.",
        "The Ely Guild elected Nora Quill in March.",
        "Nora Quill is described in Table 3 of the guide.",
        "To do this, open the valve and use the following example.",
    ],
)
def test_a_sentence_that_makes_no_sense_alone_is_left(text):
    assert asked(text) == {}


@pytest.mark.parametrize("name", ["GNU", "FTP", "virtualBox", "VirtualBox", "Internet2"])
def test_a_name_keeps_its_letters(name):
    found = asked(f"{name} is a program that draws maps.")
    assert list(found) == [f"What is {name}?"]


def test_a_word_that_the_document_writes_small_loses_its_capital():
    text = (
        "Sluices are gates of oak. Sluice keepers are members of a guild. Many sluice keepers row."
    )
    assert "Who are sluice keepers?" not in asked(text)
    text = "Fen skating is a sport that needs hard ice. People like fen skating."
    assert "What is fen skating?" in asked(text)


def test_a_surname_is_told_in_full_where_the_document_knows_it():
    found = asked("Nora Quill was a baker. The mill burnt. Quill wrote the Ely Guide in 1951.")
    assert found["In which year did Nora Quill write the Ely Guide?"] == "1951"
    assert found["Who wrote the Ely Guide in 1951?"] == "Quill"


def test_a_surname_of_two_people_is_not_asked_about():
    text = "Nora Quill and Ada Quill baked. Quill wrote the Ely Guide in 1951."
    assert not any("Quill" in question for question in asked(text))


def test_an_answer_ends_where_a_second_statement_begins():
    found = asked("Sluicer is a small program for locks, and although it is old it works.")
    assert found["What is Sluicer?"] == "a small program for locks"
    found = asked("Sluicer is a small program for locks and can be had for nothing.")
    assert found["What is Sluicer?"] == "a small program for locks"


def test_a_suffix_of_a_file_is_not_glued_to_the_word_before_it():
    found = asked("Sluicer is a program that reads .map files.")
    assert found["What is Sluicer?"] == "a program that reads .map files"


def test_blanks_before_commas_are_taken_out():
    found = asked("The Ely Guild 's hall is a house of stone , built in haste .")
    assert found["What is the Ely Guild's hall?"] == "a house of stone, built in haste"


def test_facts_are_asked_for_before_definitions():
    text = "Sluicer is a program for locks. The Ely Bridge was designed by Nora Quill."
    (passage,) = passages_of(SourceDocument("d.txt", text))
    best = {candidate.rule: candidate.quality for candidate in passage_candidates(passage)}
    assert best["english.agent"] > best["english.definition"]
