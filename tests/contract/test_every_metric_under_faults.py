"""Every metric through an LLM whose replies are faulty: healed where one can, failed where not.

A fault that passes leaves the score as it was; one that stays makes a failed result with its
reason, never an undefined one and never a number.
"""

import asyncio
from functools import cache

import pytest

from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metrics.registry import metric_of
from tests.contract.samples import METRIC_LABELS, samples_for
from tests.models.asking import oracle_at, serving
from tests.server import Fault

COUNTED = ("support", "relevance", "questions", "entities", "topics")
"""Prompts whose replies must have an entry for each thing asked about."""

NUMBERED = ("support", "relevance", "entities", "topics", "relevant_sentences")
"""Prompts whose replies name things by number."""

EVERY = (*COUNTED, "relevant_sentences", "claims", "critique", "grade", "preference")
EVERY = (*EVERY, "intentions", "steps")

FATAL = {
    "missing_item": COUNTED,
    "extra_item": COUNTED,
    "out_of_range": NUMBERED,
    "prose_around": (),
    "code_fence": (),
    "trailing_comma": (),
    "malformed_json": EVERY,
    "truncated_json": EVERY,
    "refusal": EVERY,
    "refusal_text": EVERY,
    "empty_reply": EVERY,
}
"""Fault -> the prompts whose replies it makes useless, if it stays."""

BEFALLEN = {**dict.fromkeys(FATAL, EVERY), "missing_item": COUNTED}
"""Fault -> the prompts it befalls. A list of claims that lacks one cannot be told from a whole."""


def prompts_of(label):
    """Return the names of the prompts that a metric of this label is judged by."""
    metric = metric_of(label)
    parts = [*getattr(metric, "parts", ()), *([metric.metric] if "turn_wise" in label else [])]
    requests = [r for part in (metric, *parts) for r in getattr(part, "requests", ())]
    return {request.prompt.name for request in requests if request.prompt is not None}


JUDGED = {label: prompts_of(label) for label in METRIC_LABELS if prompts_of(label)}


@cache
def results_under(*faults):
    """Return the result of every metric, by label, from a server with these faults."""

    async def measured(server):
        async def one(label):
            # A judge each: what one metric's judge was told must not help another's.
            metric = metric_of(label, Judge(oracle_at(server)))
            return label, await metric.result(samples_for(label)[0])

        return dict(await asyncio.gather(*(one(label) for label in JUDGED)))

    with serving(*faults) as server:
        return asyncio.run(measured(server))


def cases(befallen):
    pairs = [(label, kind) for kind in FATAL for label in JUDGED if befallen(label, kind)]
    return pytest.mark.parametrize(("label", "kind"), pairs)


@cases(lambda label, kind: JUDGED[label] & set(BEFALLEN[kind]))
def test_a_fault_that_passes_leaves_the_score_as_it_was(label, kind):
    sound = results_under()[label]
    assert sound.status == "scored", sound.feedback
    healed = results_under(Fault(kind=kind, on=BEFALLEN[kind]))[label]
    assert (healed.status, healed.score) == ("scored", sound.score), healed.feedback


@cases(lambda label, kind: JUDGED[label] & set(FATAL[kind]))
def test_a_fault_that_stays_makes_a_failed_result_with_its_reason(label, kind):
    broken = results_under(Fault(kind=kind, mode="permanent", on=FATAL[kind]))[label]
    assert (broken.status, broken.score) == ("failed", None), broken.feedback
    assert broken.error_type in ("ReplyError", "CallError")
    assert broken.invalid_result
    assert len(broken.reason) > len(broken.error_type) + 5, "it says what was wrong"


@cases(lambda label, kind: not FATAL[kind])
def test_what_only_looks_faulty_is_read_as_it_was_meant(label, kind):
    read = results_under(Fault(kind=kind, mode="permanent"))[label]
    assert read.score == results_under()[label].score
