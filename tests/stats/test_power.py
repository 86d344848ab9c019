import numpy as np
import pytest
from scipy import stats

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats import (
    PairedTest,
    paired_power,
    paired_test,
    shown_difference,
)
from llamaindex_rag_eval.stats.power import least_changed


@pytest.mark.parametrize(("effect", "n"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_power_reaches_80_percent_at_the_n_of_the_published_tables(effect, n):
    below, at = (paired_power(effect, standard_deviation=1.0, n=k) for k in (n - 1, n))
    assert below < 0.8 <= at


def test_power_equals_simulated_power():
    generator = np.random.default_rng(1)
    samples = generator.normal(0.1, 0.25, size=(4000, 40))
    seen = stats.ttest_1samp(samples, 0, axis=1).pvalue < 0.05
    power = paired_power(0.1, standard_deviation=0.25, n=40)
    assert power == pytest.approx(seen.mean(), abs=0.025)


def test_no_difference_is_seen_at_the_rate_of_false_alarms_and_a_huge_one_always():
    assert paired_power(0.0, standard_deviation=1.0, n=9) == pytest.approx(0.05)
    assert paired_power(1e6, standard_deviation=1.0, n=9) == 1.0
    assert paired_power(1.2422, standard_deviation=1.0, n=1001, alpha=0.001) == 1.0
    assert paired_power(-0.5, standard_deviation=1.0, n=34) == paired_power(
        0.5, standard_deviation=1.0, n=34
    )


@pytest.mark.parametrize("n", [10, 100])
def test_of_differences_without_bounds_the_shown_one_is_that_of_the_t_test(n):
    values = np.random.default_rng(2).normal(0, 0.3, n)
    found = shown_difference(paired_test(values), power=0.9)
    expected = paired_power(found, standard_deviation=float(values.std(ddof=1)), n=n)
    assert expected == pytest.approx(0.9, abs=1e-4)


def test_what_few_questions_can_show_is_nothing_however_large():
    # All of five must change alike for 2 / 2**5, which is above .05; of eight, with eight
    # metrics, 2 / 2**8 is above .05 / 8.
    assert shown_difference(paired_test([0.1] * 5, width=1.0)) is None
    assert shown_difference(paired_test([0.0] * 8, width=1.0), alpha=0.05 / 8) is None
    assert least_changed(0.05 / 8) == 9


@pytest.mark.parametrize("chance", [0.05, 0.2])
@pytest.mark.parametrize("n", [40, 120])
def test_what_is_said_to_be_shown_is_shown_in_four_of_five_samples(chance, n):
    generator = np.random.default_rng(5)

    def drawn(fall, samples):
        """Some questions change both ways by chance, of the others a share falls."""
        by_chance = generator.random((samples, n)) < chance
        signs = generator.choice([-1.0, 1.0], (samples, n))
        falls = generator.random((samples, n)) < fall / (1 - chance)
        return np.where(by_chance, signs, -1.0 * falls)

    said = np.mean([shown_difference(paired_test(row, width=1.0)) for row in drawn(0.0, 60)])
    gaps = drawn(said, 1500)
    tests = PairedTest(gaps, np.ones(n), (gaps != 0).sum(axis=1) * 1.0, 1.0)
    assert 0.76 < np.mean(tests.p_value() <= 0.05) < 0.85


def test_power_rises_where_scipy_does_not_compute_the_wrong_side():
    # At this level scipy gives NaN for the tail beyond the other end.
    effects = np.linspace(0.01, 0.5, 60)
    found = [paired_power(d, standard_deviation=1.0, n=100, alpha=0.05 / 150) for d in effects]
    assert found == sorted(found)
    assert not np.isnan(found).any()


def test_impossible_input_is_refused():
    with pytest.raises(InputError, match="standard_deviation"):
        paired_power(0.1, standard_deviation=0.0, n=9)
    with pytest.raises(InputError, match="power"):
        shown_difference(paired_test([0.1, 0.2]), power=0.01)
    with pytest.raises(InputError, match="n must"):
        paired_power(0.1, standard_deviation=1.0, n=1)
