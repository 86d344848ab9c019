import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Critique, CritiqueOf, Grade, GradeOf, Judge
from llamaindex_rag_eval.metrics.criteria import AspectCritique, Guideline, SimpleCriteria
from llamaindex_rag_eval.models import ScriptedOracle

SAMPLE = SingleTurnSample(query="q", response="r", contexts=("c",), reference="g")


async def score(metric, sample=SAMPLE):
    return (await metric.result(sample)).score


def graded(level):
    return ScriptedOracle(by_request={GradeOf: Grade(level=level, reason="Because.")})


def votes(*verdicts):
    return ScriptedOracle(
        by_request={CritiqueOf: lambda asked: Critique(verdict=bool(verdicts[asked.vote]))}
    )


async def test_an_aspect_of_ones_own_is_asked_as_it_was_defined():
    oracle = votes(1)
    metric = AspectCritique(Judge(oracle), aspect="kind", definition="Is it kind?")
    assert await score(metric) == 1
    assert oracle.asked == [
        CritiqueOf(aspect="kind", definition="Is it kind?", response="r", query="q")
    ]
    with pytest.raises(InputError, match="definition must be"):
        AspectCritique(aspect="kind", definition=" ")


async def test_a_guideline_is_kept_or_not():
    oracle = votes(0)
    assert await score(Guideline(Judge(oracle), guideline="Be brief.")) == 0
    assert oracle.asked[0].definition == "Be brief."


async def test_a_simple_criterion_is_graded_from_0_to_5():
    assert await score(SimpleCriteria(graded(3), definition="Be right.")) == 3 / 5
