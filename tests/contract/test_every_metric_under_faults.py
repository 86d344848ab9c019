"""Every metric through an LLM whose replies are faulty: healed where one can, failed where not.

A fault that passes leaves the score as it was; one that stays makes a failed result with its
reason, never an undefined one and never a number.
"""

import asyncio
from functools import cache

import pytest

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.metrics.turns import TurnWise
from llamaindex_rag_eval.models import Limit, LLMOracle
from tests.contract.samples import METRIC_SPECS, samples_for
from tests.models.asking import llm_at, serving
from tests.server import Fault

COUNTED = ("support", "relevance", "questions", "topics")
"""Prompts whose replies must have an entry for each thing asked about."""

NUMBERED = ("support", "relevance", "entities", "topics", "relevant_sentences")
"""Prompts whose replies name things by number."""

EVERY = (
    *COUNTED,
    "relevant_sentences",
    "claims",
    "critique",
    "grade",
    "answer_verdict",
    "preference",
    "intentions",
    "steps",
)

FATAL = {
    "missing_item": COUNTED,
    "extra_item": COUNTED,
    "out_of_range": NUMBERED,
    "prose_around": (),
    "malformed_json": EVERY,
    "refusal": EVERY,
    "empty_reply": EVERY,
}
"""Fault -> the prompts whose replies it makes useless, if it stays. Of faults that metrics meet
alike, as broken and truncated JSON, one stands here; `tests/models` tells them apart."""

AFFECTED = {**dict.fromkeys(FATAL, EVERY), "missing_item": COUNTED}
"""Fault -> the prompts whose replies it affects; nobody sees that a list of claims lacks one."""


def prompts_of(spec):
    """Return the names of the prompts that a metric is judged by."""
    metric = metric_of(spec)
    turns = [metric.metric] if isinstance(metric, TurnWise) else []
    parts = [*getattr(metric, "parts", ()), *turns]
    requests = [r for part in (metric, *parts) for r in getattr(part, "requests", ())]
    return {request.prompt.name for request in requests if request.prompt is not None}


JUDGED = {spec: prompts_of(spec) for spec in METRIC_SPECS if prompts_of(spec)}


@cache
def results_under(*faults, prompts=(*EVERY, *NUMBERED)):
    """Return the results of the metrics that one of the prompts judges, by spec.

    They are asked of a server with these faults.
    """
    specs = [spec for spec in JUDGED if JUDGED[spec] & set(prompts)]
    assert specs, "the fault concerns no metric"

    async def results(server):
        limit = Limit(16, timeout=60, retries=3)
        oracle = LLMOracle(llm_at(server), way="schema", limit=limit)

        async def result_of(spec):
            # A judge each: the replies to one metric must not help another.
            return await metric_of(spec, Judge(oracle)).result(samples_for(spec)[0])

        return dict(zip(specs, await asyncio.gather(*map(result_of, specs)), strict=True))

    with serving(*faults) as server:
        return asyncio.run(results(server))


@pytest.mark.parametrize("kind", FATAL)
def test_a_fault_that_passes_leaves_the_score_as_it_was(kind):
    sound = results_under()
    assert {spec: r.feedback for spec, r in sound.items() if r.status != "scored"} == {}
    healed = results_under(Fault(kind=kind, on=AFFECTED[kind]), prompts=AFFECTED[kind])
    changed = {
        spec: result.feedback
        for spec, result in healed.items()
        if (result.status, result.score) != ("scored", sound[spec].score)
    }
    assert changed == {}


@pytest.mark.parametrize("kind", [kind for kind in FATAL if FATAL[kind]])
def test_a_fault_that_stays_makes_a_failed_result_with_its_reason(kind):
    fault = Fault(kind=kind, mode="permanent", on=FATAL[kind])
    broken = results_under(fault, prompts=FATAL[kind])
    for spec, result in broken.items():
        assert (result.status, result.score) == ("failed", None), (spec, result.feedback)
        assert result.error_type in ("ReplyError", "CallError"), spec
        assert result.invalid_result, spec
        assert len(result.reason) > len(result.error_type) + 5, (spec, "it says what was wrong")


@pytest.mark.parametrize("kind", [kind for kind in FATAL if not FATAL[kind]])
def test_what_only_looks_faulty_is_read_as_it_was_meant(kind):
    read = results_under(Fault(kind=kind, mode="permanent"))
    assert {spec: r.score for spec, r in read.items()} == {
        spec: r.score for spec, r in results_under().items()
    }
