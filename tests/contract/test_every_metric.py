"""One contract for all metrics of the registry, whatever they measure.

Each clause is a function of the spec of a metric. One test a metric runs all clauses and names
those that do not hold.
"""

import asyncio
import pickle
import subprocess
import sys
import warnings
from collections import Counter
from collections.abc import Awaitable, Callable

import pytest
from llama_index.core.evaluation import BaseEvaluator, BatchEvalRunner, EvaluationResult

from llamaindex_rag_eval.data.sample import MultiTurnSample, SingleTurnSample
from llamaindex_rag_eval.errors import MissingFieldError, ReplyError
from llamaindex_rag_eval.judge import Critique, Grade, Judge, Preference
from llamaindex_rag_eval.judge.intentions import Intention, Intentions
from llamaindex_rag_eval.judge.steps import Steps
from llamaindex_rag_eval.judge.topics import Topics, TurnTopics
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.models import CachedOracle, ScriptedOracle, check_reply
from tests.contract.samples import (
    COMPOSITES,
    FULL,
    JSON,
    METRIC_SPECS,
    PER_PART,
    TALK,
    WRONG,
    WRONG_TALK,
    measures_conversations,
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
    """Answers everything the metrics ask, and remembers it. One answers as the other does."""

    def fingerprint(self, request):
        return f"answering/{request.__name__}"

    async def ask(self, request):
        self.asked.append(request)
        await asyncio.sleep(0)  # lets concurrent askers take turns
        return check_reply(request, answer(request))


def metric_for(spec, oracle=None):
    return metric_of(spec, Judge(CachedOracle(oracle or Answering())))


async def results_of(metric, samples):
    results = [await metric.result(sample) for sample in samples]
    return [result.model_dump(exclude={"seconds"}) for result in results]


CLAUSES: list[Callable[[str], Awaitable[None]]] = []


def clause(function):
    """Add a function to the contract."""
    CLAUSES.append(function)
    return function


@clause
async def a_score_lies_within_the_bounds(spec):
    metric = metric_for(spec)
    low, high = metric.bounds
    for sample in samples_for(spec):
        result = await metric.result(sample)
        assert result.status in ("scored", "undefined"), result.feedback
        if result.status == "scored":
            assert low - 1e-9 <= result.score <= high + 1e-9
            assert result.feedback


@clause
async def an_undefined_result_has_no_score_and_says_why(spec):
    metric = metric_for(spec)
    for sample in samples_for(spec):
        result = await metric.result(sample)
        if result.status == "undefined":
            assert metric.undefined.endswith("."), "the class says when it is undefined"
            assert result.score is None
            assert result.passing is None
            assert result.invalid_result
            assert result.reason.endswith(".")


@clause
async def a_metric_that_can_be_undefined_is_so_on_a_sample_of_empty_fields(spec):
    metric = metric_for(spec)
    result = await metric.result(samples_for(spec)[-1])
    assert (result.status == "undefined") == bool(metric.undefined), result.feedback


@clause
async def a_full_sample_is_scored_and_a_second_one_too(spec):
    samples = [JSON] if spec == "json_match" else samples_for(spec)[:2]
    for sample in samples:
        assert (await metric_for(spec).result(sample)).status == "scored"


@clause
async def a_missing_field_is_named_before_anything_is_asked(spec):
    oracle = Answering()
    metric = metric_for(spec, oracle)
    for field in metric.needs:
        whole = samples_for(spec)[0]
        rest = type(whole).model_validate(whole.model_dump(exclude={field}, exclude_unset=True))
        with pytest.raises(MissingFieldError, match=f"needs '{field}'"):
            await metric.result(rest)
    for way in metric.needs_one_of:
        for field in way:
            with pytest.raises(MissingFieldError, match=field):
                await metric.result(SingleTurnSample(query="q", response="r"))
    assert oracle.asked == []


@clause
async def a_judgement_that_cannot_be_had_makes_a_failed_result(spec):
    metric = metric_for(spec)
    broken = ScriptedOracle(*([ReplyError("two verdicts for three claims")] * 50))
    result = await metric_for(spec, broken).result(samples_for(spec)[0])
    if not broken.asked:
        assert metric.requests == ()
        return
    assert result.status == "failed"
    assert result.score is None
    assert result.invalid_result
    assert result.error_type == "ReplyError"
    assert "two verdicts for three claims" in result.reason


@clause
async def what_the_class_says_it_asks_is_what_it_asks(spec):
    oracle = Answering()
    metric = metric_of(spec, Judge(oracle))
    await metric.result(samples_for(spec)[0])
    asked = Counter(type(request) for request in oracle.asked)
    if metric.name in PER_PART:
        assert set(asked) == set(metric.requests)
    elif metric.name not in COMPOSITES:
        assert asked == Counter(metric.requests)


@clause
async def two_evaluations_come_to_the_same(spec):
    samples = samples_for(spec)
    assert await results_of(metric_for(spec), samples) == await results_of(
        metric_for(spec), samples
    )


@clause
async def concurrent_evaluations_do_not_touch_one_another(spec):
    samples = samples_for(spec)
    alone = await results_of(metric_for(spec), samples)
    metric = metric_for(spec)
    together = await asyncio.gather(*(metric.result(sample) for sample in samples * 2))
    shown = [result.model_dump(exclude={"seconds"}) for result in together]
    assert shown == alone * 2


@clause
async def a_metric_holds_only_its_settings(spec):
    metric = metric_for(spec)
    before = dict(vars(metric))
    await metric.result(samples_for(spec)[0])
    assert vars(metric) == before


@clause
async def a_metric_travels_to_another_process(spec):
    metric = metric_for(spec)
    twin = pickle.loads(pickle.dumps(metric))  # noqa: S301 - written one call before
    assert repr(twin) == repr(metric)
    samples = samples_for(spec)[:1]
    assert await results_of(twin, samples) == await results_of(metric, samples)


@clause
async def the_spec_and_the_repr_say_what_the_metric_is(spec):
    metric = metric_for(spec)
    twin = metric_of(metric.spec)
    assert type(twin) is type(metric)
    assert twin.spec == metric.spec
    assert twin.settings() == metric.settings()
    assert repr(metric).startswith(f"{type(metric).__name__}(")


@clause
async def the_threshold_is_met_from_the_better_side(spec):
    metric = metric_for(spec)
    low, high = metric.bounds
    high = min(high, low + 1)
    metric.threshold = (low + high) / 2
    better, worse = (high, low) if metric.direction == "higher" else (low, high)
    expected = (None, None) if metric.direction == "neither" else (True, False)
    assert (metric.passes(better), metric.passes(worse)) == expected


@clause
async def what_a_metric_does_not_measure_is_turned_away_with_the_remedy(spec):
    metric = metric_for(spec)
    other = FULL if measures_conversations(spec) else MultiTurnSample(messages=())
    with pytest.raises(ValueError, match=r"needs|single turns|conversations"):
        await metric.result(other)


@pytest.mark.parametrize("spec", METRIC_SPECS)
async def test_a_metric_keeps_the_contract(spec):
    failures = []
    for function in CLAUSES:
        try:
            await function(spec)
        except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001 - named below
            failures.append(f"{spec}: {function.__name__}: {type(error).__name__}: {error}")
    if failures:
        pytest.fail("\n\n".join(failures), pytrace=False)


IN_A_RUNNING_LOOP = """
import asyncio
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness

async def notebook_cell():
    counted = Faithfulness(graded=False)
    return counted.evaluate(query="q", response="It rains.", contexts=["It rains."])

print(asyncio.run(notebook_cell()).score)
"""


def test_evaluate_works_where_a_loop_runs_already_as_in_a_notebook():
    # In a process of its own: nest-asyncio patches the loops of the whole process.
    done = subprocess.run(
        [sys.executable, "-c", IN_A_RUNNING_LOOP], capture_output=True, text=True, timeout=300
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
    assert results["broken"][0].invalid_reason.startswith("ScriptError: ")
    assert results["sound"][0].score is not None
