"""Ranking: ties are said, and changes from run to run are corrected for one another."""

import numpy as np

from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.decisions.comparisons import changes, rankings
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores, sample


def scored(name: str, mean: float, seed: int, **info: object) -> Run:
    """Return a run of yes and no, about as often yes as the mean says."""
    values = (np.random.default_rng(seed).random(60) < mean).astype(float).tolist()
    return run_of_scores(name, {"m": values}, info={"m": info})


def test_runs_that_cannot_be_told_apart_are_a_tie_above_the_one_that_they_beat() -> None:
    runs = [scored("low", 0.2, 1), scored("dense", 0.85, 2), scored("hybrid", 0.8, 3)]
    (ranking,) = rankings(runs)
    first, second, third = ranking.runs
    assert {first, second} == {"dense", "hybrid"}
    assert (third, set(ranking.shown)) == ("low", {(first, third), (second, third)})
    assert ranking.sentence == (
        f"m: {first} and {second} are better than low; {first} and {second} cannot be told apart."
    )
    assert compare({run.name: run for run in runs}).verdict[-1] == ranking.sentence


def test_of_alike_runs_nothing_is_said_but_that() -> None:
    runs = [scored(name, 0.5, seed) for seed, name in enumerate("abc")]
    (ranking,) = rankings(runs)
    assert ranking.shown == ()
    assert ranking.sentence.endswith("cannot be told apart.")


def test_the_lowest_is_first_where_lower_is_better() -> None:
    runs = [scored("high", 0.9, 1, direction="lower"), scored("low", 0.2, 2, direction="lower")]
    (ranking,) = rankings(runs)
    assert ranking.runs == ("low", "high")
    assert ranking.shown == (("low", "high"),)


def test_two_runs_are_not_ranked_by_compare() -> None:
    runs = {name: scored(name, 0.5, seed) for seed, name in enumerate("ab")}
    assert not any("told apart" in sentence for sentence in compare(runs).verdict)


def test_of_a_series_of_runs_the_real_change_is_named() -> None:
    series = [scored("1", 0.4, 1), scored("2", 0.45, 2), scored("3", 0.95, 3)]
    first, small, large = changes(series, "m")
    assert first is None
    assert small is not None
    assert large is not None
    assert (small.finding, large.finding) == ("no evidence", "better")
    assert small.family == large.family == 2


def test_runs_over_other_questions_are_not_compared() -> None:
    other = run_of_scores("b", {"m": [1.0]}, samples=[sample("x")])
    assert changes([scored("a", 0.5, 1), other], "m") == (None, None)
