from fractions import Fraction

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import ClaimsOf, Judge
from llamaindex_rag_eval.metrics.factual_correctness import FactualCorrectness
from tests.metrics.judges import REFERENCE, oracle_of

SAMPLE = SingleTurnSample(query="q", response="res", reference=REFERENCE, contexts=("c", "d"))


@pytest.mark.parametrize(
    ("settings", "expected", "calls"),
    [
        ({"mode": "precision"}, Fraction(2, 3), 2),  # 2 of 3 claims of the response
        ({"mode": "recall"}, Fraction(1, 2), 2),  # 2 of 4 claims of the reference
        ({}, Fraction(4, 7), 4),  # 2 · 2/3 · 1/2 / (2/3 + 1/2)
        ({"beta": 2.0}, Fraction(10, 19), 4),  # 5 · 1/3 / (4 · 2/3 + 1/2)
    ],
)
async def test_factual_correctness_is_precision_recall_or_f_of_the_claims(
    settings, expected, calls
):
    oracle = oracle_of(
        ("a", "b", "c"),
        ("a", "b", "x", "y"),
        {("res", "ref"): "110", ("ref", "res"): "1100"},
    )
    result = await FactualCorrectness(Judge(oracle), **settings).result(SAMPLE)
    assert result.score == pytest.approx(float(expected))
    assert len(oracle.asked) == calls


async def test_the_granularity_is_part_of_what_is_asked():
    oracle = oracle_of(("a",), ("b",), {("res", "ref"): "1", ("ref", "res"): "1"})
    await FactualCorrectness(Judge(oracle), atomicity="low", coverage="low").result(SAMPLE)
    assert ClaimsOf(text="res", question="q", atomicity="low", coverage="low") in oracle.asked


@pytest.mark.parametrize(
    "settings", [{"mode": "f2"}, {"beta": -1.0}, {"atomicity": "some"}, {"coverage": ""}]
)
def test_factual_correctness_refuses_settings_it_does_not_know(settings):
    with pytest.raises(InputError, match=next(iter(settings))):
        FactualCorrectness(**settings)
