"""Contrast: the difference of one metric, its interval, p-value and bounds."""

from fractions import Fraction

import pytest

from llamaindex_rag_eval.decisions.compare import compare
from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.runs.clusters import Clustering
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores, sample


def contrast_of(a: Run, b: Run, metric: str = "m", **options: Clustering) -> Contrast:
    found = compare(a, b, **options).contrast(metric)
    assert found is not None
    return found


def test_the_difference_is_the_second_run_minus_the_first_over_the_same_questions() -> None:
    a = run_of_scores("a", {"m": [0.25, 0.5, 1.0]})
    b = run_of_scores("b", {"m": [0.5, 1.0, 0.75]})
    found = contrast_of(a, b)
    # (1/4 + 1/2 - 1/4) / 3
    assert found.difference == pytest.approx(float(Fraction(1, 6)))
    assert (found.wins, found.ties, found.losses) == (2, 0, 1)
    assert found.n == 3


def test_the_metric_that_decides_pays_a_quarter_more_for_another() -> None:
    # m: 3 gaps of 1 are as the sign test has it: 2 / 2**3 = 1/4. k: no gap: p = 1.
    # m decides: 1/4 over .8; k stays 1.
    a = run_of_scores("a", {"m": [0.0] * 3, "k": [0.5] * 3})
    b = run_of_scores("b", {"m": [1.0] * 3, "k": [0.5] * 3})
    m, k = compare(a, b).contrasts
    assert (m.p_value, m.p_adjusted) == (1 / 4, 1 / 4 / 0.8)
    assert (k.p_value, k.p_adjusted) == (1.0, 1.0)


def test_less_is_better_where_the_metric_says_so() -> None:
    facts = {"m": {"direction": "lower"}}
    a = run_of_scores("a", {"m": [0.75] * 8}, info=facts)
    b = run_of_scores("b", {"m": [0.25] * 8}, info=facts)
    found = contrast_of(a, b)
    assert (found.finding, found.wins, found.losses) == ("better", 8, 0)
    assert found.difference == -0.5


def test_a_metric_without_a_better_direction_is_only_different() -> None:
    facts = {"m": {"direction": "neither"}}
    a = run_of_scores("a", {"m": [0.0] * 8}, info=facts)
    b = run_of_scores("b", {"m": [1.0] * 8}, info=facts)
    assert contrast_of(a, b).finding == "different"


def test_missing_scores_are_counted_on_their_side_and_bound_what_is_open() -> None:
    a = run_of_scores("a", {"m": [0.5, 0.5, None, 0.5]}, failed=[("q2", "m")])
    b = run_of_scores("b", {"m": [1.0, 1.0, 0.5, None]})
    found = contrast_of(a, b)
    assert (found.n, found.missing_a, found.missing_b) == (2, 1, 1)
    # least: 1/2 + 1/2 + (1/2 - 1) + (0 - 1/2) = 0; greatest: 1/2 + 1/2 + 1/2 + 1/2 = 2; of 4
    assert found.bounds == (0.0, 0.5)


def test_a_question_that_is_undefined_in_both_runs_is_not_missing() -> None:
    a = run_of_scores("a", {"m": [0.5, None]})
    b = run_of_scores("b", {"m": [0.75, None]})
    found = contrast_of(a, b)
    assert (found.missing_a, found.missing_b, found.not_applicable) == (0, 0, 1)
    assert found.bounds == (0.25, 0.25)


def test_a_failure_in_both_runs_is_missing_in_both() -> None:
    found = contrast_of(
        run_of_scores("a", {"m": [0.5, None]}, failed=[("q1", "m")]),
        run_of_scores("b", {"m": [0.5, None]}, failed=[("q1", "m")]),
    )
    assert (found.missing_a, found.missing_b, found.not_applicable) == (1, 1, 0)
    # ((1/2 - 1/2) + (0 - 1)) / 2 and the other way round
    assert found.bounds == (-0.5, 0.5)


def test_a_metric_without_bounds_leaves_the_difference_unbounded() -> None:
    facts = {"m": {"bounds": (0.0, float("inf"))}}
    found = contrast_of(
        run_of_scores("a", {"m": [1.0, None]}, info=facts),
        run_of_scores("b", {"m": [1.0, 2.0]}, info=facts),
    )
    assert found.bounds is None


def test_questions_on_one_document_count_as_one_draw() -> None:
    four = [sample(f"q{n}", gold=[[span(f"d{n // 3}")]]) for n in range(12)]
    scores = [0.9, 0.9, 0.9, 0.2, 0.2, 0.2, 0.8, 0.8, 0.8, 0.4, 0.4, 0.4]
    a = run_of_scores("a", {"m": [0.1] * 12}, samples=four)
    b = run_of_scores("b", {"m": scores}, samples=four)
    together, alone = contrast_of(a, b), contrast_of(a, b, clusters="none")
    assert alone.p_value is not None
    assert together.p_value is not None
    assert alone.p_value < 0.01
    assert together.p_value > 0.05
    assert together.icc is not None
    assert together.icc > 0.3
    assert together.estimate.clusters == 4
    assert alone.icc is None
    assert compare(a, b, clusters="none").notes == ()
    assert (
        compare(a, b)
        .notes[0]
        .startswith("The 12 questions are about 4 documents, and those about one document tend")
    )


def test_a_question_on_two_documents_does_not_make_them_one() -> None:
    crossed = [
        sample(f"q{n}", gold=[[span(f"d{n % 10}"), *([span(f"d{n % 10 + 1}")] if n < 10 else [])]])
        for n in range(40)
    ]
    a = run_of_scores("a", {"m": [0.0, 0.5] * 20}, samples=crossed)
    b = run_of_scores("b", {"m": [0.5, 0.5] * 20}, samples=crossed)
    found = contrast_of(a, b)
    assert found.estimate.clusters == 11
    assert found.finding == "better"


def span(document: str) -> dict[str, object]:
    return {"doc_id": document, "start": 0, "end": 3, "quote": "abc"}


def test_a_question_is_won_or_lost_by_more_than_a_twentieth_of_the_range() -> None:
    a = run_of_scores("a", {"m": [0.5, 0.5, 0.5, 0.5]})
    b = run_of_scores("b", {"m": [0.55, 0.56, 0.45, 0.4]})
    found = contrast_of(a, b)
    assert (found.wins, found.ties, found.losses) == (1, 2, 1)
    assert not found.alike


def test_where_no_answer_changed_there_is_no_interval() -> None:
    asked = [sample(f"q{n}") for n in range(8)]
    a, b = (run_of_scores(name, {"m": [0.5] * 8}, samples=asked) for name in "ab")
    found = contrast_of(a, b)
    assert (found.unchanged, found.alike, found.interval) == (True, True, None)
    others = [one.model_copy(update={"response": "Another."}) for one in asked]
    changed = contrast_of(a, run_of_scores("b", {"m": [0.5] * 8}, samples=others))
    assert (changed.unchanged, changed.alike) == (False, True)
    assert changed.interval is not None
