"""Questions that were asked before are rejected."""

from typing import Any

from tests.testset.checks.examples import CLOSED, PUMP_QUESTION, ferry_draft, pump_draft
from testset.checks import duplicate
from testset.checks.duplicate import AskedQuestions
from testset.requests.parts import Turn


def test_duplicate_rejects_the_same_words_near_words_and_the_same_answer():
    asked = AskedQuestions()
    assert duplicate.by_rule(pump_draft(PUMP_QUESTION), asked).verdict == "passed"
    asked.add(pump_draft(PUMP_QUESTION))
    assert (
        duplicate.by_rule(pump_draft(PUMP_QUESTION.upper(), gold=()), asked).verdict == "rejected"
    )
    near = "In which year did Ada Byron design the Harwell pumps?"
    assert duplicate.by_rule(pump_draft(near, gold=()), asked).verdict == "rejected"
    assert duplicate.by_rule(pump_draft("When was it?"), asked).verdict == "rejected"
    other = pump_draft("Who designed the Harwell pump?", "Ada Byron")
    assert duplicate.by_rule(other, asked).verdict == "passed"


def test_duplicate_takes_the_same_evidence_in_another_language_for_a_translation():
    known = AskedQuestions()
    known.add(ferry_draft())
    same = ferry_draft("Wie viele Fahrgäste hat die Orla?", "120 Personen.", language="de")
    assert duplicate.by_rule(same, known).verdict == "rejected"
    without = ferry_draft("Fasst die Orla viele?", "Ja, viele.", language="de")
    assert duplicate.by_rule(without, known).verdict == "passed"
    elsewhere = ferry_draft("Wann schloss die Werft?", "120.", language="de", gold=((CLOSED,),))
    assert duplicate.by_rule(elsewhere, known).verdict == "passed"


def test_duplicate_knows_follow_ups_by_what_was_asked_before():
    known = AskedQuestions()
    ferry = (Turn(question="Where was the Orla ferry built?", answer="At Brevik."),)
    yard = (Turn(question="Who owned the mill in Hamar?", answer="Nobody."),)
    known.add(ferry_draft("And when was that?", turns=ferry))
    elsewhere: dict[str, Any] = {"gold": ((CLOSED,),), "reference": "In 2004."}
    assert (
        duplicate.by_rule(ferry_draft("And when was that?", turns=ferry), known).verdict
        == "rejected"
    )
    assert (
        duplicate.by_rule(ferry_draft("And when was that?", turns=yard, **elsewhere), known).verdict
        == "passed"
    )


def test_duplicate_rejects_the_same_meaning_on_the_same_evidence():
    known = AskedQuestions()
    known.add(ferry_draft("How many people can the Orla ferry carry on a trip?", "120 people."))
    close = ferry_draft("On a trip, how many people can the Orla ferry carry?", "120.")
    assert duplicate.by_rule(close, known).verdict == "rejected"


def test_duplicate_rejects_a_question_within_another_on_the_same_evidence():
    known = AskedQuestions()
    known.add(ferry_draft("Orla guide, capacity: How many people fit on the ferry?", "120 people."))
    within = ferry_draft("How many people fit on the ferry?", "120")
    assert duplicate.by_rule(within, known).verdict == "rejected"
    other = ferry_draft("How many people fit on the ferry?", "Six of the crew.")
    assert duplicate.by_rule(other, known).verdict == "passed"
    elsewhere = ferry_draft("How many people fit on the ferry?", "120", gold=((CLOSED,),))
    assert duplicate.by_rule(elsewhere, known).verdict == "passed"
