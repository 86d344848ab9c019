from fractions import Fraction

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import Claims, Judge, Relevance, RelevanceOf, RelevanceReply
from llamaindex_rag_eval.metrics.context_precision import (
    ContextPrecision,
    ContextPrecisionByClaims,
    ContextUtilization,
)
from llamaindex_rag_eval.models import ScriptedOracle

SAMPLE = SingleTurnSample(query="q", response="res", reference="ref", contexts=("c", "d"))


async def test_no_contexts_and_no_claims_are_told_apart_in_context_precision_by_claims():
    oracle = ScriptedOracle(Claims(claims=()))
    metric = ContextPrecisionByClaims(oracle)
    nothing = await metric.result(SAMPLE.model_copy(update={"contexts": ()}))
    assert nothing.reason == "Nothing was retrieved."
    assert (await metric.result(SAMPLE)).reason == "The reference makes no claim."


def useful(*verdicts):
    return RelevanceReply(verdicts=tuple(Relevance(useful=bool(yes)) for yes in verdicts))


async def score(metric, **fields):
    return (await metric.result(SingleTurnSample(**fields))).score


PRECISION_CASES = [
    ([0, 1], Fraction(1, 2)),  # (0·0 + 1/2·1) / 1
    ([1, 0, 1, 0, 1], Fraction(34, 45)),  # (1 + 2/3 + 3/5) / 3
    ([0, 0, 0], Fraction(0)),
    ([1], Fraction(1)),
]


@pytest.mark.parametrize(("verdicts", "expected"), PRECISION_CASES)
async def test_context_precision_sums_the_precision_at_useful_ranks_only(verdicts, expected):
    oracle = ScriptedOracle(useful(*verdicts))
    contexts = [f"c{number}" for number in range(len(verdicts))]
    sample = {"query": "q", "contexts": contexts, "reference": "ref"}
    assert await score(ContextPrecision(Judge(oracle)), **sample) == pytest.approx(float(expected))
    assert oracle.asked == [RelevanceOf(question="q", contexts=tuple(contexts), answer="ref")]


@pytest.mark.parametrize(("verdicts", "expected"), PRECISION_CASES)
async def test_context_utilization_puts_the_response_in_the_place_of_the_reference(
    verdicts, expected
):
    oracle = ScriptedOracle(useful(*verdicts))
    contexts = [f"c{number}" for number in range(len(verdicts))]
    sample = {"query": "q", "contexts": contexts, "response": "res", "reference": "ref"}
    assert await score(ContextUtilization(Judge(oracle)), **sample) == pytest.approx(
        float(expected)
    )
    assert oracle.asked == [RelevanceOf(question="q", contexts=tuple(contexts), answer="res")]


@pytest.mark.parametrize("metric", [ContextPrecision, ContextUtilization])
async def test_precision_of_no_contexts_is_undefined_and_nothing_is_asked(metric):
    oracle = ScriptedOracle()
    sample = SingleTurnSample(query="q", response="r", reference="g", contexts=())
    assert (await metric(oracle).result(sample)).status == "undefined"
    assert oracle.asked == []
