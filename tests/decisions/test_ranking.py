"""Ranking: ties are said, and changes from run to run are corrected for one another."""

import numpy as np

from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.decisions.comparisons import Comparisons
from llamaindex_rag_eval.decisions.decision import decide_pair
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores


def scored(name: str, mean: float, seed: int, **info: object) -> Run:
    """Return a run of yes and no, about as often yes as the mean says."""
    values = (np.random.default_rng(seed).random(60) < mean).astype(float).tolist()
    return run_of_scores(name, {"m": values}, info={"m": info})


def test_runs_that_cannot_be_told_apart_are_a_tie_above_the_one_that_they_beat() -> None:
    runs = [scored("low", 0.2, 1), scored("dense", 0.85, 2), scored("hybrid", 0.8, 3)]
    (ranking,) = Comparisons.of(runs).rankings
    first, second, third = ranking.runs
    assert {first, second} == {"dense", "hybrid"}
    assert (third, set(ranking.shown)) == ("low", {(first, third), (second, third)})
    assert ranking.sentence == (
        f"m: {first} and {second} are better than low; no other difference is shown."
    )
    assert compare({run.name: run for run in runs}).verdict[-1] == ranking.sentence


def test_of_alike_runs_nothing_is_said_but_that() -> None:
    runs = [scored(name, 0.5, seed) for seed, name in enumerate("abc")]
    (ranking,) = Comparisons.of(runs).rankings
    assert ranking.shown == ()
    assert ranking.sentence.endswith("cannot be told apart.")


def test_the_lowest_is_first_where_lower_is_better() -> None:
    means = {"high": 0.9, "low": 0.2, "middle": 0.5}
    runs = [scored(name, mean, 1, direction="lower") for name, mean in means.items()]
    (ranking,) = Comparisons.of(runs).rankings
    assert ranking.runs == ("low", "middle", "high")
    assert ("low", "high") in ranking.shown


def test_the_ranking_and_the_sentences_on_a_pair_say_the_same() -> None:
    for seed in range(8):
        runs = [scored(name, 0.5 + k / 8, 10 * seed + k) for k, name in enumerate("abcd")]
        compared = Comparisons.of(runs)
        (ranking,) = compared.rankings
        shown = {pair.names for pair in compared.pairs if pair.contrasts[0].finding == "better"}
        assert {names[::-1] for names in ranking.shown if "a" in names} >= shown
        for pair in compared.pairs:
            decided = decide_pair(pair).outcome == "better"
            assert decided == (pair.names in shown)


def test_two_runs_are_not_ranked_by_compare() -> None:
    runs = {name: scored(name, 0.5, seed) for seed, name in enumerate("ab")}
    assert not any("told apart" in sentence for sentence in compare(runs).verdict)
