"""Answers that the evidence does not support are rejected."""

from llamaindex_rag_eval.judge import Judge, Support, SupportOf, SupportReply, judge_of
from llamaindex_rag_eval.models import ScriptedOracle
from tests.testset.checks.examples import ferry_draft, pump_draft
from testset.checks import grounded


async def test_grounded_rejects_what_the_evidence_does_not_say():
    judge = judge_of(None)
    good = pump_draft("Who designed the pump?", "Ada Byron designed the Harwell pump.")
    assert (await grounded.by_judge(good, judge)).verdict == "passed"
    bad = pump_draft("Who designed the pump?", "Imogen Fenn sold nine greenhouses to Norway.")
    assert (await grounded.by_judge(bad, judge)).verdict == "rejected"


async def test_grounded_rejects_a_fact_that_the_evidence_does_not_bear_out():
    claim = "The ferry carries 120 people daily."
    reply = SupportReply(verdicts=(Support(claim=claim, verdict="not_mentioned", reason="daily"),))
    oracle = ScriptedOracle(reply)
    found = await grounded.by_judge(
        ferry_draft(reference="120 a day.", facts=(claim,)), Judge(oracle)
    )
    assert (found.verdict, "daily" in found.evidence) == ("rejected", True)
    assert isinstance(oracle.asked[0], SupportOf)


async def test_grounded_passes_what_stands_there_without_asking():
    oracle = ScriptedOracle()
    found = await grounded.by_judge(ferry_draft(reference="It carries 120 people."), Judge(oracle))
    assert (found.verdict, oracle.asked) == ("passed", [])
