"""Questions that one passage answers lose the other parts of their evidence."""

from dataclasses import replace

import pytest

from llamaindex_rag_eval.errors import ReplyError
from tests.scripted import asked_of
from tests.testset.checks.examples import (
    BUILT,
    CLOSED,
    INDEX,
    examiner_of,
    ferry_draft,
    opinion,
    requests_to,
    writer,
)
from testset.checks import alternative_gold, hops_needed
from testset.checks.examined import Examiner
from testset.corpus.deployed import Retrieved
from testset.requests.examine import ExamineOf
from testset.requests.parts import ProvenFact

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


async def test_evidence_that_the_proof_does_not_need_is_left_out():
    draft = replace(BRIDGE, question="When did the Brevik yard, builder of the Orla ferry, close?")
    examiner = Examiner(INDEX, writer(opinion(needed=(1,))))
    check, kept = await hops_needed.by_model(draft, INDEX, examiner)
    assert (check.verdict, kept.type, kept.gold) == ("tagged", "single_hop", ((CLOSED,),))
    check, kept = await hops_needed.by_model(replace(draft, type="reasoning"), INDEX, examiner)
    assert (check.evidence, kept.gold) == ("evidence left out: 1", ((CLOSED,),))


@pytest.mark.parametrize("needed", [(), (0, 1)])
async def test_evidence_that_is_all_needed_stays(needed: tuple[int, ...]):
    examiner = Examiner(INDEX, writer(opinion(needed=needed)))
    check, kept = await hops_needed.by_model(BRIDGE, INDEX, examiner)
    assert (check.verdict, kept) == ("passed", BRIDGE)


async def test_what_was_needed_of_the_evidence_is_not_asked_of_that_of_new_facts():
    fact = ProvenFact(fact="The yard closed in 2004.", passage=1, quote=CLOSED.quote)
    examiner = Examiner(INDEX, writer(opinion(needed=(0,), facts=(fact,))))
    await examiner.opinion(BRIDGE)
    mended = examiner.mended(BRIDGE)
    assert mended is not None
    assert [group[0].quote for group in await examiner.needed(mended)] == [CLOSED.quote]


def test_evidence_that_is_needed_is_numbered_from_one():
    request = ExamineOf(question="When?", reference="In 2004.", evidence=("a", "b"))
    assert request.from_prompt(opinion(needed=(2,))).needed == (1,)
    with pytest.raises(ReplyError, match="evidence 3 does not exist"):
        request.from_prompt(opinion(needed=(3,)))
