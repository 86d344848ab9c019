import numpy as np
import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.clusters import Design, cluster_sums, connected


def test_entries_that_share_a_key_with_a_third_are_one_cluster():
    assert connected([{1}, {2}, {1, 3}, {3}, {2}, set(), set()]) == (0, 1, 0, 0, 1, 2, 3)
    assert connected([]) == ()


def test_the_order_of_values_and_of_clusters_is_lost():
    values, labels = np.array([0.1, 0.2, 0.3, 0.7, 0.1]), "aabbc"
    turned = [3, 0, 4, 2, 1]
    for one, other in zip(
        cluster_sums(values, labels),
        cluster_sums(values[turned], [labels[place] for place in turned]),
        strict=True,
    ):
        assert one.tolist() == other.tolist()


def test_a_cluster_is_wanted_for_each_value():
    with pytest.raises(InputError, match="2 values need as many clusters, got 1"):
        cluster_sums(np.zeros(2), ["a"])


def test_values_by_themselves_have_the_variance_and_the_freedom_of_the_textbook():
    values = np.array([0.0, 0.5, 1.0, 0.25])
    design = Design.of(np.ones(4))
    assert float(design.variance(values, np.ones(4))) == pytest.approx(values.var(ddof=1) / 4)
    assert (float(design.size), float(design.freedom)) == pytest.approx((4, 3))


def test_unequal_clusters_have_fewer_degrees_of_freedom():
    # shares 1/2 1/4 1/4: Σp² = 3/8 = 1/size; a = p²/(1-p) = 1/2 1/12 1/12:
    # Σp² + (Σa)² - Σa² = 3/8 + 4/9 - 19/72 = 5/9
    design = Design.of(np.array([4.0, 2.0, 2.0]))
    assert (float(design.size), float(design.freedom)) == pytest.approx((8 / 3, 9 / 5))


def test_the_variance_of_independent_values_is_unbiased_whatever_the_clusters():
    counts = np.array([1.0, 5.0, 2.0, 9.0])
    ends = np.cumsum(counts).astype(int)[:-1]
    values = np.random.default_rng(7).normal(size=(20_000, 17))
    sums = np.stack([part.sum(axis=1) for part in np.split(values, ends, axis=1)], axis=1)
    found = Design.of(np.broadcast_to(counts, sums.shape)).variance(sums, counts)
    assert found.mean() == pytest.approx(1 / 17, rel=0.03)
