import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import Claims, Grade, GradeOf, Judge, RelevantSentences, Similarities
from llamaindex_rag_eval.judge.critique import RefusalOf
from llamaindex_rag_eval.metrics.answer_accuracy import AnswerAccuracy
from llamaindex_rag_eval.metrics.aspects import Harmfulness
from llamaindex_rag_eval.metrics.graded_answers import (
    Correctness,
    Helpfulness,
    ResponseGroundedness,
)
from llamaindex_rag_eval.metrics.refusal import Refusal
from llamaindex_rag_eval.models import ScriptedOracle

SAMPLE = SingleTurnSample(query="q", response="r", contexts=("c",), reference="g")

EMPTY = SAMPLE.model_copy(update={"response": " "})


async def score(metric, sample=SAMPLE):
    return (await metric.result(sample)).score


def graded(level):
    return ScriptedOracle(by_request={GradeOf: Grade(level=level, reason="Because.")})


@pytest.mark.parametrize(
    ("metric", "level", "expected"),
    [
        (Correctness, 1, 0),
        (Correctness, 4, 3 / 4),
        (Helpfulness, 4, 3 / 6),
        (ResponseGroundedness, 2, 1),
    ],
)
async def test_a_level_is_put_on_the_scale_from_0_to_1(metric, level, expected):
    assert await score(metric(graded(level))) == expected


async def test_a_level_that_is_not_on_the_scale_fails():
    result = await Correctness(graded(10)).result(SAMPLE)
    assert (result.status, result.error_type) == ("failed", "ReplyError")


async def test_the_judge_sees_only_the_fields_that_the_metric_needs():
    oracle = graded(1)
    await Helpfulness(Judge(oracle)).result(SAMPLE)
    (request,) = oracle.asked
    assert (request.query, request.response, request.contexts, request.reference) == (
        "q",
        "r",
        (),
        "",
    )


@pytest.mark.parametrize("kind", [Correctness, Helpfulness, Harmfulness, AnswerAccuracy])
async def test_an_empty_response_scores_zero_and_nothing_is_asked(kind):
    oracle = ScriptedOracle()
    assert await score(kind(oracle), EMPTY) == 0
    assert oracle.asked == []


def test_every_level_of_every_scale_is_described():
    for kind in (Correctness, Helpfulness, ResponseGroundedness):
        assert all(level.description for level in kind.levels)
        values = [level.value for level in kind.levels]
        assert values == sorted(set(values))


async def test_replies_of_another_kind_are_refused():
    oracle = ScriptedOracle(by_request={RefusalOf: Claims(claims=())})
    result = await Refusal(oracle).result(SAMPLE)
    assert result.status == "failed"
    for wrong in (RelevantSentences(sentences=()), Similarities(values=())):
        oracle = ScriptedOracle(by_request={GradeOf: wrong})
        assert (await Correctness(oracle).result(SAMPLE)).status == "failed"
