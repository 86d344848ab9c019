"""Comparison: what two runs show, in sentences and as data."""

import json

import pytest

from llamaindex_rag_eval.decisions.comparison import Comparison
from tests.report.runs import run_of_scores


def test_the_verdict_says_what_is_better_and_what_could_not_be_shown() -> None:
    mixed = [0.0, 1.0, 0.5, 0.25, 0.75, 0.5, 0.0, 1.0, 0.5, 0.5]
    a = run_of_scores("a", {"up": [0.0] * 10, "down": [1.0] * 10, "same": [0.5] * 10, "m": mixed})
    b = run_of_scores(
        "b", {"up": [1.0] * 10, "down": [0.0] * 10, "same": [0.5] * 10, "m": mixed[::-1]}
    )
    first, *rest = Comparison.of(a, b).verdict
    # 2 / 2**10 = 0.00195, over .8 for the metric that decides. Its interval at 1 - .04 is Wilson's
    # of ten of ten at t = 2.4 with 9 degrees of freedom.
    assert first == "b is better than a on up (+1.000); worse on down (−1.000)."
    assert rest == ["On m, the difference may be chance.", "No score differs on same."]


def test_the_verdict_warns_where_missing_scores_could_turn_it_around() -> None:
    a = run_of_scores("a", {"m": [0.0] * 8 + [0.5] * 16})
    b = run_of_scores("b", {"m": [1.0] * 8 + [None] * 16})
    comparison = Comparison.of(a, b)
    assert comparison.contrasts[0].finding == "better"
    assert comparison.verdict[-1] == "Missing scores could reverse the result on m."


def test_without_any_pair_nothing_is_claimed() -> None:
    comparison = Comparison.of(run_of_scores("a", {"m": [None]}), run_of_scores("b", {"m": [0.5]}))
    found = comparison.contrasts[0]
    assert (found.mean_a, found.difference, found.p_adjusted) == (None, None, None)
    assert comparison.verdict == (
        "No question has a score in both runs of m.",
        "1 answer of a has no score of m: there was nothing to score.",
    )


def test_a_comparison_is_plain_data_for_scripts() -> None:
    a, b = (run_of_scores(name, {"m": [0.5, 0.25]}) for name in "ab")
    data = json.loads(json.dumps(Comparison.of(a, b).as_json(), allow_nan=False))
    assert data["metrics"][0]["difference"] == 0


@pytest.mark.parametrize(
    ("n", "sentence"),
    [
        (2, "Too few questions or documents to tell a rise or a fall from chance on m."),
        (5, "Too few questions or documents to tell a rise or a fall from chance on m."),
        (6, "On m, the difference may be chance."),
        (7, "On m, the difference may be chance."),
    ],
)
def test_fewer_than_six_questions_are_too_few_to_tell(n: int, sentence: str) -> None:
    # If all of n change alike, the sign test has p = 2 / 2**n: 2 / 2**5 is above .05, 2 / 2**6 not.
    gaps = [0.25 if number % 2 else -0.5 for number in range(n)]
    a = run_of_scores("a", {"m": [0.5] * n})
    b = run_of_scores("b", {"m": [0.5 + gap for gap in gaps]})
    comparison = Comparison.of(a, b)
    assert comparison.contrasts[0].finding == ("no evidence" if n > 5 else "too few questions")
    assert comparison.verdict[-1] == sentence


def test_a_family_of_named_metrics_is_corrected_for_them_alone() -> None:
    # 8 gaps of 1: p = 2 / 2**8, times the number of metrics that are compared.
    a = run_of_scores("a", {name: [0.0] * 8 for name in "klm"})
    b = run_of_scores("b", {name: [1.0] * 8 for name in "klm"})
    (one,) = Comparison.of(a, b, metrics=["l"]).contrasts
    assert (one.metric.spec, one.p_adjusted) == ("l", 2 / 2**8)
    assert [c.p_adjusted for c in Comparison.of(a, b).contrasts] == [2 / 2**8 / 0.8] * 3
