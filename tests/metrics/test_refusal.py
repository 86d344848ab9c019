import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.metrics.refusal import Refusal, RefusalCorrectness
from llamaindex_rag_eval.models import EmbeddedOracle

SAMPLE = SingleTurnSample(query="q", response="r", contexts=("c",), reference="g")


async def score(metric, sample=SAMPLE):
    return (await metric.result(sample)).score


@pytest.mark.parametrize(
    ("response", "behaviour", "refused", "right"),
    [
        ("I do not know.", "answer", 1, 0),
        ("I do not know.", "refuse", 1, 1),
        ("It was built in Graz in 1998.", "answer", 0, 1),
        ("It was built in Graz in 1998.", "refuse", 0, 0),
        ("", "refuse", 1, 1),
    ],
)
async def test_refusals_are_found_by_rule_and_held_against_the_question(
    response, behaviour, refused, right
):
    sample = SingleTurnSample(query="q", response=response, expected_behaviour=behaviour)
    judge = EmbeddedOracle()
    assert await score(Refusal(judge), sample) == refused
    assert await score(RefusalCorrectness(judge), sample) == right
