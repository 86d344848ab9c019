"""What the English rules find beside the main clause, and what they then leave alone."""

# ruff: noqa: E501  # one case a line
import pytest

from testset import SourceDocument
from testset.corpus.passages import passages_of
from testset.rules.english.sound import lack_of
from testset.rules.grammars import passage_candidates
from testset.rules.passage_candidate import Candidate


def found(text: str) -> list[Candidate]:
    passages = passages_of(SourceDocument("d.txt", text))
    return [entry for passage in passages for entry in passage_candidates(passage)]


def asked(text: str) -> dict[str, str]:
    return {entry.question: entry.answer for entry in found(text)}


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("The masons moved to Ely Hall, which was completed in 1951.", "In which year was Ely Hall completed?", "1951"),
        ("Ely Hall, built in 1951 of grey stone, has a flat roof.", "In which year was Ely Hall built of grey stone?", "1951"),
        ("The prize went to Nora Quill, who led the Ely Guild to Lynn Fair in 1951.", "Who led the Ely Guild to Lynn Fair in 1951?", "Nora Quill"),
        ("Ely Hall was built of stone and was sold to Lynn Guild in 1951.", "In which year was Ely Hall sold to Lynn Guild?", "1951"),
        ("Nora Quill also founded the Ely Guild in 1951.", "In which year did Nora Quill found the Ely Guild?", "1951"),
        ("Nora Quill was a baker. In 1951, she moved to the Ely Guild.", "In which year did Nora Quill move to the Ely Guild?", "1951"),
        ("Ely Hall is a tall house of stone. It was sold to Lynn Guild in 1951.", "In which year was Ely Hall sold to Lynn Guild?", "1951"),
        ("Ely Hall is a house of stone. The house was sold to Lynn Guild in 1951.", "In which year was Ely Hall sold to Lynn Guild?", "1951"),
        ("They hired Nora Quill, a baker from Lynn, for the fair.", "Who was Nora Quill?", "a baker from Lynn"),
        ("They sold the Ely Museum, the oldest museum of hens in Quillshire.", "What is the oldest museum of hens in Quillshire?", "the Ely Museum"),
        ("The Ely Guild gave up just 308 points in Lynn.", "How many points did the Ely Guild give up in Lynn?", "just 308 points"),
        ("The Ely Guild sold 20 to 30 boats in Lynn.", "How many boats did the Ely Guild sell in Lynn?", "20 to 30 boats"),
        ("Two hens escaped from the Ely Guild in winter.", "How many hens escaped from the Ely Guild in winter?", "Two hens"),
        ("Nora Quill joined the Ely Guild at the age of 16.", "At what age did Nora Quill join the Ely Guild?", "16"),
        ("Nora Quill ruled the Ely Guild for only two years.", "How long did Nora Quill rule the Ely Guild?", "two years"),
        ("The Ely Hall lies on the old coast of Quillshire.", "Where does the Ely Hall lie?", "on the old coast of Quillshire"),
        ("The Ely Hall is located on a small farm near Lynn.", "Where is the Ely Hall located?", "on a small farm near Lynn"),
        ("The Ely Market replaced an older market for geese.", "What did the Ely Market replace?", "an older market for geese"),
        ("Nora Quill married Peter Reed in 1951.", "Who did Nora Quill marry in 1951?", "Peter Reed"),
        ("The Ely Bridge collapsed because of a winter storm.", "Why did the Ely Bridge collapse?", "because of a winter storm"),
        ("The Ely Guild was founded in 1951 to protect the wild hens.", "Why was the Ely Guild founded?", "to protect the wild hens"),
        ("The Ely Pump was used to drain wet fields.", "What was the Ely Pump used for?", "to drain wet fields"),
        ("Quillshire is vulnerable to floods from the fen.", "What is Quillshire vulnerable to?", "floods from the fen"),
        ("The Ely Mill is operated by Lynn Company in Lynn.", "Which company operates the Ely Mill in Lynn?", "Lynn Company"),
        ("Professor Quill argued that wild hens lay fewer eggs in winter.", "What did Professor Quill argue?", "that wild hens lay fewer eggs in winter"),
    ],
)  # fmt: skip
def test_a_fact_beside_the_main_clause_becomes_a_question(text, question, answer):
    assert asked(text).get(question) == answer


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("They sold the roof of Ely Hall, which was built in 1951.", "In which year was Ely Hall built?"),
        ("Nora Quill met Ada Reed. She died in 1951.", "In which year did Nora Quill die?"),
        ("Nora Quill met him. She moved to the Ely Guild in 1951.", "In which year did Nora Quill move to the Ely Guild?"),
        ("They met Peter Reed, Nora Quill, a baker from Lynn, and others.", "Who is Nora Quill?"),
        ("In Lynn, the guild sold two boats of oak.", "What is Lynn?"),
        ("They hired Nora Quill, the guild's best baker of bread.", "Who was Nora Quill?"),
        ("They hired Nora Quill, a 38-year-old baker from Lynn.", "Who was Nora Quill?"),
        ("The Ely Market replaced the barns, a mill, and two wells.", "What did the Ely Market replace?"),
        ("The Ely Market replaced Lynn Fair.", "What did the Ely Market replace?"),
        ("The Ely Hall lies on the coast of Lynn, and near the river.", "Where does the Ely Hall lie?"),
        ("The Ely Guild was founded to be a school of bakers.", "Why was the Ely Guild founded?"),
        ("Quillshire is active in several sports of the fen.", "What is Quillshire active in?"),
    ],
)  # fmt: skip
def test_what_may_be_told_of_something_else_is_left(text, wrong):
    assert wrong not in asked(text)


def test_the_evidence_of_a_pronoun_begins_where_its_name_is_told():
    text = "They danced. Nora Quill was a baker. She founded the Ely Guild in 1951."
    (entry,) = [
        c for c in found(text) if c.question == "In which year did Nora Quill found the Ely Guild?"
    ]
    assert text[entry.start : entry.end].startswith("Nora Quill was a baker.")


@pytest.mark.parametrize(
    ("question", "lack"),
    [
        ("When did Quill die?", 0.0),
        ("When did Nora Quill dance?", 0.0),
        ("When did Quill win?", 0.2),
    ],
)
def test_a_short_question_loses_nothing_where_its_name_tells_enough(question, lack):
    entry = Candidate(question, "1951", 0, 9, "temporal", "english.temporal", 0.85)
    assert lack_of(entry) == lack


def test_a_thing_that_is_asked_for_owns_nothing_of_somebody_unsaid():
    assert asked("The Ely Company built a mill at the time of his death.") == {}
