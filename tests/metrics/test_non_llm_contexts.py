import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.non_llm_contexts import NonLlmContextPrecision, NonLlmContextRecall


async def score(metric, **fields):
    return (await metric.result(SingleTurnSample(**fields))).score


async def test_contexts_are_the_same_from_the_cutoff_on():
    fields = {"contexts": ("Rain.", "Seinem", "Po"), "reference_contexts": ("Seine", "Elbe")}
    assert await score(NonLlmContextPrecision(), **fields) == 1 / 2  # at rank 2: 1/2
    assert await score(NonLlmContextRecall(), **fields) == 1 / 2  # one of two
    strict = 0.9  # Seine and Seinem: 5/6
    assert await score(NonLlmContextPrecision(cutoff=strict), **fields) == 0
    assert await score(NonLlmContextRecall(cutoff=strict), **fields) == 0


@pytest.mark.parametrize("settings", [{"algorithm": "guess"}, {"cutoff": 2.0}])
def test_settings_out_of_range_are_refused(settings):
    with pytest.raises(InputError):
        NonLlmContextRecall(**settings)
