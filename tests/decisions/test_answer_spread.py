"""Answer spread: how much answers to one question differ."""

import pytest

from llamaindex_rag_eval.data.repeats import repeated
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.decisions.repeats import answer_spread, share_within, within_square
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores, sample


def run_of_answers(*scores: float | None) -> Run:
    """Return a run of two answers to each of two questions."""
    asked = [
        one for one in repeated([sample("a"), sample("b")], 2) if isinstance(one, SingleTurnSample)
    ]
    return run_of_scores("r", {"m": scores}, samples=asked)


def test_the_variance_between_answers_is_that_about_the_mean_of_their_question() -> None:
    (found,) = answer_spread(run_of_answers(1.0, 0.5, 0.5, 0.5))
    # W = (1/4² + 1/4²) / 2 = 1/16; B = 2 · (1/8² + 1/8²) = 1/16: share = W / (W + 0)
    assert found.deviation == 1 / 4
    assert (found.share, found.questions, found.answers) == (1, 2, 2)
    assert found.sentence == (
        "m: 2 answers to one question differ by ±0.250, 100% of the variance of scores "
        "(the judge's part with it)."
    )


def test_the_share_is_one_less_the_intraclass_correlation() -> None:
    # Ratings of four judges, Shrout and Fleiss (1979), table 2; they report ICC(1,1) = .17.
    ratings = [[9, 2, 5, 8], [6, 1, 3, 2], [8, 4, 6, 8], [7, 1, 2, 6], [10, 5, 6, 9], [6, 2, 4, 7]]
    share = share_within([[float(value) for value in row] for row in ratings])
    assert share == pytest.approx(1 - 0.17, abs=0.005)
    assert within_square([[1.0, 0.5], [0.5, 0.5]]) == 1 / 16


def test_questions_that_lack_a_score_and_runs_without_repeats_are_left_out() -> None:
    (found,) = answer_spread(run_of_answers(1.0, None, 0.5, 1.0))
    assert (found.questions, found.share) == (1, None)
    assert answer_spread(run_of_scores("r", {"m": [1.0, 0.5]})) == ()


def test_a_question_is_asked_once_or_more() -> None:
    with pytest.raises(InputError, match="repeats is 0"):
        repeated([sample("a")], 0)
    assert repeated([sample("a")], 1) == [sample("a")]
