"""Questions that a passage answers, or none comes near, are rejected."""

from dataclasses import replace
from typing import Any

from tests.testset.checks.examples import (
    FERRY,
    FLOAT_QUESTION,
    OTHER,
    POOL,
    PUMP,
    VENT,
    YARD,
    examiner_of,
    ferry_draft,
    index_of,
    pump_draft,
    requests_to,
)
from testset import SourceDocument
from testset.checks import unanswerable
from testset.corpus.deployed import Retrieved
from testset.requests.examine import ExamineOf


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
REFUSED = ferry_draft("Who painted the Orla ferry?", "", type="unanswerable", gold=())


async def test_a_model_rejects_what_a_passage_answers():
    examiner, model = examiner_of("same", "Orla ferry 4 sails", index=BOATS)
    check, _ = await unanswerable.by_model(REFUSED, BOATS, examiner)
    assert (check.verdict, "'4.md' answers it" in check.evidence) == ("rejected", True)
    assert requests_to(model) == [ExamineOf]


async def test_a_model_passes_a_near_miss_and_keeps_what_it_read():
    examiner, _ = examiner_of(index=BOATS)
    check, kept = await unanswerable.by_model(REFUSED, BOATS, examiner)
    assert check.verdict == "passed"
    assert check.evidence == "none of 6 passages answers it"
    assert len(kept.hard_negatives) == 5


async def test_a_model_reads_what_the_deployed_retriever_finds():
    far = SourceDocument("far.md", "# Paint\n\nA man of Brevik mixed it.")
    index = index_of(FERRY, YARD, OTHER, far)
    found = Retrieved("shop:retriever", (), (3,))
    examiner, _ = examiner_of("same", "A man of Brevik", index=index)
    draft = replace(REFUSED, hits=found)
    check, kept = await unanswerable.by_model(draft, index, examiner)
    assert (check.verdict, "'far.md' answers it" in check.evidence) == ("rejected", True)
    assert kept.hard_negatives == ()
