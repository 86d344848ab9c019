"""One contract for all metrics of the catalogue, whatever they measure."""

import asyncio
import pickle
import subprocess
import sys
import warnings
from collections import Counter

import pytest
from llama_index.core.evaluation import BaseEvaluator, BatchEvalRunner, EvaluationResult

from llamaindex_rag_eval.data.sample import MultiTurnSample, SingleTurnSample
from llamaindex_rag_eval.errors import MissingFieldError, ReplyError
from llamaindex_rag_eval.judge import Critique, Grade, Judge, Preference
from llamaindex_rag_eval.judge.intentions import Intention, Intentions
from llamaindex_rag_eval.judge.steps import Steps
from llamaindex_rag_eval.judge.topics import Topics, TurnTopics
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.models import CachedOracle, ScriptedOracle, checked
from tests.contract.samples import (
    COMPOSITES,
    FULL,
    JSON,
    METRIC_LABELS,
    PER_PART,
    TALK,
    WRONG,
    WRONG_TALK,
    over_conversations,
    samples_for,
)


def answer(request):
    """Answer by rule where rules answer, else with something on the scale."""
    if request.ruled:
        return request.by_rule()
    kind = request.reply
    if issubclass(kind, Grade):
        return Grade(level=request.levels[-1].value, reason="It fits.")
    if issubclass(kind, Critique):
        return Critique(verdict=True, reason="It has it.")
    if issubclass(kind, Preference):
        return Preference(winner="first", reason="It is better.")
    if issubclass(kind, Steps):
        return Steps(steps=("Read it.", "Grade it."))
    if issubclass(kind, Topics):
        return Topics(turns=tuple(TurnTopics(topics=(0,), declined=False) for _ in request.turns))
    if issubclass(kind, Intentions):
        return Intentions(intentions=(Intention(intention="A pump.", met=True),))
    raise AssertionError(f"the contract test has no answer to {type(request).__name__}")


class Answering(ScriptedOracle):
    """Answers everything the metrics ask, and remembers it."""

    async def ask(self, request):
        self.asked.append(request)
        await asyncio.sleep(0)  # lets concurrent askers take turns
        return checked(request, answer(request))


def made(label, oracle=None):
    return metric_of(label, Judge(CachedOracle(oracle or Answering())))


async def results_of(metric, samples):
    results = [await metric.result(sample) for sample in samples]
    return [result.model_dump(exclude={"seconds"}) for result in results]


every_metric = pytest.mark.parametrize("label", METRIC_LABELS)


@every_metric
async def test_a_score_lies_within_the_bounds(label):
    metric = made(label)
    low, high = metric.bounds
    for sample in samples_for(label):
        result = await metric.result(sample)
        assert result.status in ("scored", "undefined"), result.feedback
        if result.status == "scored":
            assert low - 1e-9 <= result.score <= high + 1e-9
            assert result.feedback


@every_metric
async def test_an_undefined_result_has_no_score_and_says_why(label):
    metric = made(label)
    for sample in samples_for(label):
        result = await metric.result(sample)
        if result.status == "undefined":
            assert metric.undefined.endswith("."), "the class says when it is undefined"
            assert result.score is None
            assert result.passing is None
            assert result.invalid_result
            assert result.reason.endswith(".")


@every_metric
async def test_a_metric_that_can_be_undefined_is_so_on_a_sample_of_empty_fields(label):
    metric = made(label)
    result = await metric.result(samples_for(label)[-1])
    assert (result.status == "undefined") == bool(metric.undefined), result.feedback


@every_metric
async def test_a_full_sample_is_scored_and_a_second_one_too(label):
    samples = [JSON] if label == "json_match" else samples_for(label)[:2]
    for sample in samples:
        assert (await made(label).result(sample)).status == "scored"


@every_metric
async def test_a_missing_field_is_named_before_anything_is_asked(label):
    oracle = Answering()
    metric = made(label, oracle)
    for field in metric.needs:
        whole = samples_for(label)[0]
        rest = type(whole).model_validate(whole.model_dump(exclude={field}, exclude_unset=True))
        with pytest.raises(MissingFieldError, match=f"needs '{field}'"):
            await metric.result(rest)
    for way in metric.needs_one_of:
        for field in way:
            with pytest.raises(MissingFieldError, match=field):
                await metric.result(SingleTurnSample(query="q", response="r"))
    assert oracle.asked == []


@every_metric
async def test_a_judgement_that_cannot_be_had_makes_a_failed_result(label):
    metric = made(label)
    broken = ScriptedOracle(*([ReplyError("two verdicts for three claims")] * 50))
    result = await made(label, broken).result(samples_for(label)[0])
    if not broken.asked:
        assert metric.requests == ()
        return
    assert result.status == "failed"
    assert result.score is None
    assert result.invalid_result
    assert result.error_type == "ReplyError"
    assert "two verdicts for three claims" in result.reason


