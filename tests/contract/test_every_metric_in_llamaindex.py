"""All metrics as LlamaIndex calls evaluators: many in its batch runner."""

import warnings

from llama_index.core.evaluation import BaseEvaluator, BatchEvalRunner, EvaluationResult

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.models import ScriptedOracle
from tests.contract.answering import metric_for
from tests.contract.samples import (
    FULL,
    METRIC_SPECS,
    TALK,
    WRONG,
    WRONG_TALK,
    measures_conversations,
)


class Length(BaseEvaluator):
    """An evaluator as LlamaIndex has them, to stand beside ours."""

    def _get_prompts(self):
        return {}

    def _update_prompts(self, prompts_dict):
        del prompts_dict

    async def aevaluate(self, query=None, response=None, contexts=None, **kwargs):
        del query, contexts, kwargs
        return EvaluationResult(score=float(len(response)))


def batch_runner(evaluators):
    with warnings.catch_warnings():
        # LlamaIndex's own BatchEvalRunner calls a function that LlamaIndex deprecates.
        warnings.filterwarnings("ignore", r"asyncio_module\(\) is deprecated", DeprecationWarning)
        return BatchEvalRunner(evaluators, workers=8)


async def test_all_metrics_work_in_the_batch_runner_of_llama_index_beside_its_own_evaluators():
    metrics = {spec: metric_for(spec) for spec in METRIC_SPECS if not measures_conversations(spec)}
    rest = FULL.model_dump(exclude={"query", "response", "contexts", "id"}, exclude_unset=True)
    fields = {key: [value, value] for key, value in rest.items()}
    results = await batch_runner({**metrics, "length": Length()}).aevaluate_response_strs(
        queries=[FULL.query] * 2,
        response_strs=[FULL.response, WRONG.response],
        contexts_list=[list(FULL.contexts)] * 2,
        **fields,
    )
    assert [result.score for result in results["length"]] == [
        len(FULL.response),
        len(WRONG.response),
    ]
    for spec, metric in metrics.items():
        expected = [(await metric.result(sample)).score for sample in (FULL, WRONG)]
        assert [result.score for result in results[spec]] == expected


async def test_a_field_that_one_metric_lacks_does_not_end_the_batch_and_passing_has_a_default():
    metrics = {spec: metric_for(spec) for spec in METRIC_SPECS}
    results = await batch_runner(metrics).aevaluate_response_strs(
        queries=[FULL.query], response_strs=[FULL.response]
    )
    for spec, (result,) in results.items():
        if measures_conversations(spec):
            assert result.invalid_result
            continue
        lacks = metrics[spec].missing(SingleTurnSample(query="q", response="r"))
        assert (result.error_type == "MissingFieldError") == (lacks is not None)
        if result.score is None:
            assert (result.passing, result.invalid_result) == (None, True)
            assert not lacks or lacks in result.feedback
        elif metrics[spec].direction != "neither" and metrics[spec].default_threshold is not None:
            assert isinstance(result.passing, bool)
            assert result.feedback.startswith(f"{metrics[spec].spec} is ")


async def test_metrics_measures_conversations_work_in_the_batch_runner_too():
    metrics = {spec: metric_for(spec) for spec in METRIC_SPECS if measures_conversations(spec)}
    names = ("messages", "reference", "reference_tool_calls", "reference_topics")
    results = await batch_runner(metrics).aevaluate_response_strs(
        queries=["-"] * 2,
        response_strs=["-"] * 2,
        **{name: [getattr(TALK, name), getattr(WRONG_TALK, name)] for name in names},
    )
    for spec, metric in metrics.items():
        expected = [(await metric.result(sample)).score for sample in (TALK, WRONG_TALK)]
        assert [result.score for result in results[spec]] == expected


async def test_a_failed_judgement_in_the_batch_runner_loses_no_other_result():
    broken = Judge(ScriptedOracle())
    metrics = {"broken": metric_of("faithfulness", broken), "sound": metric_for("faithfulness")}
    results = await batch_runner(metrics).aevaluate_response_strs(
        queries=[FULL.query], response_strs=[FULL.response], contexts_list=[list(FULL.contexts)]
    )
    assert results["broken"][0].invalid_result
    assert results["broken"][0].invalid_reason.startswith("the script has no reply left")
    assert results["sound"][0].score is not None
