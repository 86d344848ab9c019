"""The last reader keeps questions that people ask, and turns nonsense down."""

from collections import Counter

import pytest

from tests.benchmarks.last_reader import OWN, read_judged
from testset.rules.reader import fault_of, pointer_in


def test_good_questions_are_kept_and_bad_ones_turned_down_in_each_language():
    rows = list(read_judged(OWN))
    assert {row.language for row in rows} == {"de", "en", "ja", "zh"}
    wrong = Counter(
        row.language
        for row in rows
        if bool(fault_of(row.question, row.answer, row.language, evidence=row.evidence))
        != (row.verdict == "drop")
    )
    assert wrong.total() <= len(rows) / 20


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("How do I send form data?", "pass a dict to data"),
        ("What is cross site scripting?", "the injection of arbitrary HTML into a website"),
    ],
)
def test_a_question_of_common_words_is_kept(question, answer):
    assert fault_of(question, answer, "en") == ""


@pytest.mark.parametrize(
    ("question", "answer", "evidence", "says"),
    [
        ("What is it?", "a pump", "", "points at"),
        (
            "What is a cooling fan?",
            "a machine that cools",
            "A cooling fan is a machine that cools and dries.",
            "middle",
        ),
        ("What is the share plan called?", "ESPP", "The plan (RSU, ESPP, options) is old.", "list"),
        ("What does the vent need?", "the vent", "", "repeats"),
        ("What does API stand for?", "Web Programming", "", "another letter"),
    ],
)
def test_a_fault_is_named(question, answer, evidence, says):
    assert says in fault_of(question, answer, "en", evidence=evidence)


@pytest.mark.parametrize(
    ("question", "answer", "asks"),
    [
        ("福利厚生：救急車はどのくらいですか？", "1 日", False),
        (
            "福利厚生：「第 1 子または第 2 子」はどのくらいですか？",
            "16 週間 (出産前 6 週間)",
            False,
        ),
        ("福利厚生：通知期限はどのくらいですか？", "48 時間", True),
        ("村の人口はどのくらいですか？", "約3万人", True),
    ],
)
def test_a_time_in_japanese_answers_a_question_that_asks_for_one(question, answer, asks):
    assert (fault_of(question, answer, "ja") == "") == asks


def test_a_question_without_an_answer_is_read_alone():
    assert fault_of("Who repairs the lift?", "", "en") == ""


def test_a_pronoun_may_stand_for_a_name_before_it():
    assert pointer_in("When did Ada Byron build her first pump?", "en") is None
    found = pointer_in("When was his pump built?", "en")
    assert found is not None
    assert found.group() == "his"


def test_a_language_without_a_table_is_read_for_its_form():
    assert fault_of("Hol van a (kapu?", "itt", "hu") == "the question leaves a bracket open"
    assert fault_of("Hol van a kapu?", "itt", "hu") == ""