@every_metric
async def test_what_the_class_says_it_asks_is_what_it_asks(label):
    oracle = Answering()
    metric = metric_of(label, Judge(oracle))
    await metric.result(samples_for(label)[0])
    asked = Counter(type(request) for request in oracle.asked)
    if metric.name in PER_PART:
        assert set(asked) == set(metric.requests)
    elif metric.name not in COMPOSITES:
        assert asked == Counter(metric.requests)


@every_metric
async def test_two_evaluations_come_to_the_same(label):
    samples = samples_for(label)
    assert await results_of(made(label), samples) == await results_of(made(label), samples)


@every_metric
async def test_concurrent_evaluations_do_not_touch_one_another(label):
    samples = samples_for(label)
    alone = await results_of(made(label), samples)
    metric = made(label)
    together = await asyncio.gather(*(metric.result(sample) for sample in samples * 2))
    shown = [result.model_dump(exclude={"seconds"}) for result in together]
    assert shown == alone * 2


@every_metric
async def test_a_metric_holds_only_its_settings(label):
    metric = made(label)
    before = dict(vars(metric))
    await metric.result(samples_for(label)[0])
    assert vars(metric) == before


@every_metric
async def test_a_metric_travels_to_another_process(label):
    metric = made(label)
    twin = pickle.loads(pickle.dumps(metric))  # noqa: S301 - written one call before
    assert repr(twin) == repr(metric)
    samples = samples_for(label)[:1]
    assert await results_of(twin, samples) == await results_of(metric, samples)


@every_metric
def test_the_label_and_the_repr_say_what_the_metric_is(label):
    metric = made(label)
    twin = metric_of(metric.spec)
    assert type(twin) is type(metric)
    assert twin.spec == metric.spec
    assert twin.settings() == metric.settings()
    assert repr(metric).startswith(f"{type(metric).__name__}(")


@every_metric
def test_the_threshold_is_met_from_the_better_side(label):
    metric = made(label)
    low, high = metric.bounds
    high = min(high, low + 1)
    metric.threshold = (low + high) / 2
    better, worse = (high, low) if metric.direction == "higher" else (low, high)
    expected = (None, None) if metric.direction == "neither" else (True, False)
    assert (metric.passes(better), metric.passes(worse)) == expected


@every_metric
async def test_what_a_metric_does_not_measure_is_turned_away_with_the_remedy(label):
    metric = made(label)
    other = FULL if over_conversations(label) else MultiTurnSample(messages=())
    with pytest.raises(ValueError, match=r"needs|single turns|conversations"):
        await metric.result(other)


IN_A_RUNNING_LOOP = """
import asyncio
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness

async def notebook_cell():
    return Faithfulness().evaluate(query="q", response="It rains.", contexts=["It rains."])

print(asyncio.run(notebook_cell()).score)
"""


def test_evaluate_works_where_a_loop_runs_already_as_in_a_notebook():
    # In a process of its own: nest-asyncio patches the loops of the whole process.
    done = subprocess.run(
        [sys.executable, "-c", IN_A_RUNNING_LOOP], capture_output=True, text=True, timeout=60
    )
    assert done.stdout.strip() == "1.0", done.stderr


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
    metrics = {label: made(label) for label in METRIC_LABELS if not over_conversations(label)}
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
    for label, metric in metrics.items():
        expected = [(await metric.result(sample)).score for sample in (FULL, WRONG)]
        assert [result.score for result in results[label]] == expected


async def test_metrics_over_conversations_work_in_the_batch_runner_too():
    metrics = {label: made(label) for label in METRIC_LABELS if over_conversations(label)}
    names = ("messages", "reference", "reference_tool_calls", "reference_topics")
    results = await batch_runner(metrics).aevaluate_response_strs(
        queries=["-"] * 2,
        response_strs=["-"] * 2,
        **{name: [getattr(TALK, name), getattr(WRONG_TALK, name)] for name in names},
    )
    for label, metric in metrics.items():
        expected = [(await metric.result(sample)).score for sample in (TALK, WRONG_TALK)]
        assert [result.score for result in results[label]] == expected


async def test_a_failed_judgement_in_the_batch_runner_loses_no_other_result():
    broken = Judge(ScriptedOracle())
    metrics = {"broken": metric_of("faithfulness", broken), "sound": made("faithfulness")}
    results = await batch_runner(metrics).aevaluate_response_strs(
        queries=[FULL.query], response_strs=[FULL.response], contexts_list=[list(FULL.contexts)]
    )
    assert results["broken"][0].invalid_result
    assert results["broken"][0].invalid_reason.startswith("ScriptError: ")
    assert results["sound"][0].score is not None
