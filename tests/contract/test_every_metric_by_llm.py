"""Every metric through an LLM: the real client, our server on loopback, judgements by words."""

from llamaindex_rag_eval.judge import Judge, SimilaritiesOf
from llamaindex_rag_eval.judge.similarity import VectorsOf
from llamaindex_rag_eval.metrics.registry import metric_of
from tests.contract.samples import COMPOSITES, METRIC_SPECS, PER_PART, samples_for
from tests.models.asking import oracle_at, serving

BY_EMBEDDING = (SimilaritiesOf, VectorsOf)
"""Asked of an embedding model, or of rules where there is none; never of the LLM."""


async def test_a_metric_is_measured_with_one_call_for_each_judgement():
    wrong = {}
    with serving() as server:
        for spec in METRIC_SPECS:
            metric = metric_of(spec, Judge(oracle_at(server)))
            before = server.stats().calls
            result = await metric.result(samples_for(spec)[0])
            calls = server.stats().calls - before
            expected = sum(request not in BY_EMBEDDING for request in metric.requests)
            counted = metric.name not in (*COMPOSITES, *PER_PART)
            if not metric.answerable() or result.status == "failed":
                wrong[spec] = result.feedback
            elif counted and calls != expected:
                wrong[spec] = f"{calls} calls instead of {expected}"
    assert wrong == {}
