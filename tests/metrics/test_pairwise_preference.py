import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import MissingFieldError
from llamaindex_rag_eval.judge import Judge, Preference, PreferenceOf
from llamaindex_rag_eval.metrics.pairwise_preference import PairwisePreference
from llamaindex_rag_eval.models import ScriptedOracle
from tests.scripted import asked_of

SAMPLE = SingleTurnSample(query="q", response="r", contexts=("c",), reference="g")


async def score(metric, sample=SAMPLE):
    return (await metric.result(sample)).score


OTHER = SAMPLE.model_copy(update={"metadata": {"second_response": "s"}})


@pytest.mark.parametrize(
    ("forth", "back", "expected"),
    [
        ("first", "second", 1),
        ("second", "first", 0),
        ("tie", "tie", 1 / 2),
        ("first", "first", 1 / 2),  # whichever stood first: no preference
        ("second", "second", 1 / 2),
        ("first", "tie", 1 / 2),
    ],
)
async def test_a_preference_counts_only_if_it_holds_in_both_orders(forth, back, expected):
    def prefer(asked):
        return Preference(winner=forth if asked.first == "r" else back)

    oracle = ScriptedOracle(by_request={PreferenceOf: prefer})
    assert await score(PairwisePreference(Judge(oracle)), OTHER) == expected
    asked = asked_of(oracle, PreferenceOf)
    assert [(one.first, one.second) for one in asked] == [("r", "s"), ("s", "r")]


async def test_the_other_response_is_given_like_a_field():
    oracle = ScriptedOracle()
    result = await PairwisePreference(oracle).aevaluate("q", "r", second_response="r")
    assert result.score == 1 / 2


def test_without_the_other_response_there_is_nothing_to_compare():
    with pytest.raises(MissingFieldError, match="second_response"):
        PairwisePreference(ScriptedOracle()).evaluate("q", "r")
