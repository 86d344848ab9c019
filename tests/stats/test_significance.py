import itertools

import numpy as np
import pytest
from scipy import stats

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats import (
    benjamini_hochberg,
    holm,
    mcnemar_exact,
    paired_permutation,
)

GENERATOR = np.random.default_rng(4)
LEFT = GENERATOR.beta(4, 1, 40).round(2).tolist()
RIGHT = (np.array(LEFT) - GENERATOR.normal(0.03, 0.1, 40)).round(2).tolist()


def test_few_pairs_are_tested_exactly():
    gaps = [0.5, -0.25, 0.75, 1.0]
    # totals of all 16 signs at least as far from 0 as 2
    totals = [sum(np.multiply(gaps, signs)) for signs in itertools.product((1, -1), repeat=4)]
    expected = sum(abs(total) >= 2 for total in totals) / 16
    test = paired_permutation(gaps, [0.0] * 4)
    assert (test.exact, test.p_value, test.difference, test.n) == (True, expected, 0.5, 4)


def test_exact_permutation_equals_scipy():
    expected = stats.permutation_test(
        (LEFT[:12], RIGHT[:12]),
        lambda a, b: np.mean(a - b),
        permutation_type="samples",
        n_resamples=np.inf,
    )
    assert paired_permutation(LEFT[:12], RIGHT[:12]).p_value == pytest.approx(expected.pvalue)


def test_drawn_permutation_is_near_the_t_test_and_follows_its_seed():
    test = paired_permutation(LEFT, RIGHT, seed=1)
    assert not test.exact
    shifted = (np.array(RIGHT) + 0.03).tolist()
    near = paired_permutation(LEFT, shifted).p_value
    assert 0.1 < near < 0.9
    assert near == pytest.approx(stats.ttest_rel(LEFT, shifted).pvalue, abs=0.03)
    assert paired_permutation(LEFT, RIGHT, seed=1) == test
    assert paired_permutation(LEFT, RIGHT, seed=2) != test


def test_a_drawn_p_value_is_never_zero():
    test = paired_permutation([1.0] * 60, [0.0] * 60, resamples=99)
    assert test.p_value == 1 / 100


def test_the_test_is_two_sided():
    forth, back = paired_permutation(LEFT, RIGHT), paired_permutation(RIGHT, LEFT)
    assert forth.difference == pytest.approx(-back.difference)
    assert forth.p_value == back.p_value


def test_equal_pipelines_have_p_one_and_no_pairs_no_test():
    assert paired_permutation([0.5] * 30, [0.5] * 30).p_value == 1.0
    assert paired_permutation([], []) is None


def test_totals_that_tie_on_paper_tie_in_floating_point():
    # 0.1 + 0.2 - 0.3 is 0 on paper; every sign then gives at least 0
    assert paired_permutation([0.1, 0.2, -0.3], [0.0] * 3).p_value == 1.0


def test_a_group_of_questions_changes_sign_as_a_whole():
    # Two groups: 2 of 4 signs reach the total; taken one by one 2 of 64 would
    test = paired_permutation([1.0] * 6, [0.0] * 6, groups=[1, 1, 1, 2, 2, 2])
    assert test.p_value == 1 / 2
    assert paired_permutation([1.0] * 6, [0.0] * 6).p_value == 1 / 32


@pytest.mark.parametrize(("only_left", "only_right"), [(5, 0), (3, 2), (1, 9), (4, 4)])
def test_mcnemar_is_the_binomial_test_of_the_questions_that_differ(only_left, only_right):
    left = [True] * only_left + [False] * only_right + [True, False, True]
    right = [False] * only_left + [True] * only_right + [True, False, True]
    test = mcnemar_exact(left, right)
    expected = stats.binomtest(only_left, only_left + only_right).pvalue
    assert test.p_value == pytest.approx(expected)
    assert (test.only_left, test.only_right) == (only_left, only_right)


def test_mcnemar_without_disagreement_is_one_and_without_pairs_undefined():
    assert mcnemar_exact([True, False], [True, False]).p_value == 1.0
    assert mcnemar_exact([], []) is None


def test_impossible_input_is_refused():
    with pytest.raises(InputError, match="equally long"):
        paired_permutation([1.0], [])
    with pytest.raises(InputError, match="resamples"):
        paired_permutation([1.0], [0.0], resamples=0)
    with pytest.raises(InputError, match="True or False"):
        mcnemar_exact([None], [True])


def test_holm_by_hand():
    # sorted .01 .02 .03 .04, times 4 3 2 1: .04 .06 .06 .04, never falling
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx((0.06, 0.04, 0.06, 0.06))
    assert holm([0.9, 0.8]) == (1.0, 1.0)
    assert holm([]) == benjamini_hochberg([]) == ()


def test_benjamini_hochberg_equals_scipy():
    p_values = np.random.default_rng(2).random(25).round(2).tolist()
    expected = stats.false_discovery_control(p_values, method="bh")
    assert benjamini_hochberg(p_values) == pytest.approx(tuple(expected))


def test_a_p_value_beyond_its_range_is_refused():
    with pytest.raises(InputError, match=r"\[0, 1\]"):
        holm([1.5])
