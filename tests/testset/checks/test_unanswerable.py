"""Questions that a passage answers, or none comes near, are rejected."""

from typing import Any

from tests.testset.checks.examples import (
    INDEX,
    PUMP,
    VENT,
    ferry_draft,
    index_of,
    pump_draft,
    requests_to,
    verdicts,
    writer,
)
from testset.checks import unanswerable
from testset.checks.unanswerable import nearness
from testset.requests.alternatives import AlternativesOf
from testset.requests.paraphrases import Paraphrases, ParaphrasesOf


def test_unanswerable_rejects_what_is_answered_or_far_off():
    index = index_of(PUMP, VENT)
    settled: dict[str, Any] = {"reference": "", "type": "unanswerable", "gold": ()}
    near = pump_draft("When did Ada Byron design the Ely vent?", **settled)
    assert unanswerable.by_rule(near, index).verdict == "passed"
    assert (
        unanswerable.by_rule(
            pump_draft("Who designed the Harwell pump in 1843?", **settled), index
        ).verdict
        == "rejected"
    )
    assert (
        unanswerable.by_rule(pump_draft("Warum schnurren Katzen?", **settled), index).verdict
        == "rejected"
    )


REFUSED = ferry_draft("Who painted the Orla ferry?", "", type="unanswerable", gold=())


TWICE = Paraphrases(texts=("Which painter?", "By whom was it painted?"))


async def test_a_model_rejects_what_a_passage_answers():
    found = writer(TWICE, verdicts("no", "same", "no"))
    assert (await unanswerable.by_model(REFUSED, INDEX, found)).verdict == "rejected"
    assert requests_to(found) == [ParaphrasesOf, AlternativesOf]


async def test_a_model_rejects_what_is_farther_off_than_usual_unasked():
    silent = writer()
    check = await unanswerable.by_model(REFUSED, INDEX, silent, typical_nearness=0.99)
    assert (check.verdict, requests_to(silent)) == ("rejected", [])


async def test_a_model_passes_a_near_miss():
    found = writer(TWICE, verdicts("no", "no", "no"))
    check = await unanswerable.by_model(REFUSED, INDEX, found, typical_nearness=0.1)
    assert (check.verdict, check.score) == ("passed", nearness(REFUSED.question, INDEX))
