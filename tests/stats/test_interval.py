import pytest
from scipy import stats

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats import Interval, wilson

SKEWED = [1.0, 1.0, 0.9, 1.0, 0.2, 0.8, 1.0, 0.5, 0.75, 1.0, 0.0, 1.0]


def ends(interval):
    return (interval.low, interval.high)


@pytest.mark.parametrize(("successes", "n"), [(0, 5), (5, 5), (3, 7), (40, 50), (1, 1)])
@pytest.mark.parametrize("level", [0.8, 0.95])
def test_wilson_equals_scipy(successes, n, level):
    expected = stats.binomtest(successes, n).proportion_ci(level, method="wilson")
    assert ends(wilson(successes, n, level=level)) == pytest.approx((expected.low, expected.high))


def test_wilson_reaches_the_very_ends_when_all_answers_are_alike():
    for n in range(1, 40):
        assert (n, wilson(0, n).low, wilson(n, n).high) == (n, 0.0, 1.0)


def test_an_interval_holds_its_ends():
    interval = Interval(low=0.0, high=0.5, level=0.95)
    assert 0.0 in interval
    assert 0.5 in interval
    assert 0.51 not in interval


def test_no_answers_have_no_rate():
    assert wilson(0, 0) is None


def test_impossible_input_is_refused():
    with pytest.raises(InputError, match="level"):
        wilson(1, 2, level=95)
    with pytest.raises(InputError, match="successes"):
        wilson(3, 2)
