"""Questions that fewer parts answer lose the others."""

from llamaindex_rag_eval.judge.answer_verdict import AnswerVerdict
from tests.testset.checks.examples import BUILT, CLOSED, INDEX, ferry_draft, writer
from testset.checks import hops_needed
from testset.requests.answer import Answered

BRIDGE = ferry_draft(
    "When did the yard that built the Orla ferry close?",
    "In 2004.",
    type="multi_hop",
    kind="bridge",
    gold=((BUILT,), (CLOSED,)),
)


async def test_hops_needed_keeps_a_question_that_takes_all_its_parts():
    reader = writer(
        Answered(answer=""), Answered(answer="At Brevik."), AnswerVerdict(verdict="wrong")
    )
    check, kept = await hops_needed.by_model(BRIDGE, INDEX, reader)
    assert (check.verdict, kept) == ("passed", BRIDGE)


async def test_hops_needed_relabels_what_one_part_answers():
    check, kept = await hops_needed.by_model(BRIDGE, INDEX, writer(Answered(answer="In 2004.")))
    assert (check.verdict, kept.type, kept.gold) == ("tagged", "single_hop", ((CLOSED,),))
