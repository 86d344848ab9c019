"""Items whose evidence gives another answer are rejected, by rule and by model."""

from typing import Any

import pytest

from llamaindex_rag_eval.judge import judge_of
from tests.scripted import asked_of
from tests.testset.checks.examples import (
    INDEX,
    PUMP,
    VENT,
    ferry_draft,
    index_of,
    pump_draft,
    requests_to,
    writer,
)
from testset import Check, GoldSpan, SourceDocument, Writer
from testset.checks import round_trip
from testset.checks.answers import agrees_with_reference, best_answer
from testset.checks.examined import Examiner
from testset.checks.round_trip import word_share
from testset.requests.examine import ExamineOf, Opinion


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


def test_a_value_that_the_question_names_is_not_the_answer_to_it():
    text = "In 2010 a drought had three epicenters; that of 2005 had one."
    question = "How many epicenters did the 2010 drought have?"
    read = best_answer(question, text, "numeric", reference="three")
    assert read is not None
    assert read.number != 2010
    question = "When was the pump of 1995 built?"
    assert best_answer(question, "It was built in 1995.", "temporal") is None


async def examined(opinion: Opinion, **fields: Any) -> tuple[Check, Writer]:
    reader = writer(opinion)
    return await round_trip.by_model(ferry_draft(**fields), Examiner(INDEX, reader)), reader


async def test_a_model_reads_the_whole_passage_of_the_evidence():
    found, reader = await examined(Opinion(own="120 people.", fit=True))
    assert found.verdict == "passed"
    (asked,) = asked_of(reader.oracle, ExamineOf)
    assert asked.passages == ("[Orla ferry]\nIt was built at Brevik. It carries 120 people.",)


async def test_a_model_rejects_what_it_cannot_answer_and_tags_what_is_left_out():
    found, _ = await examined(Opinion(own="", fit=True))
    assert (found.verdict, found.evidence) == ("rejected", "the evidence does not answer it")
    found, _ = await examined(Opinion(own="120.", left_out=("40 on Sundays",), fit=True))
    assert (found.verdict, found.evidence) == ("tagged", "the answer leaves out: 40 on Sundays")


async def test_what_the_answer_tells_besides_is_tagged():
    found, _ = await examined(Opinion(own="120.", beside=("who built it",), fit=True))
    assert found.verdict == "tagged"
    assert found.evidence == "the answer tells what is not asked: who built it"


async def test_a_question_that_no_document_answers_passes_unasked():
    found, reader = await examined(Opinion(fit=True), gold=(), type="unanswerable")
    assert found.verdict == "passed"
    assert not requests_to(reader)


@pytest.mark.parametrize(
    ("reference", "answer"),
    [("5 seconds.", "15 seconds."), ("No.", "Nobody knows"), ("30 days", "130 days")],
)
async def test_a_part_of_a_word_or_number_is_no_agreement(reference, answer):
    judge = Writer(judge_of(None).oracle)
    assert not (await agrees_with_reference(ferry_draft(reference=reference), answer, judge))[0]
