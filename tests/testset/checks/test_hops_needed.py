"""Questions that one passage answers lose the other parts of their evidence."""

from dataclasses import replace

from tests.scripted import asked_of
from tests.testset.checks.examples import (
    BUILT,
    CLOSED,
    INDEX,
    ferry_draft,
    reader_of,
    requests_to,
    verdicts,
)
from testset.checks import alternative_gold, hops_needed
from testset.corpus.deployed import Retrieved
from testset.requests.alternatives import AlternativesOf

BRIDGE = ferry_draft(
    "When did the yard that built the Orla ferry close?",
    "In 2004.",
    type="multi_hop",
    kind="bridge",
    gold=((BUILT,), (CLOSED,)),
)


async def test_hops_needed_keeps_a_question_that_takes_all_its_parts():
    reader, _ = reader_of(verdicts("no", "no", "no"))
    check, kept = await hops_needed.by_model(BRIDGE, INDEX, reader)
    assert (check.verdict, kept) == ("passed", BRIDGE)


async def test_hops_needed_relabels_what_one_part_answers():
    reader, _ = reader_of(verdicts("no", "same", "no"))
    check, kept = await hops_needed.by_model(BRIDGE, INDEX, reader)
    assert (check.verdict, kept.type, kept.gold) == ("tagged", "single_hop", ((CLOSED,),))


async def test_the_parts_and_what_else_may_answer_are_read_in_one_call():
    reader, model = reader_of(verdicts("no", "no", "no"))
    found = Retrieved("shop:retriever", (), (2,))
    await hops_needed.by_model(replace(BRIDGE, hits=found), INDEX, reader)
    check, _ = await alternative_gold.by_model(replace(BRIDGE, hits=found), INDEX, reader)
    (asked,) = asked_of(model.oracle, AlternativesOf)
    assert (check.verdict, len(asked.passages)) == ("passed", 3)


async def test_other_types_are_not_asked_about():
    reader, model = reader_of()
    check, kept = await hops_needed.by_model(ferry_draft(), INDEX, reader)
    assert (check.evidence, kept, requests_to(model)) == ("not asked", ferry_draft(), [])


async def test_hops_needed_relabels_what_a_passage_beside_its_parts_answers():
    reader, _ = reader_of(verdicts("no", "no", "same"))
    found = Retrieved("shop:retriever", (), (2,))
    check, kept = await hops_needed.by_model(replace(BRIDGE, hits=found), INDEX, reader)
    assert (check.verdict, kept.type, kept.gold) == ("tagged", "single_hop", BRIDGE.gold)
