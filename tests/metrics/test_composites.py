"""Composites: means of other metrics, which decide whether there is a value at all."""

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.composite import HarmonicMean, RagasScore, WeightedMean
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.hallucination import Hallucination
from llamaindex_rag_eval.metrics.result import Score
from llamaindex_rag_eval.models import EmbeddedOracle, ScriptedOracle

SAMPLE = SingleTurnSample(query="q", response="r", contexts=("c",), reference="g")


class Fixed(Metric):
    """A metric that always says the same."""

    needs = frozenset({"response"})

    def __init__(self, name, value):
        super().__init__()
        self.name = name
        self.value = value

    def settings(self):
        return {}

    async def measure(self, sample):
        del sample
        return Score(self.value)


def fixed(*values):
    return [Fixed(f"part{number}", value) for number, value in enumerate(values)]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ((1.0, 0.0), 0),
        ((0.817, 0.892, 0.874), 3 / (1 / 0.817 + 1 / 0.892 + 1 / 0.874)),  # about 0.860
        ((0.5, None), None),
        ((-0.5, 1.0), 0),
    ],
)
async def test_a_harmonic_mean_is_zero_if_a_part_is_and_undefined_if_a_part_is(values, expected):
    result = await HarmonicMean(parts=fixed(*values)).result(SAMPLE)
    assert result.score == (None if expected is None else pytest.approx(expected))
    if expected is None:
        assert result.reason == "Undefined: part1."


async def test_a_weighted_mean_weighs_its_parts():
    metric = WeightedMean(parts=fixed(1.0, 0.0), weights=(3, 1))
    assert (await metric.result(SAMPLE)).score == 3 / 4


def test_the_ragas_score_is_made_of_its_three_metrics():
    metric = RagasScore(EmbeddedOracle())
    assert [part.name for part in metric.parts] == [
        "context_relevancy",
        "faithfulness",
        "answer_relevancy",
    ]
    assert metric.spec == "ragas_score"


async def test_a_part_that_fails_makes_the_composite_fail():
    result = await RagasScore(ScriptedOracle()).result(SAMPLE)
    assert (result.status, result.error_type) == ("failed", "ScriptError")


def test_composites_refuse_parts_and_weights_that_do_not_fit():
    with pytest.raises(InputError, match="one part"):
        HarmonicMean(parts=[])
    with pytest.raises(InputError, match="'hallucination' is better when lower"):
        WeightedMean(parts=[Hallucination()])
    with pytest.raises(InputError, match="weights"):
        WeightedMean(parts=fixed(1.0), weights=(1, 2))


def test_a_composite_hands_the_judge_to_the_parts_that_have_none():
    own, shared = Judge(ScriptedOracle()), Judge(ScriptedOracle())
    metric = HarmonicMean(parts=[Faithfulness(own), Faithfulness()])
    given = metric.with_judge(shared)
    assert [part.judge for part in given.parts] == [own, shared]
    assert metric.parts[1].judge is not shared
