"""One contract for all metrics of the registry, whatever they measure.

Each clause is a function of the spec of a metric. One test a metric runs all clauses and names
those that do not hold.
"""

import asyncio
import pickle
from collections import Counter
from collections.abc import Awaitable, Callable

import pytest

from llamaindex_rag_eval.data.sample import MultiTurnSample, SingleTurnSample
from llamaindex_rag_eval.errors import MissingFieldError, ReplyError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.models import ScriptedOracle
from tests.contract.answering import Answering, metric_for
from tests.contract.samples import (
    COMPOSITES,
    FULL,
    JSON,
    METRIC_SPECS,
    PER_PART,
    measures_conversations,
    samples_for,
)


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
