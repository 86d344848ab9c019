import pytest
from scipy import stats

from llamaindex_rag_eval.stats import Interval, mean_estimate


@pytest.mark.parametrize(("successes", "n"), [(0, 5), (5, 5), (3, 7), (40, 50)])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_interval_of_yes_and_no_is_wilsons(successes, n, level):
    expected = stats.binomtest(successes, n).proportion_ci(level, method="wilson")
    answers = [1.0] * successes + [0.0] * (n - successes)
    estimate = mean_estimate(answers, bounds=(0, 1), level=level)
    assert estimate.ends == pytest.approx((expected.low, expected.high))


def test_it_reaches_the_very_ends_when_all_answers_are_alike():
    for n in range(2, 40):
        none, all_ = (mean_estimate([value] * n, bounds=(0, 1)) for value in (0.0, 1.0))
        assert (n, none.low, all_.high) == (n, 0.0, 1.0)


def test_an_interval_holds_its_ends():
    interval = Interval(low=0.0, high=0.5, level=0.95)
    assert 0.0 in interval
    assert 0.5 in interval
    assert 0.51 not in interval
