"""Questions that a passage answers, or none comes near, are rejected."""

from dataclasses import replace
from typing import Any, Literal

from tests.scripted import asked_of
from tests.testset.checks.examples import (
    FLOAT_QUESTION,
    INDEX,
    POOL,
    PUMP,
    VENT,
    ferry_draft,
    index_of,
    pump_draft,
    reader_of,
    requests_to,
    verdicts,
)
from testset import SourceDocument
from testset.checks import unanswerable
from testset.checks.unanswerable import nearness
from testset.corpus.deployed import Retrieved
from testset.requests.alternatives import AlternativesOf


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


BOATS = index_of(
    *(SourceDocument(f"{n}.md", f"# Orla ferry {n}\n\nThe Orla ferry {n} sails.") for n in range(6))
)
"""An examiner is shown the nearest four of them; the other two are read."""
REFUSED = ferry_draft("Who painted the Orla ferry?", "", type="unanswerable", gold=())


async def test_a_model_rejects_what_a_passage_answers():
    reader, model = reader_of(verdicts("no", "same"), index=BOATS)
    assert (await unanswerable.by_model(REFUSED, BOATS, reader))[0].verdict == "rejected"
    assert requests_to(model) == [AlternativesOf]


async def test_a_model_rejects_what_is_farther_off_than_usual_unasked():
    reader, model = reader_of()
    check, _ = await unanswerable.by_model(REFUSED, INDEX, reader, typical_nearness=0.99)
    assert (check.verdict, requests_to(model)) == ("rejected", [])


async def test_a_model_passes_a_near_miss():
    reader, _ = reader_of(verdicts("no", "no"), index=BOATS)
    check, kept = await unanswerable.by_model(REFUSED, BOATS, reader, typical_nearness=0.1)
    assert (check.verdict, check.score) == ("passed", nearness(REFUSED.question, BOATS))
    assert check.evidence == "none of 6 passages answers it"
    assert len(kept.hard_negatives) == 5


async def test_what_an_examiner_is_shown_whole_is_not_read_again():
    reader, model = reader_of()
    check, kept = await unanswerable.by_model(REFUSED, INDEX, reader)
    assert (check.verdict, requests_to(model)) == ("passed", [])
    assert {entry.doc_id for entry in kept.hard_negatives} == {"ferry.md", "other.md", "yard.md"}


async def test_of_many_passages_those_that_come_as_near_are_read_too():
    alike = [SourceDocument(f"{n}.md", f"# {n}\n\nThe Orla ferry sails.") for n in range(16)]
    index = index_of(*alike)
    silent: tuple[Literal["no"], ...] = ("no",) * 8
    replies = verdicts(*silent), verdicts(*silent[:4])
    reader, model = reader_of(*replies, index=index)
    await unanswerable.by_model(REFUSED, index, reader)
    asked = asked_of(model.oracle, AlternativesOf)
    # 16 passages, of which an examiner is shown 4.
    assert [len(request.passages) for request in asked] == [8, 4]


async def test_a_model_reads_what_the_deployed_retriever_finds():
    found = Retrieved("shop:retriever", (), (5,))
    reader, model = reader_of(verdicts("same", "no", quote="The Orla ferry"), index=BOATS)
    check, kept = await unanswerable.by_model(replace(REFUSED, hits=found), BOATS, reader)
    (asked,) = asked_of(model.oracle, AlternativesOf)
    assert "The Orla ferry 5 sails." in asked.passages[0]
    assert (check.verdict, "'5.md' answers it" in check.evidence) == ("rejected", True)
    assert kept.hard_negatives == ()
