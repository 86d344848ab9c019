import math

import numpy as np
import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats import balanced_accuracy, best_threshold, roc_auc


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


def test_a_verdict_that_is_neither_yes_nor_no_is_refused():
    with pytest.raises(InputError, match="True or False"):
        balanced_accuracy([True, None], [True, True])
