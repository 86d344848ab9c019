"""Judge noise: the judge's part of a difference, told apart from the pipelines' by repetition."""

import math

import pytest

from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.decisions.repeats import judge_noise
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.models import ScriptedOracle
from tests.report.runs import run_of_scores


def judgings(*rows: list[float]) -> list:
    return [run_of_scores("r", {"m": row}) for row in rows]


def test_the_judge_s_part_is_what_moves_from_one_judging_to_the_next() -> None:
    # Differences by question: (1, 0), (0, 1), so each judging has the mean 1/2.
    # Within questions: (4 · 1/4) / 2 = 1/2, over 2 questions: 1/4. Of one judging: variance 1/2,
    # over 2 questions: 1/4. All of it is the judge.
    (found,) = judge_noise(judgings([0.0, 0.0], [0.0, 0.0]), judgings([1.0, 0.0], [0.0, 1.0]))
    assert found.differences == (1 / 2, 1 / 2)
    assert found.judge_deviation == math.sqrt(1 / 4)
    assert found.standard_error == math.sqrt(1 / 4)
    assert found.share == 1.0


def test_a_judge_that_says_the_same_again_has_no_part() -> None:
    (found,) = judge_noise(judgings([0.0, 0.0], [0.0, 0.0]), judgings([1.0, 0.5], [1.0, 0.5]))
    assert (found.judge_deviation, found.share) == (0.0, 0.0)


def test_questions_without_a_score_in_every_judging_are_left_out() -> None:
    (found,) = judge_noise(judgings([0.0, 0.0], [0.0, 0.0]), judgings([1.0, None], [1.0, 0.5]))
    assert (found.n, found.share, found.standard_error) == (1, None, None)


def test_one_judging_says_nothing_of_the_judge() -> None:
    with pytest.raises(InputError, match="2 or more; got 1 and 1"):
        judge_noise(judgings([0.0]), judgings([1.0]))


def test_a_comparison_of_answers_judged_twice_says_what_the_judge_moves() -> None:
    runs = {name: run_of_scores(name, {"m": [0.5] * 6}) for name in ("a", "b")}
    found = compare(runs, metrics=["exact_match"], judge=lambda number: ScriptedOracle(), repeats=2)
    (noise,) = found.pairs[0].noise
    assert (noise.repeats, noise.n, noise.judge_deviation) == (2, 6, 0.0)
    assert found.pairs[0].verdict[-1] == "Judged 2 times, no difference moved."
