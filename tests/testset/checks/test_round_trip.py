"""Items whose evidence gives another answer are rejected, by rule and by model."""

from typing import Any

import pytest

from llamaindex_rag_eval.judge import Judge, judge_of
from tests.scripted import asked_of
from tests.testset.checks.examples import (
    INDEX,
    PUMP,
    VENT,
    ferry_draft,
    index_of,
    opinion,
    pump_draft,
    requests_to,
    writer,
)
from testset import Check, GoldSpan, SourceDocument
from testset.checks import round_trip
from testset.checks.answers import agrees_with_reference
from testset.checks.examined import Examiner
from testset.checks.round_trip import word_share
from testset.requests.examine import ExamineOf, Finding, Opinion


def test_round_trip_rejects_evidence_of_something_else():
    text = "The Ely vent was made in 1990, but the Harwell pump was built much later, in 1995."
    document = SourceDocument("d", text)
    index = index_of(document, PUMP, VENT)
    gold = ((GoldSpan.cut("d", document.hash, text, 0, len(text)),),)
    question = "In which year was the Harwell pump built?"
    assert round_trip.by_rule(pump_draft(question, "1995", gold=gold), index).verdict == "passed"
    assert (
        round_trip.by_rule(pump_draft("When was the Ely vent made?"), index).verdict == "rejected"
    )


def test_a_question_shares_the_words_that_its_evidence_holds():
    text = "Imogen Fenn purchased the Lynn bakery from a company."
    index = index_of(PUMP, VENT, SourceDocument("e", text), SourceDocument("d", "Paint it."))
    assert word_share("Who purchased the Lynn bakery?", text, index) == 1
    assert word_share("Who did paint the Lynn bakery?", text, index) < 1


async def examined(reply: Opinion, **fields: Any) -> tuple[Check, Judge]:
    reader = writer(reply)
    return await round_trip.by_model(ferry_draft(**fields), Examiner(INDEX, reader)), reader


async def test_a_model_reads_the_whole_passage_of_the_evidence():
    found, reader = await examined(opinion(own="120 people.", fit=True))
    assert found.verdict == "passed"
    (asked,) = asked_of(reader.oracle.inner, ExamineOf)
    assert asked.passages[0] == "[Orla ferry]\nIt was built at Brevik. It carries 120 people."


async def test_a_model_rejects_what_it_cannot_answer_and_tags_what_is_left_out():
    found, _ = await examined(opinion(own="", fit=True))
    assert (found.verdict, found.evidence) == ("rejected", "the evidence does not answer it")
    other = Finding(passage=0, quote="It carries 90.", kind="other")
    found, _ = await examined(opinion(own="", findings=(other,)))
    assert found.evidence == "the documents disagree: 'It carries 90.'"
    found, _ = await examined(opinion(("left_out", "40 on Sundays"), own="120."))
    assert (found.verdict, found.evidence) == ("tagged", "the answer leaves out: 40 on Sundays")


async def test_what_the_answer_tells_besides_is_tagged():
    found, _ = await examined(opinion(("beside", "who built it"), own="120."))
    assert found.verdict == "tagged"
    assert found.evidence == "the answer tells what is not asked: who built it"


async def test_a_question_that_no_document_answers_passes_unasked():
    found, reader = await examined(opinion(fit=True), gold=(), type="unanswerable")
    assert found.verdict == "passed"
    assert not requests_to(reader)


@pytest.mark.parametrize(
    ("reference", "answer"),
    [("5 seconds.", "15 seconds."), ("No.", "Nobody knows"), ("30 days", "130 days")],
)
async def test_a_part_of_a_word_or_number_is_no_agreement(reference, answer):
    judge = Judge(judge_of(None).oracle)
    assert not (await agrees_with_reference(ferry_draft(reference=reference), answer, judge))[0]
