"""Items whose evidence gives another answer are rejected, by rule and by model."""

import pytest

from llamaindex_rag_eval.judge import judge_of
from llamaindex_rag_eval.judge.answer_verdict import AnswerVerdict, AnswerVerdictOf
from tests.scripted import asked_of
from tests.testset.checks.examples import (
    FERRY_QUESTION,
    INDEX,
    PUMP,
    VENT,
    ferry_draft,
    index_of,
    pump_draft,
    requests_to,
    writer,
)
from testset import GoldSpan, SourceDocument, Writer
from testset.checks import round_trip
from testset.checks.answers import agrees_with_reference
from testset.checks.round_trip import word_share
from testset.requests.answer import Answered, AnswerOf


def test_round_trip_rejects_the_other_value_and_evidence_of_something_else():
    text = "The Ely vent was made in 1990, but the Harwell pump was built much later, in 1995."
    document = SourceDocument("d", text)
    index = index_of(document, PUMP, VENT)
    gold = ((GoldSpan.cut("d", document.hash, text, 0, len(text)),),)
    question = "In which year was the Harwell pump built?"
    assert round_trip.by_rule(pump_draft(question, "1995", gold=gold), index).verdict == "passed"
    assert round_trip.by_rule(pump_draft(question, "1990", gold=gold), index).verdict == "rejected"
    assert (
        round_trip.by_rule(pump_draft("When was the Ely vent made?"), index).verdict == "rejected"
    )


COUNTS = [
    ("How many zones does the Ely pump have?", "12 zones", "30 zones",
     "The Ely pump has 12 zones and 90 fans, unlike the Harwell vent, which has 30 zones.", "en"),
    ("How long did Ada Byron lead the Ely Guild?", "nine years", "three years",
     "Ada Byron led the Ely Guild for nine years with 40 men; Lynn stood three years.", "en"),
    ("Wie viele Zonen hat die Pumpe in Lynn?", "12 Zonen", "30 Zonen",
     "Die Pumpe in Lynn hat 12 Zonen und 90 Klappen; der Lüfter in Ely hat 30 Zonen.", "de"),
    ("Wie lange leitete Ada Byron die Gilde in Lynn?", "neun Jahre", "drei Jahre",
     "Ada Byron leitete die Gilde in Lynn neun Jahre mit 40 Leuten; Ely bestand drei Jahre.", "de"),
    ("青木橋の職人は何人ですか?", "12人", "30人",
     "青木橋の職人は12人で、橋脚は8本である。石川橋の客は30人だった。", "ja"),
    ("青木桥有多少名工人？", "12名", "30名",
     "青木桥有12名工人，桥墩有8个。石川馆的客人有30名。", "zh"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "right", "wrong", "text", "language"), COUNTS)
def test_round_trip_compares_numbers_that_count_the_same(question, right, wrong, text, language):
    document = SourceDocument("d", text)
    index = index_of(document, PUMP, VENT)
    gold = ((GoldSpan.cut("d", document.hash, text, 0, len(text)),),)
    fields = {"gold": gold, "kind": "numeric", "language": language}
    assert round_trip.by_rule(pump_draft(question, right, **fields), index).verdict == "passed"
    assert round_trip.by_rule(pump_draft(question, wrong, **fields), index).verdict == "rejected"


def test_a_question_shares_the_words_that_its_evidence_holds():
    text = "Imogen Fenn purchased the Lynn bakery from a company."
    index = index_of(PUMP, VENT, SourceDocument("e", text), SourceDocument("d", "Paint it."))
    assert word_share("Who purchased the Lynn bakery?", text, index) == 1
    assert word_share("Who did paint the Lynn bakery?", text, index) < 1


FERRY_EVIDENCE = "[Orla ferry]\nIt was built at Brevik. It carries 120 people."


async def test_a_model_is_shown_the_evidence_after_what_its_paragraph_begins_with():
    reader = writer(Answered(answer="It carries 120 people."))
    assert (await round_trip.by_model(ferry_draft(), INDEX, reader)).verdict == "passed"
    assert asked_of(reader.oracle, AnswerOf) == [
        AnswerOf(question=FERRY_QUESTION, passages=(FERRY_EVIDENCE,))
    ]


@pytest.mark.parametrize(
    "replies",
    [
        [Answered(answer="", reason="It does not say.")],
        [Answered(answer="It carries 40 people."), AnswerVerdict(verdict="wrong")],
        [Answered(answer="120, and 40 on Sundays"), AnswerVerdict(verdict="partly_right")],
    ],
)
async def test_a_model_rejects_no_answer_another_number_and_another_meaning(replies):
    assert (await round_trip.by_model(ferry_draft(), INDEX, writer(*replies))).verdict == "rejected"


async def test_a_model_compares_answers_that_say_more_or_other_words():
    told = writer(
        Answered(answer="As many as a small train holds."), AnswerVerdict(verdict="right")
    )
    assert (await round_trip.by_model(ferry_draft(), INDEX, told)).verdict == "passed"
    assert requests_to(told) == [AnswerOf, AnswerVerdictOf]
    told = writer(Answered(answer="It takes 120 persons."))
    assert (await round_trip.by_model(ferry_draft(), INDEX, told)).verdict == "passed"


@pytest.mark.parametrize(
    ("reference", "answer"),
    [("5 seconds.", "15 seconds."), ("No.", "Nobody knows"), ("30 days", "130 days")],
)
async def test_a_part_of_a_word_or_number_is_no_agreement(reference, answer):
    judge = Writer(judge_of(None).oracle)
    assert not (await agrees_with_reference(ferry_draft(reference=reference), answer, judge))[0]
