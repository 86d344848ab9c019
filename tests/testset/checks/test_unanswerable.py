"""Questions that a passage answers, or none comes near, are rejected."""

from typing import Any

from tests.testset.checks.examples import (
    FLOAT_QUESTION,
    INDEX,
    POOL,
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
from testset.corpus.deployed import Found
from testset.requests.alternatives import AlternativesOf
from testset.requests.paraphrases import Paraphrases, ParaphrasesOf


def test_unanswerable_rejects_what_is_answered_or_far_off():
    index = index_of(PUMP, VENT)
    settled: dict[str, Any] = {"reference": "", "type": "unanswerable", "gold": ()}
    near = pump_draft("When did Ada Byron design the Ely vent?", **settled)
    assert unanswerable.by_rule(near, index)[0].verdict == "passed"
    assert (
        unanswerable.by_rule(
            pump_draft("Who designed the Harwell pump in 1843?", **settled), index
        )[0].verdict
        == "rejected"
    )
    assert (
        unanswerable.by_rule(pump_draft("Warum schnurren Katzen?", **settled), index)[0].verdict
        == "rejected"
    )


def test_a_sentence_below_a_heading_that_asks_the_question_may_answer_it():
    draft = pump_draft(FLOAT_QUESTION, "", type="unanswerable", gold=())
    check, _ = unanswerable.by_rule(draft, index_of(POOL))
    assert check.evidence == "'pool.md' may answer it"


REFUSED = ferry_draft("Who painted the Orla ferry?", "", type="unanswerable", gold=())


TWICE = Paraphrases(texts=("Which painter?", "By whom was it painted?"))


async def test_a_model_rejects_what_a_passage_answers():
    found = writer(TWICE, verdicts("no", "same", "no"))
    assert (await unanswerable.by_model(REFUSED, INDEX, found))[0].verdict == "rejected"
    assert requests_to(found) == [ParaphrasesOf, AlternativesOf]


async def test_a_model_rejects_what_is_farther_off_than_usual_unasked():
    silent = writer()
    check, _ = await unanswerable.by_model(REFUSED, INDEX, silent, typical_nearness=0.99)
    assert (check.verdict, requests_to(silent)) == ("rejected", [])


async def test_a_model_passes_a_near_miss():
    found = writer(TWICE, verdicts("no", "no", "no"))
    check, kept = await unanswerable.by_model(REFUSED, INDEX, found, typical_nearness=0.1)
    assert (check.verdict, check.score) == ("passed", nearness(REFUSED.question, INDEX))
    assert {entry.doc_id for entry in kept.hard_negatives} == {"ferry.md", "other.md", "yard.md"}


async def test_a_model_reads_what_the_deployed_retriever_finds_for_paraphrases_too():
    asked = []

    async def find(question: str) -> Found:
        asked.append(question)
        return Found("shop:retriever", (), (1,))

    found = writer(TWICE, verdicts("same", "no", "no", quote="The Brevik yard"))
    check, kept = await unanswerable.by_model(REFUSED, INDEX, found, find=find)
    assert asked == [REFUSED.question, *TWICE.texts]
    assert (check.verdict, "'yard.md' answers it" in check.evidence) == ("rejected", True)
    assert kept.hard_negatives == ()
