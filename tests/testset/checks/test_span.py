"""Spans that are not at their offsets, or do not hold the answer, are rejected."""

from tests.testset.checks.examples import (
    INDEX,
    PUMP,
    PUMP_QUESTION,
    PUMP_SENTENCE,
    ferry_draft,
    index_of,
    pump_draft,
)
from testset import GoldSpan
from testset.checks import span
from testset.requests.question import Turn


def test_span_rejects_a_moved_quote_a_missing_number_and_a_missing_answer():
    index = index_of(PUMP)
    assert span.by_rule(pump_draft(PUMP_QUESTION), index).verdict == "passed"
    moved = GoldSpan.cut(PUMP.doc_id, PUMP.hash, PUMP.text, *PUMP_SENTENCE).model_copy(
        update={"start": 1}
    )
    assert span.by_rule(pump_draft(PUMP_QUESTION, gold=((moved,),)), index).verdict == "rejected"
    assert "1844" in span.by_rule(pump_draft(PUMP_QUESTION, "1844"), index).evidence
    assert "does not stand" in span.by_rule(pump_draft(PUMP_QUESTION, "Imogen"), index).evidence


def test_span_rejects_numbers_and_names_that_the_evidence_lacks():
    assert span.by_rule(ferry_draft(), INDEX).verdict == "passed"
    assert "130" in span.by_rule(ferry_draft(reference="130 people."), INDEX).evidence
    assert (
        "Jonas Lund" in span.by_rule(ferry_draft(reference="Jonas Lund said 120."), INDEX).evidence
    )


def test_span_lets_a_calculation_give_a_number_that_stands_nowhere():
    assert (
        span.by_rule(ferry_draft(reference="240 on two trips.", type="reasoning"), INDEX).verdict
        == "passed"
    )


def test_span_rejects_a_conversation_that_was_given_a_wrong_number_before():
    told = {"type": "conversational", "question": "And how many people does it carry?"}
    right = ferry_draft(**told, turns=(Turn(question="Where was it built?", answer="At Brevik."),))
    wrong = ferry_draft(**told, turns=(Turn(question="Where was it built?", answer="At quay 9."),))
    assert span.by_rule(right, INDEX).verdict == "passed"
    assert "9" in span.by_rule(wrong, INDEX).evidence
