from fractions import Fraction

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import (
    Claims,
    ClaimsOf,
    Judge,
    Similarities,
    SimilaritiesOf,
    SupportOf,
)
from llamaindex_rag_eval.metrics.answer_correctness import AnswerCorrectness
from llamaindex_rag_eval.models import ScriptedOracle
from tests.metrics.judges import REFERENCE, supported


async def score(metric, **fields):
    return (await metric.result(SingleTurnSample(**fields))).score


def correctness_oracle(similarity):
    return ScriptedOracle(
        by_request={
            ClaimsOf(text="r", question="q"): Claims(claims=("both", "made up")),
            ClaimsOf(text=REFERENCE, question="q"): Claims(claims=("both", "left out")),
            SupportOf(
                claims=("both", "made up"), sources=(REFERENCE,), question="q", answers=True
            ): supported(True, False),
            SupportOf(
                claims=("both", "left out"), sources=("r",), question="q", answers=True
            ): supported(True, False),
            SimilaritiesOf: Similarities(values=(similarity,)),
        }
    )


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({"weights": (1.0, 0.0)}, Fraction(1, 2)),  # TP 1, FP 1, FN 1: 1 / (1 + .5·2)
        ({}, Fraction(5, 8)),  # 3/4 · 1/2 + 1/4 · 1
        ({"weights": (0.0, 1.0)}, Fraction(1)),
        ({"weights": (3.0, 1.0)}, Fraction(5, 8)),  # weights are relative
        ({"threshold": 0.6}, Fraction(1)),
        ({"threshold": 0.7}, Fraction(0)),
    ],
)
async def test_answer_correctness_weighs_the_claims_and_the_similarity(settings, expected):
    metric = AnswerCorrectness(correctness_oracle(1.0), **settings)
    sample = {"query": "q", "response": "r", "reference": REFERENCE}
    assert await score(metric, **sample) == float(expected)


async def test_a_similarity_below_zero_counts_as_zero_in_answer_correctness():
    metric = AnswerCorrectness(correctness_oracle(-1.0))
    sample = {"query": "q", "response": "r", "reference": REFERENCE}
    assert await score(metric, **sample) == 3 / 8  # 3/4 · 1/2 + 1/4 · 0


async def test_a_part_of_weight_zero_is_not_asked_for():
    oracle = correctness_oracle(1.0)
    metric = AnswerCorrectness(Judge(oracle), weights=(0.0, 1.0))
    await score(metric, query="q", response="r", reference=REFERENCE)
    assert oracle.asked == [SimilaritiesOf(text=REFERENCE, others=("r",))]


def test_a_threshold_that_rounds_is_part_of_the_label():
    assert AnswerCorrectness(threshold=0.5).spec == "answer_correctness(threshold=0.5)"


@pytest.mark.parametrize("weights", [(0.0, 0.0), (-1.0, 2.0), (1.0,)])
def test_weights_that_cannot_weigh_are_refused(weights):
    with pytest.raises(InputError, match="weights"):
        AnswerCorrectness(weights=weights)


async def test_changing_only_the_threshold_asks_nothing_again():
    oracle = correctness_oracle(1.0)
    sample = SingleTurnSample(query="q", response="r", reference=REFERENCE)
    lenient = AnswerCorrectness(oracle)
    await lenient.result(sample)
    asked = len(oracle.asked)
    await AnswerCorrectness(lenient.judge, threshold=0.9).result(sample)
    assert len(oracle.asked) == asked
