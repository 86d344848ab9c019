"""Which samples to label next."""

from collections.abc import Iterable

import pytest

from llamaindex_rag_eval.decisions.label_sheet import label_next
from llamaindex_rag_eval.decisions.labels import HumanLabel
from llamaindex_rag_eval.errors import InputError
from tests.report.runs import run_of_scores

FORTY = run_of_scores("r", {"m": [0.1] * 30 + [0.9] * 10})


def numbers(chosen: Iterable[str]) -> list[int]:
    return sorted(int(key[1:]) for key in chosen)


def test_the_same_seed_chooses_the_same_and_another_seed_another() -> None:
    first = label_next(FORTY, "m", count=8, seed=1)
    assert label_next(FORTY, "m", count=8, seed=1) == first
    assert numbers(label_next(FORTY, "m", count=8, seed=2)) != numbers(first)


def test_a_sample_drawn_at_random_is_not_chosen_again() -> None:
    done = [HumanLabel(f"q{number}", "m", 1.0) for number in range(35)]
    assert numbers(label_next(FORTY, "m", count=50, labels=done)) == [35, 36, 37, 38, 39]


@pytest.mark.parametrize(
    ("count", "labelled", "drawn"),
    # 20 at random, or all; then half; 5 are lacking where 15 are labelled at random.
    [(30, 0, 20), (10, 0, 10), (40, 0, 20), (20, 15, 10), (8, 15, 5), (10, 30, 5)],
)
def test_as_many_are_drawn_at_random_as_a_corrected_mean_takes(
    count: int, labelled: int, drawn: int
) -> None:
    done = [HumanLabel(f"q{number}", "m", 1.0) for number in range(labelled)]
    chosen = label_next(FORTY, "m", count=count, labels=done)
    assert [*chosen.values()].count("random") == drawn


def test_a_doubtful_sample_may_be_drawn_at_random_later() -> None:
    done = [HumanLabel(f"q{number}", "m", 0.25, "doubtful") for number in range(40)]
    chosen = label_next(FORTY, "m", count=4, labels=done, doubtful=0.5)
    # Two of four at random; nothing is left to doubt.
    assert [*chosen.values()] == ["random"] * 2


def test_where_other_metrics_rank_otherwise_it_is_doubtful() -> None:
    # q0 is the best by `m` and by far the worst by both others.
    run = run_of_scores(
        "r", {"m": [1.0, 0.8, 0.6, 0.4], "x": [0, 3, 2, 1], "y": [0, 0.9, 0.7, 0.5]}
    )
    chosen = label_next(run, "m", count=1, doubtful=1.0)
    assert [*chosen] == ["q0"]


def test_lower_is_better_is_no_disagreement() -> None:
    facts = {"bad": {"direction": "lower"}}
    run = run_of_scores("r", {"good": [1, 0.5, 0, 0.2], "bad": [0, 0.4, 1, 0.3]}, info=facts)
    assert [*label_next(run, "good", count=1, doubtful=1.0)] in (["q1"], ["q3"])


def test_a_single_metric_is_doubtful_near_its_threshold() -> None:
    run = run_of_scores("r", {"m": [0.0, 0.45, 1.0]})
    chosen = label_next(run, "m", count=1, doubtful=1.0)
    assert [*chosen] == ["q1"]


def test_an_unknown_metric_or_an_impossible_count_is_an_error() -> None:
    with pytest.raises(InputError, match="no bounded metric 'n'; it has 'm'"):
        label_next(FORTY, "n")
    with pytest.raises(InputError, match="count is 0"):
        label_next(FORTY, "m", count=0)
