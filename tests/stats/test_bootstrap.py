import math

import numpy as np
import pytest
from scipy import stats

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats import bootstrap_mean, paired_bootstrap, t_interval

SKEWED = [1.0, 1.0, 0.9, 1.0, 0.2, 0.8, 1.0, 0.5, 0.75, 1.0, 0.0, 1.0]
METHODS = ["bca", "expanded", "percentile"]


def ends(interval):
    return (interval.low, interval.high)


def test_percentile_interval_equals_scipy():
    expected = stats.bootstrap(
        (SKEWED,), np.mean, method="percentile", n_resamples=20_000, rng=1
    ).confidence_interval
    ours = bootstrap_mean(SKEWED, method="percentile", resamples=20_000)
    assert ends(ours) == pytest.approx(expected, abs=0.01)


def test_bca_interval_equals_scipy_at_the_expanded_level():
    # What expansion asks of 12 values: the two-sided level 1 - 2 Φ(√(12/11) · t_11(0.025))
    level = 1 - 2 * stats.norm.cdf(math.sqrt(12 / 11) * stats.t.ppf(0.025, 11))
    expected = stats.bootstrap(
        (SKEWED,), np.mean, method="BCa", n_resamples=20_000, confidence_level=level, rng=1
    ).confidence_interval
    ours = bootstrap_mean(SKEWED, method="bca", resamples=20_000)
    assert ends(ours) == pytest.approx(expected, abs=0.015)


def test_expansion_makes_up_for_students_tails_and_the_divisor_n():
    from llamaindex_rag_eval.stats.bootstrap import expanded_tails

    tails = expanded_tails(np.array([0.025]), 4)
    assert tails[0] == pytest.approx(stats.norm.cdf(math.sqrt(4 / 3) * stats.t.ppf(0.025, 3)))


def test_expanded_interval_of_many_normal_values_is_that_of_student():
    values = np.random.default_rng(5).normal(size=15).tolist()
    ours = bootstrap_mean(values, method="expanded", resamples=40_000)
    assert ends(ours) == pytest.approx(ends(t_interval(values)), abs=0.06)


@pytest.mark.parametrize("method", METHODS)
def test_the_same_seed_gives_the_same_interval_and_another_seed_another(method):
    def made(seed):
        return bootstrap_mean(SKEWED, method=method, seed=seed, resamples=500)

    assert made(1) == made(1)
    assert made(1) != made(2)


@pytest.mark.parametrize("method", METHODS)
def test_equal_values_give_an_interval_without_width(method):
    assert bootstrap_mean([0.3, 0.3, 0.3], method=method, resamples=50).width == pytest.approx(0)


@pytest.mark.parametrize("method", METHODS)
def test_a_bootstrap_interval_stays_within_the_values(method):
    interval = bootstrap_mean(SKEWED, method=method, level=0.999)
    assert 0 <= interval.low < interval.high <= 1


def test_fewer_than_two_values_or_groups_have_no_interval():
    assert bootstrap_mean([]) is None
    assert bootstrap_mean([0.5]) is None
    assert bootstrap_mean([0.5, 1.0, 0.0], groups=["a", "a", "a"]) is None


def test_values_copied_within_their_group_bring_no_certainty():
    alone = bootstrap_mean(SKEWED, resamples=2000)
    groups = [number for number in range(len(SKEWED)) for _ in range(5)]
    copied = bootstrap_mean([SKEWED[number] for number in groups], groups=groups, resamples=2000)
    taken_apart = bootstrap_mean([SKEWED[number] for number in groups], resamples=2000)
    assert ends(copied) == pytest.approx(ends(alone))
    assert taken_apart.width < copied.width * 2 / 3


def test_groups_of_unequal_size_weigh_by_their_size():
    # Two groups: of 3 ones, and of 1 zero. Means drawn: 1, 3/4, 3/4, 0
    interval = bootstrap_mean([1, 1, 1, 0], groups=[1, 1, 1, 2], method="percentile", level=0.2)
    assert ends(interval) == (3 / 4, 3 / 4)


def test_drawing_in_blocks_leaves_nothing_out(monkeypatch):
    from llamaindex_rag_eval.stats import bootstrap

    sums, counts = np.array(SKEWED), np.ones(len(SKEWED))
    monkeypatch.setattr(bootstrap, "CELLS", 100)
    blocks = list(bootstrap.drawn_means(sums, counts, resamples=50, seed=0))
    assert len(blocks) > 1
    assert sum(map(len, blocks)) == 50


def test_impossible_input_is_refused():
    with pytest.raises(InputError, match="finite"):
        bootstrap_mean([0.0, math.nan])
    with pytest.raises(InputError, match="level"):
        bootstrap_mean([0.0, 1.0], level=95)
    with pytest.raises(InputError, match="groups"):
        bootstrap_mean([0.0, 1.0], groups=["a"])
    with pytest.raises(InputError, match="'basic'"):
        bootstrap_mean([0.0, 1.0], method="basic")  # type: ignore[arg-type]  # what is refused
    with pytest.raises(InputError, match="resamples"):
        bootstrap_mean([0.0, 1.0], resamples=0)


def test_a_bootstrap_interval_covers_about_as_often_as_it_says():
    generator = np.random.default_rng(11)
    samples = [generator.beta(5, 1, 30).tolist() for _ in range(300)]
    made = [bootstrap_mean(sample, resamples=500, seed=i) for i, sample in enumerate(samples)]
    assert 0.91 <= np.mean([5 / 6 in interval for interval in made]) <= 0.99


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("values", [[0.5, 0.7], [0.7, 0.5], [0.0, 1.0], [-1e9, 1e9]])
def test_two_values_that_differ_give_an_interval_between_them(method, values):
    # Of two draws one in four is twice the smaller: 2.5 % and 97.5 % are the values themselves.
    assert ends(bootstrap_mean(values, method=method)) == (min(values), max(values))


@pytest.mark.parametrize("method", METHODS)
def test_an_interval_of_few_values_stays_in_their_range(method):
    generator = np.random.default_rng(5)
    for size in (2, 3, 4, 5) * 20:
        values = (generator.integers(4, size=size) / 3).tolist()
        low, high = ends(bootstrap_mean(values, method=method, resamples=200))
        assert min(values) <= low <= high <= max(values)


def test_paired_bootstrap_is_the_bootstrap_of_the_differences():
    left = SKEWED
    right = [0.5, 0.75, 1.0, 0.25, 0.0, 0.5, 1.0, 1.0, 0.5, 0.75, 0.25, 0.5]
    gaps = (np.array(left) - np.array(right)).tolist()
    found = paired_bootstrap(left, right, seed=3, method="bca")
    assert found.interval == bootstrap_mean(gaps, seed=3, method="bca")
    assert found.difference == pytest.approx(np.mean(left) - np.mean(right))
    assert paired_bootstrap([], []) is None
    assert paired_bootstrap([1.0], [0.0]).interval is None
