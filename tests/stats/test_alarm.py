import numpy as np
import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.alarm import BETS, FallDetector


def binary(rate: float, count: int, seed: int) -> list[float]:
    return [*(np.random.default_rng(seed).random(count) < rate).astype(float)]


def test_the_evidence_is_the_sum_of_all_stakes_by_hand():
    detector = FallDetector(0.5, every=100)
    detector.see([1.0, 0.0])
    wins, losses = 1 - BETS, 1 + BETS  # a bet of b / (1 - .5) on scores .5 above and below
    assert detector.evidence == pytest.approx(((1 * wins + 1) * losses).mean() / 100)


@pytest.mark.parametrize("limit", [0.5, 0.8, 0.95])
def test_without_a_fall_an_alarm_comes_once_in_as_many_scores_or_more(limit: float):
    counts = []
    for seed in range(15):
        detector = FallDetector(limit, every=100)
        detector.see(binary(limit, 3000, seed))
        counts.append(len(detector.alarms))
    assert 0 < np.mean(counts) <= 30 + 3 * np.std(counts) / np.sqrt(len(counts))


def test_a_fall_is_found_and_dated():
    detector = FallDetector(0.8, every=10_000)
    detector.see(binary(0.9, 400, 1))
    assert detector.alarms == []
    detector.see(binary(0.6, 300, 2))
    [(before, after), *_] = detector.alarms
    assert 380 <= before <= 420
    assert before < after < 600


def test_passes_see_what_one_look_sees():
    scores = binary(0.7, 500, 3)
    whole, parts = FallDetector(0.8, every=1000), FallDetector(0.8, every=1000)
    whole.see(scores)
    for start in range(0, 500, 70):
        parts.see(scores[start : start + 70])
    assert (whole.alarms, whole.evidence) == (parts.alarms, parts.evidence)
    assert len(whole.alarms) > 1  # it begins anew after each


def test_a_limit_that_cannot_be_passed_is_refused():
    for limit, every in ((0.0, 100), (1.0, 100), (0.5, 1)):
        with pytest.raises(InputError, match="a limit lies between"):
            FallDetector(limit, every=every)
