import numpy as np
import pytest
from scipy import stats

from llamaindex_rag_eval.stats import pearson, spearman


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [(spearman, stats.spearmanr), (pearson, stats.pearsonr)],
)
def test_correlations_equal_scipy_with_ties(ours, theirs):
    left, right = np.random.default_rng(8).integers(6, size=(2, 30)).tolist()
    assert ours(left, right) == pytest.approx(theirs(left, right).statistic)


@pytest.mark.parametrize("correlation", [spearman, pearson])
def test_a_judge_that_says_one_thing_has_no_correlation(correlation):
    assert correlation([1, 1, 1], [1, 2, 3]) is None
    assert correlation([0.1] * 3, [1, 2, 3]) is None
    assert correlation([1], [1]) is None
    assert correlation([], []) is None
