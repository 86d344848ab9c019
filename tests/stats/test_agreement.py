import numpy as np
import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats import cohen_kappa


def test_kappa_by_hand():
    # 20 both yes, 5 and 10 apart, 15 both no: observed 35/50, chance 1/2·3/5 + 1/2·2/5 = 1/2
    left = ["yes"] * 25 + ["no"] * 25
    right = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen_kappa(left, right) == pytest.approx(2 / 5)


def test_kappa_equals_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    left, right = np.random.default_rng(9).integers(5, size=(2, 60)).tolist()
    assert cohen_kappa(left, right) == pytest.approx(metrics.cohen_kappa_score(left, right))


def test_kappa_is_undefined_without_items_or_for_one_label():
    assert cohen_kappa([], []) is None
    assert cohen_kappa([1, 1], [1, 1]) is None
    assert cohen_kappa([1, 1], [0, 0]) == 0.0


def test_impossible_input_is_refused():
    with pytest.raises(InputError, match="equally long"):
        cohen_kappa([1], [])
