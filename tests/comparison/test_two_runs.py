"""Comparison: paired by question, with what is missing counted and what is said made sure of."""

import json
from fractions import Fraction

import pytest

from llamaindex_rag_eval.comparison.compare import compare
from llamaindex_rag_eval.comparison.contrast import Contrast
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores, sample


def contrast_of(a: Run, b: Run, metric: str = "m", **options: bool) -> Contrast:
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


def test_questions_are_paired_by_id_whatever_their_order() -> None:
    first, second = sample("one"), sample("two")
    a = run_of_scores("a", {"m": [0.0, 1.0]}, samples=[first, second])
    b = run_of_scores("b", {"m": [1.0, 0.0]}, samples=[second, first])
    assert [pair.gap for pair in contrast_of(a, b).pairs] == [0.0, 0.0]


def test_p_values_are_exact_sign_flips_corrected_by_holm() -> None:
    # m: 3 gaps of 1 -> 2 of 2**3 signs are as far out: p = 1/4. k: no gap: p = 1.
    # Holm over two: the smaller times two = 1/2, the larger stays 1.
    a = run_of_scores("a", {"m": [0.0] * 3, "k": [0.5] * 3})
    b = run_of_scores("b", {"m": [1.0] * 3, "k": [0.5] * 3})
    m, k = compare(a, b).contrasts
    assert (m.p_value, m.p_adjusted) == (1 / 4, 1 / 2)
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


def test_questions_of_one_run_alone_are_left_out_and_said_so() -> None:
    a = run_of_scores("a", {"m": [0.5, 0.5]})
    b = run_of_scores("b", {"m": [0.5, 0.5, 0.5]})
    comparison = compare(a, b)
    assert comparison.pairing.only_b == ("q2",)
    assert comparison.notes == (
        "1 question left out: only 'b' has.",
        "The runs are over different golden sets: 2 questions in both.",
    )


def test_another_right_answer_to_the_same_question_is_said() -> None:
    a = run_of_scores("a", {"m": [0.5, 0.5]})
    other = [sample("q0"), sample("q1", reference="On the right shelf.")]
    b = run_of_scores("b", {"m": [0.5, 0.5]}, samples=other)
    assert compare(a, b).notes == ("1 compared questions have another reference in 'b'.",)


def test_one_id_with_two_questions_is_not_compared() -> None:
    a = run_of_scores("a", {"m": [0.5, 0.5]})
    other = [sample("q0"), sample("q1", query="Something else?")]
    b = run_of_scores("b", {"m": [1.0, 1.0]}, samples=other)
    comparison = compare(a, b)
    assert comparison.pairing.differing == ("q1",)
    assert comparison.contrasts[0].n == 1


def test_runs_without_a_common_question_or_metric_are_refused() -> None:
    a = run_of_scores("a", {"m": [0.5]})
    with pytest.raises(InputError, match="no question in common"):
        compare(a, run_of_scores("b", {"m": [0.5]}, samples=[sample("z")]))
    with pytest.raises(InputError, match="no metric in common"):
        compare(a, run_of_scores("b", {"k": [0.5]}))


def test_names_that_do_not_tell_the_runs_apart_become_letters() -> None:
    a, b = (run_of_scores("same", {"m": [score]}) for score in (0.0, 1.0))
    assert compare(a, b).names == ("A", "B")


def test_kinds_of_questions_are_compared_one_by_one() -> None:
    kinds = [sample(f"q{n}", metadata={"type": "table" if n < 2 else "prose"}) for n in range(4)]
    a = run_of_scores("a", {"m": [0.0, 0.0, 1.0, 1.0]}, samples=kinds)
    b = run_of_scores("b", {"m": [0.5, 1.0, 1.0, 1.0]}, samples=kinds)
    prose, table = compare(a, b).slices
    assert (prose.value, prose.n, prose.contrasts[0].difference) == ("prose", 2, 0.0)
    assert (table.value, table.n, table.contrasts[0].difference) == ("table", 2, 0.75)


def test_a_key_with_one_value_or_with_a_value_for_each_question_makes_no_slices() -> None:
    many = [sample(f"q{n}", metadata={"type": "t", "topic": f"topic {n}"}) for n in range(20)]
    a, b = (run_of_scores(name, {"m": [0.5] * 20}, samples=many) for name in "ab")
    assert compare(a, b).slices == ()


def test_questions_on_one_document_can_count_as_one_draw() -> None:
    gold = [[{"doc_id": "d", "start": 0, "end": 3, "quote": "abc"}]]
    same = [sample(f"q{n}", gold=gold) for n in range(6)]
    a = run_of_scores("a", {"m": [0.0] * 6}, samples=same)
    b = run_of_scores("b", {"m": [1.0] * 6}, samples=same)
    # One group: it turns around as a whole, so both signs are as far out.
    assert contrast_of(a, b, clusters=True).p_value == 1.0
    assert contrast_of(a, b).p_value == 2 / 2**6


def test_the_verdict_says_what_is_better_and_what_could_not_be_shown() -> None:
    mixed = [0.0, 1.0, 0.5, 0.25, 0.75, 0.5, 0.0, 1.0, 0.5, 0.5]
    a = run_of_scores("a", {"up": [0.0] * 10, "down": [1.0] * 10, "same": [0.5] * 10, "m": mixed})
    b = run_of_scores(
        "b", {"up": [1.0] * 10, "down": [0.0] * 10, "same": [0.5] * 10, "m": mixed[::-1]}
    )
    first, *rest = compare(a, b).verdict
    # 2 / 2**10 = 0.00195, times four metrics
    assert first.startswith(
        "b is better than a on up (+1.000, 95% CI +1.000 to +1.000, Holm p 0.00"
    )
    assert "; worse on down (-1.000" in first
    assert any("No evidence of a difference on m (10 questions can show" in s for s in rest)
    assert "The same score on every question: same." in rest


def test_the_verdict_warns_where_missing_scores_could_turn_it_around() -> None:
    a = run_of_scores("a", {"m": [0.0] * 8 + [0.5] * 16})
    b = run_of_scores("b", {"m": [1.0] * 8 + [None] * 16})
    comparison = compare(a, b)
    assert comparison.contrasts[0].finding == "better"
    assert comparison.verdict[-1] == "Missing scores could turn this around on m."


def test_the_questions_that_changed_most_come_first_and_ties_not_at_all() -> None:
    a = run_of_scores("a", {"m": [0.5, 0.5, 0.5]})
    b = run_of_scores("b", {"m": [0.75, 0.5, 0.0]})
    assert [pair.sample_id for pair in contrast_of(a, b).changed_most()] == ["q2", "q0"]


def test_without_any_pair_nothing_is_claimed() -> None:
    comparison = compare(run_of_scores("a", {"m": [None]}), run_of_scores("b", {"m": [0.5]}))
    found = comparison.contrasts[0]
    assert (found.mean_a, found.difference, found.p_adjusted) == (None, None, None)
    assert comparison.verdict == ("Not comparable, for no question has both scores: m.",)


def test_a_comparison_is_plain_data_for_scripts() -> None:
    a, b = (run_of_scores(name, {"m": [0.5, 0.25]}) for name in "ab")
    data = json.loads(json.dumps(compare(a, b).as_json(), allow_nan=False))
    assert data["metrics"][0]["difference"] == 0
