"""Questions that one passage answers lose the other parts of their evidence."""

from dataclasses import replace

from tests.scripted import asked_of
from tests.testset.checks.examples import (
    BUILT,
    CLOSED,
    INDEX,
    examiner_of,
    ferry_draft,
    requests_to,
)
from testset.checks import alternative_gold, hops_needed
from testset.corpus.deployed import Retrieved
from testset.requests.examine import ExamineOf

BRIDGE = ferry_draft(
    "When did the yard that built the Orla ferry close?",
    "In 2004.",
    type="multi_hop",
    kind="bridge",
    gold=((BUILT,), (CLOSED,)),
)


async def test_hops_needed_keeps_a_question_that_takes_all_its_parts():
    examiner, _ = examiner_of()
    check, kept = await hops_needed.by_model(BRIDGE, INDEX, examiner)
    assert (check.verdict, kept) == ("passed", BRIDGE)


async def test_hops_needed_relabels_what_one_part_answers():
    examiner, _ = examiner_of("same", "closed in 2004")
    check, kept = await hops_needed.by_model(BRIDGE, INDEX, examiner)
    assert (check.verdict, kept.type, kept.gold) == ("tagged", "single_hop", ((CLOSED,),))


async def test_the_parts_and_what_else_may_answer_are_read_in_one_call():
    examiner, model = examiner_of()
    found = Retrieved("shop:retriever", (), (2,))
    await hops_needed.by_model(replace(BRIDGE, hits=found), INDEX, examiner)
    check, _ = await alternative_gold.by_model(replace(BRIDGE, hits=found), INDEX, examiner)
    (asked,) = asked_of(model.oracle.inner, ExamineOf)
    assert (check.verdict, len(asked.passages)) == ("passed", 3)


async def test_other_types_are_not_asked_about():
    examiner, model = examiner_of()
    check, kept = await hops_needed.by_model(ferry_draft(), INDEX, examiner)
    assert (check.evidence, kept, requests_to(model)) == ("not asked", ferry_draft(), [])


async def test_hops_needed_relabels_what_a_passage_beside_its_parts_answers():
    examiner, _ = examiner_of("same", "carries 120 people on each trip")
    check, kept = await hops_needed.by_model(BRIDGE, INDEX, examiner)
    assert (check.verdict, kept.type, kept.gold) == ("tagged", "single_hop", BRIDGE.gold)
