"""Every metric through an LLM: the real client, our server on loopback, judgements by words."""

import pytest

from llamaindex_rag_eval.judge import Judge, SimilaritiesOf
from llamaindex_rag_eval.judge.similarity import VectorsOf
from llamaindex_rag_eval.metrics.registry import metric_of
from tests.contract.samples import COMPOSITES, METRIC_LABELS, PER_PART, samples_for
from tests.models.asking import oracle_at, serving

BY_EMBEDDING = (SimilaritiesOf, VectorsOf)
"""Asked of an embedding model, or of rules where there is none; never of the LLM."""


@pytest.fixture(scope="module")
def server():
    with serving() as running:
        yield running


@pytest.mark.parametrize("label", METRIC_LABELS)
async def test_a_metric_is_measured_with_one_call_for_each_judgement(server, label):
    oracle = oracle_at(server)
    metric = metric_of(label, Judge(oracle))
    assert metric.answerable()
    before = server.stats().calls
    result = await metric.result(samples_for(label)[0])
    calls = server.stats().calls - before
    assert result.status in ("scored", "undefined"), result.feedback
    if metric.name not in (*COMPOSITES, *PER_PART):
        asked = [request for request in metric.requests if request not in BY_EMBEDDING]
        assert calls == len(asked)
