import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.formulas.means import (
    f_beta,
    f_measure,
    harmonic_mean,
    weighted_mean,
)


def test_f_is_undefined_over_nothing_and_zero_without_a_hit():
    assert f_beta(true_positives=0, false_positives=0, false_negatives=0) is None
    assert f_beta(true_positives=0, false_positives=2, false_negatives=0) == 0.0


def test_f_one_of_one_hit_one_false_alarm_one_miss_is_a_half():
    # 1 / (1 + (1 + 1)/2)
    assert f_beta(true_positives=1, false_positives=1, false_negatives=1) == 1 / 2


def test_f_beta_weighs_recall_by_beta_squared():
    # β = 2: 5·2 / (5·2 + 4·1 + 3) = 10/17
    counts = {"true_positives": 2, "false_positives": 3, "false_negatives": 1}
    assert f_beta(**counts, beta=2) == pytest.approx(10 / 17)
    # the same from precision 2/5 and recall 2/3
    assert f_measure(2 / 5, 2 / 3, beta=2) == pytest.approx(10 / 17)


def test_f_beta_of_zero_is_precision():
    counts = {"true_positives": 2, "false_positives": 3, "false_negatives": 9}
    assert f_beta(**counts, beta=0) == 2 / 5


def test_f_is_zero_if_either_part_is_and_undefined_if_either_is():
    assert f_measure(0.0, 1.0) == f_measure(0.0, 0.0) == 0.0
    assert f_measure(None, 0.0) is None


def test_negative_counts_and_betas_are_refused():
    with pytest.raises(InputError, match="-1"):
        f_beta(true_positives=-1, false_positives=2, false_negatives=0)
    with pytest.raises(InputError, match="beta"):
        f_measure(1, 1, beta=-1)
    with pytest.raises(InputError, match="nan"):
        f_beta(true_positives=float("nan"), false_positives=0, false_negatives=2)


def test_the_published_composite_of_three_parts():
    # 3 / (1/.817 + 1/.892 + 1/.874)
    assert harmonic_mean([0.817, 0.892, 0.874]) == pytest.approx(0.860, abs=5e-4)


def test_a_composite_is_zero_if_a_part_is_zero_and_undefined_if_a_part_is():
    assert harmonic_mean([1.0, 0.0]) == 0.0
    assert harmonic_mean([0.0, None]) is None
    assert weighted_mean([1.0, None], weights=[1, 0]) is None
    assert harmonic_mean([]) is None
    assert weighted_mean([]) is None


def test_weighted_means_by_hand():
    # 3·1/4 + 1·3/4 over 4 = 3/8; harmonic 4 / (3·4 + 4/3) = 3/10
    assert weighted_mean([1 / 4, 3 / 4], weights=[3, 1]) == 3 / 8
    assert harmonic_mean([1 / 4, 3 / 4], weights=[3, 1]) == pytest.approx(3 / 10)


@pytest.mark.parametrize("weights", [[1], [0, 0], [-1, 2]])
def test_weights_that_do_not_fit_are_refused(weights):
    with pytest.raises(InputError, match="weights"):
        weighted_mean([1.0, 1.0], weights=weights)
