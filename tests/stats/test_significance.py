import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats import holm


def test_holm_by_hand():
    # sorted .01 .02 .03 .04, times 4 3 2 1: .04 .06 .06 .04, never falling
    assert holm([0.04, 0.01, 0.03, 0.02]) == pytest.approx((0.06, 0.04, 0.06, 0.06))
    assert holm([0.9, 0.8]) == (1.0, 1.0)
    assert holm([]) == ()


def test_a_p_value_beyond_its_range_is_refused():
    with pytest.raises(InputError, match=r"\[0, 1\]"):
        holm([1.5])
