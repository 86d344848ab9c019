import math

import numpy as np
import pytest
from scipy import stats

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats import (
    balanced_accuracy,
    best_threshold,
    cohen_kappa,
    kendall_tau,
    krippendorff_alpha,
    pearson,
    roc_auc,
    spearman,
)

# Four observers, twelve units: the worked example of Krippendorff (2011), section C and D.
_ = None
OBSERVERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]


@pytest.mark.parametrize(
    ("scale", "alpha"), [("nominal", 0.743), ("ordinal", 0.815), ("interval", 0.849)]
)
def test_krippendorff_alpha_equals_the_published_example(scale, alpha):
    assert krippendorff_alpha(OBSERVERS, scale=scale) == pytest.approx(alpha, abs=5e-4)


def test_krippendorff_alpha_is_undefined_without_pairs_or_without_variation():
    assert krippendorff_alpha([]) is None
    assert krippendorff_alpha([[], []]) is None
    assert krippendorff_alpha([[1, None], [None, 2]]) is None
    assert krippendorff_alpha([[1, 1], [1, 1]]) is None


def test_krippendorff_alpha_of_full_agreement_is_one_and_of_none_below_zero():
    assert krippendorff_alpha([[1, 2, 3], [1, 2, 3]], scale="ordinal") == 1.0
    assert krippendorff_alpha([[0, 1], [1, 0]]) == -1 / 2  # 1 - 3·4 / (2·2·2)


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


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(kendall_tau, stats.kendalltau), (spearman, stats.spearmanr), (pearson, stats.pearsonr)],
)
def test_correlations_equal_scipy_with_ties(ours, theirs):
    left, right = np.random.default_rng(8).integers(6, size=(2, 30)).tolist()
    assert ours(left, right) == pytest.approx(theirs(left, right).statistic)


def test_tau_b_by_hand():
    # pairs: 12 tied left, 13 and 23 concordant. (2 - 0) / √(2 · 3)
    assert kendall_tau([1, 1, 2], [1, 2, 3]) == pytest.approx(2 / math.sqrt(6))


@pytest.mark.parametrize("correlation", [kendall_tau, spearman, pearson])
def test_a_judge_that_says_one_thing_has_no_correlation(correlation):
    assert correlation([1, 1, 1], [1, 2, 3]) is None
    assert correlation([0.1] * 3, [1, 2, 3]) is None
    assert correlation([1], [1]) is None
    assert correlation([], []) is None


def test_balanced_accuracy_auc_and_threshold_equal_scikit_learn():
    metrics = pytest.importorskip("sklearn.metrics")
    generator = np.random.default_rng(6)
    positive = (generator.random(80) < 0.7).tolist()
    scores = (generator.random(80) + 0.4 * np.array(positive)).round(1).tolist()
    assert roc_auc(positive, scores) == pytest.approx(metrics.roc_auc_score(positive, scores))
    cut = best_threshold(positive, scores)
    told = [score >= cut.value for score in scores]
    assert balanced_accuracy(positive, told) == pytest.approx(
        metrics.balanced_accuracy_score(positive, told)
    )
    assert cut.balanced_accuracy == pytest.approx(balanced_accuracy(positive, told))
    assert all(
        balanced_accuracy(positive, [score >= other for score in scores])
        <= cut.balanced_accuracy + 1e-9
        for other in set(scores)
    )


def test_a_judge_that_turns_it_around_is_no_better_than_yes_to_all():
    cut = best_threshold([True, False], [0.0, 1.0])
    assert (cut.value, cut.balanced_accuracy) == (0.0, 1 / 2)


def test_the_cut_between_neighbouring_floats_still_separates():
    low = 0.5
    high = math.nextafter(low, 1)
    assert best_threshold([False, True], [low, high]).value == high


def test_one_sided_labels_leave_all_three_undefined():
    assert balanced_accuracy([True], [True]) is None
    assert roc_auc([False, False], [0.0, 1.0]) is None
    assert best_threshold([], []) is None


def test_impossible_input_is_refused():
    with pytest.raises(InputError, match="sort"):
        cohen_kappa([1, "a"], [1, 1])
    with pytest.raises(InputError, match="not among"):
        cohen_kappa([1], [2], labels=[1])
    with pytest.raises(InputError, match="'cubic'"):
        cohen_kappa([1], [2], weights="cubic")
    with pytest.raises(InputError, match="'ratio'"):
        krippendorff_alpha([[1]], scale="ratio")
    with pytest.raises(InputError, match="every rater"):
        krippendorff_alpha([[1], [1, 2]])
    with pytest.raises(InputError, match="finite"):
        krippendorff_alpha([[math.nan], [1.0]])
    with pytest.raises(InputError, match="True or False"):
        balanced_accuracy([True, None], [True, True])
