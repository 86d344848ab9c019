import numpy as np
import pytest
from scipy import stats

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats import minimal_detectable_difference, paired_power, required_n


@pytest.mark.parametrize(("effect", "n"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_required_n_equals_the_published_tables_for_80_percent_power(effect, n):
    assert required_n(effect, standard_deviation=1.0) == n


def test_power_equals_simulated_power():
    generator = np.random.default_rng(1)
    samples = generator.normal(0.1, 0.25, size=(4000, 40))
    seen = stats.ttest_1samp(samples, 0, axis=1).pvalue < 0.05
    power = paired_power(0.1, standard_deviation=0.25, n=40)
    assert power == pytest.approx(seen.mean(), abs=0.025)


@pytest.mark.parametrize("n", [2, 10, 100, 10_000])
def test_the_minimal_detectable_difference_has_the_power_asked_for(n):
    found = minimal_detectable_difference(standard_deviation=0.3, n=n, power=0.9)
    assert paired_power(found, standard_deviation=0.3, n=n) == pytest.approx(0.9)


def test_required_n_is_the_fewest():
    n = required_n(0.04, standard_deviation=0.25, alpha=0.01, power=0.9)
    assert paired_power(0.04, standard_deviation=0.25, n=n, alpha=0.01) >= 0.9
    assert paired_power(0.04, standard_deviation=0.25, n=n - 1, alpha=0.01) < 0.9


def test_no_difference_is_seen_at_the_rate_of_false_alarms_and_a_huge_one_always():
    assert paired_power(0.0, standard_deviation=1.0, n=9) == pytest.approx(0.05)
    assert paired_power(1e6, standard_deviation=1.0, n=9) == 1.0
    assert paired_power(1.2422, standard_deviation=1.0, n=1001, alpha=0.001) == 1.0
    assert paired_power(-0.5, standard_deviation=1.0, n=34) == paired_power(
        0.5, standard_deviation=1.0, n=34
    )


def test_differences_that_do_not_vary_are_all_detectable_and_one_question_shows_nothing():
    assert minimal_detectable_difference(standard_deviation=0.0, n=5) == 0.0
    assert minimal_detectable_difference(standard_deviation=0.5, n=1) is None


def test_impossible_input_is_refused():
    with pytest.raises(InputError, match="questions"):
        required_n(0.0, standard_deviation=1.0)
    with pytest.raises(InputError, match="standard_deviation"):
        required_n(0.1, standard_deviation=0.0)
    with pytest.raises(InputError, match="power"):
        required_n(0.1, standard_deviation=1.0, power=0.01)
    with pytest.raises(InputError, match="n must"):
        paired_power(0.1, standard_deviation=1.0, n=1)
