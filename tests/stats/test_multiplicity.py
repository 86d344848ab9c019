import numpy as np
import pytest
from scipy import stats

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats import benjamini_hochberg, holm


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
