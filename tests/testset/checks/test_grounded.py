"""Answers that the evidence does not support are rejected."""

from llamaindex_rag_eval.data.sample import Fact
from llamaindex_rag_eval.judge import Judge, Support, SupportOf, SupportReply, judge_of
from llamaindex_rag_eval.models import ScriptedOracle
from tests.scripted import asked_of
from tests.testset.checks.examples import INDEX, ferry_draft, opinion, pump_draft
from testset.checks import grounded
from testset.checks.examined import Examiner
from testset.requests.examine import ExamineOf
from testset.requests.parts import Turn


async def test_grounded_rejects_what_the_evidence_does_not_say():
    judge = judge_of(None)
    good = pump_draft("Who designed the pump?", "Ada Byron designed the Harwell pump.")
    assert (await grounded.by_judge(good, judge)).verdict == "passed"
    bad = pump_draft("Who designed the pump?", "Imogen Fenn sold nine greenhouses to Norway.")
    assert (await grounded.by_judge(bad, judge)).verdict == "rejected"


LISTED = "The Orla ferry carries 120 people."
UNLISTED = "Jonas Lund counted them."


async def test_grounded_holds_what_was_listed_and_the_whole_answer_against_the_evidence():
    verdicts = (
        Support(claim=LISTED, verdict="supported", sources=(0,)),
        Support(claim="It carries 120.", verdict="supported", sources=(0,)),
        Support(claim=UNLISTED, verdict="not_mentioned", reason="no Lund"),
    )
    oracle = ScriptedOracle(SupportReply(verdicts=verdicts))
    draft = ferry_draft(
        reference=f"It carries 120. {UNLISTED}", reference_facts=(Fact(text=LISTED),)
    )
    found = await grounded.by_judge(draft, Judge(oracle))
    assert (found.verdict, "no Lund" in found.evidence) == ("rejected", True)
    (asked,) = asked_of(oracle, SupportOf)
    assert [asked.claims[0], asked.claims[-1]] == [LISTED, UNLISTED]


async def test_grounded_shows_the_conversation_before_a_follow_up():
    verdict = Support(claim="So many", verdict="supported", sources=(0,))
    oracle = ScriptedOracle(SupportReply(verdicts=(verdict,)))
    turns = (Turn(question="Which ferry is it?", answer="The Orla."),)
    await grounded.by_judge(ferry_draft(reference="So many", turns=turns), Judge(oracle))
    assert [request.question.rpartition("\n")[0] for request in asked_of(oracle, SupportOf)] == [
        "Which ferry is it?\nThe Orla."
    ]


async def test_grounded_passes_what_stands_there_without_asking():
    oracle = ScriptedOracle()
    found = await grounded.by_judge(ferry_draft(reference="It carries 120 people."), Judge(oracle))
    assert (found.verdict, oracle.asked) == ("passed", [])


async def test_grounded_reads_the_answer_where_no_meaning_of_a_question_was_listed():
    draft = ferry_draft(reference="Nine barges are moored there.", expected_behaviour="clarify")
    assert (await grounded.by_judge(draft, judge_of(None))).verdict == "rejected"


async def test_grounded_by_a_model_rejects_what_it_doubts():
    oracle = ScriptedOracle(opinion(("not_supported", "no Lund is named")))
    draft = ferry_draft(reference=UNLISTED, reference_facts=(Fact(text=LISTED),))
    found = await grounded.by_model(draft, Examiner(INDEX, Judge(oracle)))
    assert (found.verdict, found.evidence) == ("rejected", "no Lund is named")
    (asked,) = asked_of(oracle, ExamineOf)
    assert (asked.facts, asked.reference) == ((LISTED,), UNLISTED)
    assert asked.evidence == ("It carries 120 people.",)
    assert asked.passages[0].startswith("[Orla ferry]")
