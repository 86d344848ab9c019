import numpy as np
import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats import cohen_kappa


def test_kappa_by_hand():
    # 20 both yes, 5 and 10 apart, 15 both no: observed 35/50, chance 1/2·3/5 + 1/2·2/5 = 1/2
    left = ["yes"] * 25 + ["no"] * 25
    right = ["yes"] * 20 + ["no"] * 5 + ["yes"] * 10 + ["no"] * 15
    assert cohen_kappa(left, right) == pytest.approx(2 / 5)


@pytest.mark.parametrize("weights", ["nominal", "linear", "quadratic"])
def test_kappa_equals_scikit_learn(weights):
    metrics = pytest.importorskip("sklearn.metrics")
    left, right = np.random.default_rng(9).integers(5, size=(2, 60)).tolist()
    expected = metrics.cohen_kappa_score(
        left, right, weights=None if weights == "nominal" else weights
    )
    assert cohen_kappa(left, right, weights=weights) == pytest.approx(expected)


def test_kappa_reads_the_order_of_labels_given():
    left, right = ["low", "high", "mid"], ["low", "mid", "mid"]
    ordered = cohen_kappa(left, right, weights="linear", labels=["low", "mid", "high"])
    # observed 1/3 step; chance over 9 pairs: low 0+1+1, high 2+1+1, mid 1+0+0 = 7/9
    assert ordered == pytest.approx(1 - (1 / 3) / (7 / 9))


def test_kappa_is_undefined_without_items_or_for_one_label():
    assert cohen_kappa([], []) is None
    assert cohen_kappa([1, 1], [1, 1]) is None
    assert cohen_kappa([1, 1], [0, 0]) == 0.0


def test_impossible_input_is_refused():
    with pytest.raises(InputError, match="sort"):
        cohen_kappa([1, "a"], [1, 1])
    with pytest.raises(InputError, match="not among"):
        cohen_kappa([1], [2], labels=[1])
    with pytest.raises(InputError, match="'cubic'"):
        cohen_kappa([1], [2], weights="cubic")  # type: ignore[arg-type]  # what is refused
