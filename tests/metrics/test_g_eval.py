import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Grade, GradeOf, Judge
from llamaindex_rag_eval.judge.steps import Steps, StepsOf
from llamaindex_rag_eval.metrics.g_eval import GEval
from llamaindex_rag_eval.models import CachedOracle, ScriptedOracle
from llamaindex_rag_eval.runs.evaluate import evaluate

SAMPLES = [SingleTurnSample(id=str(n), query="q", response=f"r{n}") for n in range(3)]

STEPS = ("Read the response.", "Grade it.")


def oracle_for(steps=Steps(steps=STEPS)):  # noqa: B008 - frozen
    return ScriptedOracle(by_request={StepsOf: steps, GradeOf: Grade(level=8, reason="Good.")})


def test_steps_are_written_once_for_the_criteria_and_used_for_every_sample():
    oracle = oracle_for()
    run = evaluate(SAMPLES, metrics=[GEval(criteria="It is kind.")], judge=oracle)
    assert [result.score for result in run.results] == [8 / 10] * 3
    asked = [request for request in oracle.asked if isinstance(request, StepsOf)]
    assert asked == [StepsOf(criteria="It is kind.")]
    graded = [request for request in oracle.asked if isinstance(request, GradeOf)]
    assert {request.steps for request in graded} == {STEPS}


def test_the_run_keeps_the_steps_with_every_result(tmp_path):
    evaluate(
        SAMPLES,
        metrics=[GEval(criteria="It is kind.")],
        judge=oracle_for(),
        out=tmp_path / "run.jsonl",
    )
    text = (tmp_path / "run.jsonl").read_text(encoding="utf-8")
    assert text.count('"Read the response."') == 3


async def test_steps_that_were_given_are_taken_and_none_are_asked_for():
    oracle = oracle_for()
    result = await GEval(Judge(oracle), criteria="It is kind.", steps=["Look."]).result(SAMPLES[0])
    assert [type(request) for request in oracle.asked] == [GradeOf]
    assert oracle.asked[0].steps == ("Look.",)
    assert result.evidence["steps"] == ["Look."]


async def test_other_criteria_have_other_steps():
    oracle = oracle_for()
    judge = Judge(CachedOracle(oracle))
    for criteria in ("It is kind.", "It is true."):
        await GEval(judge, criteria=criteria).result(SAMPLES[0])
    asked = [request.criteria for request in oracle.asked if isinstance(request, StepsOf)]
    assert asked == ["It is kind.", "It is true."]


async def test_no_steps_at_all_are_a_failure_and_not_a_grade_without_them():
    result = await GEval(oracle_for(Steps(steps=())), criteria="It is kind.").result(SAMPLES[0])
    assert (result.status, result.error_type) == ("failed", "ReplyError")


async def test_the_scale_has_eleven_described_levels():
    oracle = oracle_for()
    assert (await GEval(Judge(oracle), criteria="Be right.").result(SAMPLES[0])).score == 8 / 10
    levels = oracle.asked[-1].levels
    assert [level.value for level in levels] == list(range(11))
    assert all(level.description for level in levels)


@pytest.mark.parametrize("response", ["", " \n\t"])
async def test_a_blank_response_scores_zero_and_nothing_is_asked(response):
    oracle = oracle_for()
    sample = SingleTurnSample(query="q", response=response)
    result = await GEval(Judge(oracle), criteria="It is kind.", threshold=0.5).result(sample)
    assert (result.status, result.score, result.passing) == ("scored", 0.0, False)
    assert "The response is empty." in result.feedback
    assert oracle.asked == []


def test_blank_criteria_are_refused():
    with pytest.raises(InputError, match="criteria"):
        GEval(criteria=" ")
