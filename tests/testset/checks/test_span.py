"""Spans that are not at their offsets, or do not hold the answer, are rejected."""

from dataclasses import replace

import pytest

from tests.testset.checks.examples import (
    BUILT,
    CARRIES,
    INDEX,
    PUMP,
    PUMP_QUESTION,
    PUMP_SENTENCE,
    cut,
    ferry_draft,
    index_of,
    pump_draft,
)
from testset import GoldSpan, SourceDocument
from testset.checks import span


def test_span_rejects_a_moved_quote_a_missing_number_and_a_missing_answer():
    index = index_of(PUMP)
    assert span.by_rule(pump_draft(PUMP_QUESTION), index).verdict == "passed"
    moved = GoldSpan.cut(PUMP.doc_id, PUMP.hash, PUMP.text, *PUMP_SENTENCE).model_copy(
        update={"start": 1}
    )
    assert span.by_rule(pump_draft(PUMP_QUESTION, gold=((moved,),)), index).verdict == "rejected"
    assert "1844" in span.by_rule(pump_draft(PUMP_QUESTION, "1844"), index).evidence
    assert "does not stand" in span.by_rule(pump_draft(PUMP_QUESTION, "Imogen"), index).evidence


@pytest.mark.parametrize(
    ("reference", "missing"),
    [
        ("130 people.", "130"),
        ("120 people, on 3 May.", "3"),
        ("“Blue Orla” carries 120.", "Blue Orla"),
        ("Set `max_people` to 120.", "max_people"),
    ],
)
def test_span_rejects_values_that_the_evidence_lacks(reference, missing):
    check = span.by_rule(ferry_draft(reference=reference), INDEX)
    assert (check.verdict, check.evidence) == ("rejected", f"not in the evidence: {missing}")


@pytest.mark.parametrize(
    "reference",
    ["120 people.", "True: Orla's load is 120 in April.", "Ein Schiff trägt 120 Personen."],
)
def test_span_takes_no_ordinary_word_for_a_name(reference):
    assert span.by_rule(ferry_draft(reference=reference), INDEX).verdict == "passed"


def test_span_misses_no_small_number_in_a_language_whose_words_for_it_are_not_read():
    rule = "El TFG se presenta hasta el día diez de junio, y cuesta 300 euros."
    spanish = SourceDocument("regla.md", rule)
    draft = ferry_draft(reference="El 10 de junio.", gold=((cut(spanish, rule),),), language="es")
    assert span.by_rule(draft, index_of(spanish)).verdict == "passed"
    dear = replace(draft, reference="400 euros.")
    assert span.by_rule(dear, index_of(spanish)).evidence == "not in the evidence: 400"


def test_span_lets_a_comparison_state_a_difference():
    draft = ferry_draft(reference="20 more.", type="multi_hop")
    assert span.by_rule(draft, INDEX).verdict == "passed"


def test_span_knows_a_value_in_words():
    three = SourceDocument("three.md", "The Orla ferry has twelve cabins.")
    draft = ferry_draft(reference="12 cabins.", gold=((cut(three, three.text),),))
    assert span.by_rule(draft, index_of(three)).verdict == "passed"


def test_span_lets_a_calculation_give_a_number_that_stands_nowhere():
    assert (
        span.by_rule(ferry_draft(reference="240 on two trips.", type="reasoning"), INDEX).verdict
        == "passed"
    )


def test_span_takes_the_numbers_of_steps_for_no_values():
    steps = "1. It was built at Brevik. 2. It carries 120 people."
    gold = ((BUILT,), (CARRIES,))
    assert span.by_rule(ferry_draft(reference=steps, gold=gold), INDEX).verdict == "passed"
    wrong = ferry_draft(reference=steps.replace("2. It", "7. It"), gold=gold)
    assert "7" in span.by_rule(wrong, INDEX).evidence
