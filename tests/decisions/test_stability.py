"""Stability: does the same judge say the same again?"""

from typing import Any

import pytest

from llamaindex_rag_eval import evaluate
from llamaindex_rag_eval.decisions.repeats import (
    flip_chance,
    judges_of,
    share_within,
    stability_of,
    within_square,
)
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import Claims, ClaimsOf, Support, SupportOf, SupportReply
from llamaindex_rag_eval.models import EmbeddedOracle, ScriptedOracle
from tests.report.runs import run_of_scores, sample


def judge_saying(supported: bool) -> ScriptedOracle:
    yes = Support(claim="c", verdict="supported", sources=(0,))
    no = Support(claim="c", verdict="not_mentioned")
    reply = SupportReply(verdicts=(yes if supported else no,))
    script: dict[Any, Any] = {ClaimsOf: Claims(claims=("c",)), SupportOf: reply}
    return ScriptedOracle(by_request=script)


def test_a_judge_that_changes_its_mind_is_measured_over_its_repetitions() -> None:
    judges = [judge_saying(number != 3) for number in range(1, 5)]
    samples = [sample("q0"), sample("q1")]
    runs = [evaluate(samples, metrics=["faithfulness"], judge=judge) for judge in judges]
    found = stability_of(runs)[0]
    # Three of four repetitions say yes: 2 · 3 · 1 / (4 · 3).
    assert found.flip_rate.value == 1 / 2
    assert found.means == (1, 1, 0, 1)
    assert found.spread == 1
    assert found.judge_share == 1


def test_runs_alike_are_stable() -> None:
    runs = [run_of_scores("r", {"m": [1.0, 0.25]}) for _ in range(3)]
    found = stability_of(runs)[0]
    assert (found.flip_rate.value, found.spread, found.judge_share) == (0, 0, 0)
    assert found.judge_deviation == 0


def test_the_judges_share_is_one_less_the_intraclass_correlation() -> None:
    # Ratings of four judges, Shrout and Fleiss (1979), table 2; they report ICC(1,1) = .17.
    ratings = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    share = share_within([[float(value) for value in row] for row in ratings])
    assert share == pytest.approx(1 - 0.17, abs=0.005)


def test_the_deviation_of_a_mean_is_that_of_single_scores_over_the_root_of_their_number() -> None:
    runs = [run_of_scores("r", {"m": [1.0, 0.5]}), run_of_scores("r", {"m": [0.5, 0.5]})]
    found = stability_of(runs)[0]
    # Within squares: (1/4)² + (1/4)² over 1 + 1 degrees is 1/16; √(1/16 / 2).
    assert found.judge_deviation == pytest.approx((1 / 32) ** 0.5)
    assert within_square([[1.0, 0.5], [0.5, 0.5]]) == 1 / 16


def test_a_sample_without_a_score_each_time_is_counted_apart() -> None:
    runs = [run_of_scores("r", {"m": [1.0, None]}), run_of_scores("r", {"m": [1.0, 1.0]})]
    found = stability_of(runs)[0]
    assert (found.n, found.incomplete) == (1, 1)


def test_without_any_score_there_is_nothing_to_say() -> None:
    found = stability_of([run_of_scores("r", {"m": [None]})] * 2)[0]
    assert (found.n, found.flip_rate.value, found.judge_share, found.spread) == (
        0,
        None,
        None,
        None,
    )


def test_flips_do_not_depend_on_how_often_one_asks() -> None:
    # Of a judge that says yes half the time, two answers differ half the time or a little more:
    # 2 · 1 · 1 / (2 · 1) of two, 2 · 50 · 50 / (100 · 99) of a hundred.
    assert flip_chance([True, False]) == 1
    assert flip_chance([True, False] * 50) == 50 / 99


def test_the_metrics_own_threshold_decides_what_flips() -> None:
    facts = {"m": {"threshold": 0.9}}
    runs = [run_of_scores("r", {"m": [v]}, info=facts) for v in (0.85, 0.95)]
    assert stability_of(runs)[0].flip_rate.value == 1


def test_rules_cannot_be_asked_again() -> None:
    with pytest.raises(InputError, match="always answers the same"):
        judges_of(EmbeddedOracle(), 2)


def test_one_repetition_is_an_error() -> None:
    with pytest.raises(InputError, match="two runs or more"):
        stability_of([])
