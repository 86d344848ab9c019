from fractions import Fraction
from typing import Any

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.runs.resources import amounts_of, resource_text, resources_of


def answer(number: int, latency: float | None, **usage: Any) -> SingleTurnSample:
    row = {"id": str(number), "query": "?", "latency": latency, "metadata": {"usage": usage}}
    return SingleTurnSample.model_validate(row)


def test_time_tokens_and_cost_of_answers_have_means_intervals_and_quantiles():
    answers = [
        answer(n, float(n), prompt_tokens=10 * n, completion_tokens=n, cost=0.001, first_token=0.5)
        for n in range(1, 6)
    ]

    latency, first_token, tokens, cost = resources_of(answers)

    assert (latency.name, latency.unit, latency.answers) == ("latency", "s", 5)
    assert latency.mean == Fraction(1 + 2 + 3 + 4 + 5, 5)
    assert latency.median == 3
    assert latency.p95 == pytest.approx(4.8)  # of 5 ordered values at 0.95 · 4 = 3.8: 4 + 0.8
    assert latency.low is not None
    assert latency.high is not None
    assert 0 <= latency.low < 3 < latency.high
    assert first_token.mean == 0.5
    assert tokens.mean == Fraction(11 * (1 + 2 + 3 + 4 + 5), 5)
    assert cost.mean == pytest.approx(1)  # for 1,000 answers
    assert cost.sentence == "Cost: 1 $ for 1,000 on average, median 1, 95th percentile 1."


def test_failed_questions_and_what_is_no_amount_do_not_count():
    failed = SingleTurnSample(id="f", query="?", latency=0.01, error="it broke")
    strange = answer(2, None, prompt_tokens="many", cost=-1, first_token=True)

    assert amounts_of([failed, strange, answer(3, 2.0)]) == {"latency": {"3": 2.0}}


def test_what_nobody_knows_is_left_out():
    assert resources_of([SingleTurnSample(query="?")]) == ()
    [one] = resources_of([answer(1, 2.0)])
    assert (one.mean, one.low, one.high) == (2.0, None, None)


def test_amounts_keep_three_digits_that_count():
    assert [resource_text(amount) for amount in (None, 0.0, 12.345, 12345.6)] == [
        "–",
        "0",
        "12.3",
        "12,346",
    ]
    assert resource_text(1234.0, sign=True) == "+1,234"
