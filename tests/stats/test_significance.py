import numpy as np
import pytest
from scipy import stats

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats import benjamini_hochberg, holm, mcnemar_exact


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
        mcnemar_exact([True], [])
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
