"""Metrics of metrics: means of others, and what they hand on to their parts."""

import pytest
from llama_index.core.prompts import PromptTemplate

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metrics.answer_relevancy import AnswerRelevancy
from llamaindex_rag_eval.metrics.base import Metric
from llamaindex_rag_eval.metrics.composite import HarmonicMean, RagasScore, WeightedMean
from llamaindex_rag_eval.metrics.factual_correctness import FactualCorrectness
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.metrics.hallucination import Hallucination
from llamaindex_rag_eval.metrics.result import Score
from llamaindex_rag_eval.metrics.turns import turn_wise
from llamaindex_rag_eval.models import CachedOracle, EmbeddedOracle, ScriptedOracle
from llamaindex_rag_eval.runs.estimate import estimate
from llamaindex_rag_eval.runs.evaluate import evaluate
from tests.contract.samples import FULL, TALK
from tests.models.asking import oracle_at, serving

SAMPLE = SingleTurnSample(query="q", response="r", contexts=("c",), reference="g")


class Fixed(Metric):
    """A metric that always says the same."""

    needs = frozenset({"response"})

    def __init__(self, name, value):
        super().__init__()
        self.__dict__["name"] = name  # a class attribute in other metrics
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
    assert isinstance(given, HarmonicMean)
    assert [part.judge for part in given.parts] == [own, shared]
    assert metric.parts[1].judge is not shared


METRICS_OF_METRICS = {
    "composite": (lambda: RagasScore(), FULL, 4),
    "turn-wise": (lambda: turn_wise(AnswerRelevancy()), TALK, 2),
}


@pytest.fixture(scope="module")
def server():
    with serving(record=True) as running:
        yield running


@pytest.mark.parametrize(
    ("make", "sample", "calls"), METRICS_OF_METRICS.values(), ids=METRICS_OF_METRICS
)
def test_an_estimate_counts_the_calls_of_the_parts_and_makes_none(server, make, sample, calls):
    server.reset()
    usage = estimate([sample], metrics=[make()], judge=Judge(CachedOracle(oracle_at(server))))
    assert usage.total.calls == calls
    assert server.stats().calls == 0


@pytest.mark.parametrize(
    ("make", "sample", "calls"), METRICS_OF_METRICS.values(), ids=METRICS_OF_METRICS
)
def test_a_run_says_who_answered_the_parts_and_what_they_cost(server, make, sample, calls):
    server.reset()
    judge = Judge(CachedOracle(oracle_at(server)))
    run = evaluate([sample], metrics=[make()], judge=judge)
    assert server.stats().calls == calls
    assert run.provenance.usage["calls"] == calls
    for request in make().requests:
        assert run.provenance.answered_by[request.__name__] == judge.oracle.fingerprint(request)


def test_a_part_with_a_judge_of_its_own_keeps_it():
    own, other = Judge(EmbeddedOracle()), Judge(EmbeddedOracle())
    metric = HarmonicMean(parts=[Faithfulness(own), AnswerRelevancy()]).with_judge(other)
    assert isinstance(metric, HarmonicMean)
    assert [part.judge for part in metric.parts] == [own, other]
    assert turn_wise(Faithfulness(own)).with_judge(other).judge is own


def test_two_parts_of_one_name_have_their_prompts_apart():
    parts = [FactualCorrectness(mode="recall"), FactualCorrectness(mode="precision")]
    names = HarmonicMean(parts=parts).get_prompts()
    assert {name.partition(":")[0] for name in names} == {
        "factual_correctness",
        "factual_correctness_2",
    }


async def test_the_prompts_of_a_composite_are_those_of_its_parts_by_their_names(server):
    metric = HarmonicMean(oracle_at(server), parts=[Faithfulness(), AnswerRelevancy()])
    assert sorted(metric.get_prompts()) == [
        "answer_relevancy:questions",
        "faithfulness:claims",
        "faithfulness:support",
    ]
    other = "List every claim of `text`, one a line."
    metric.update_prompts({"faithfulness:claims": PromptTemplate(other)})
    server.reset()
    assert (await metric.result(FULL)).status != "failed"
    systems = [body["messages"][0]["content"] for body in server.requests()]
    assert sum(system.startswith(other) for system in systems) == 1
