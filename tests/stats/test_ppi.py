import math
from statistics import fmean, median

import numpy as np
import pytest
from scipy import stats

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats import ppi_mean, wilson
from llamaindex_rag_eval.stats.ppi import PPIMean

GENERATOR = np.random.default_rng(12)
TRUTH = (GENERATOR.random(440) < 0.7).astype(float)
# A judge that is right in tendency and 0.1 too kind.
JUDGE = 0.9 * TRUTH + GENERATOR.normal(0.1, 0.25, 440)
LABELS, JUDGED, OTHERS = TRUTH[:40].tolist(), JUDGE[:40].tolist(), JUDGE[40:].tolist()
STUDENT = stats.ttest_1samp(LABELS, 0).confidence_interval(0.95)


def test_the_weight_of_ppi_plus_plus_makes_the_estimated_variance_smallest():
    weight = ppi_mean(LABELS, JUDGED, OTHERS).weight
    people, judge, others = map(np.array, (LABELS, JUDGED, OTHERS))
    pooled = np.concatenate([judge, others]).var(ddof=1)
    covariance = np.cov(people, judge, ddof=1)[0, 1]

    def variance(candidate):
        # λ²·v/N + (var people - 2 λ·cov + λ²·v)/n, up to what does not depend on λ
        return candidate**2 * pooled * (1 / 400 + 1 / 40) - 2 * candidate * covariance / 40

    grid = np.linspace(0, 1, 2001)
    assert weight == pytest.approx(grid[np.argmin([variance(c) for c in grid])], abs=1e-3)


def test_ppi_plus_plus_pays_a_degree_of_freedom_for_its_weight():
    estimate = ppi_mean(LABELS, JUDGED, OTHERS)
    gaps = np.array(LABELS) - estimate.weight * np.array(JUDGED)
    error = math.sqrt(estimate.weight**2 * np.var(OTHERS, ddof=1) / 400 + gaps.var(ddof=2) / 40)
    assert 0 < estimate.weight < 1
    assert estimate.value == pytest.approx(estimate.weight * np.mean(OTHERS) + gaps.mean())
    assert estimate.interval.width == pytest.approx(2 * stats.t.ppf(0.975, 39) * error)


def test_a_good_judge_shortens_the_interval_and_counts_as_more_labels():
    estimate = ppi_mean(LABELS, JUDGED, OTHERS)
    assert estimate.interval.width < (STUDENT.high - STUDENT.low) * 2 / 3
    assert estimate.effective_n > 2 * len(LABELS)


def test_labels_alone_are_students_interval():
    estimate = ppi_mean(LABELS, JUDGED, [])
    assert estimate.interval.low == pytest.approx(STUDENT.low)
    assert estimate.effective_n == pytest.approx(40)


def test_a_judge_that_says_one_thing_or_the_reverse_has_no_weight():
    assert ppi_mean(LABELS, [0.5] * 40, [0.5] * 50).weight == 0.0
    reverse = ppi_mean(LABELS, (-np.array(JUDGED)).tolist(), (-np.array(OTHERS)).tolist())
    assert reverse.weight == 0.0


def test_too_few_labels_or_items_fall_back_to_people_alone():
    few = ppi_mean(LABELS[:19], JUDGED[:19], OTHERS)
    assert few.weight == 0.0
    assert few.value == pytest.approx(np.mean(LABELS[:19]))
    assert ppi_mean(LABELS, JUDGED, []).weight == 0.0


def test_no_labels_are_undefined_and_one_has_no_interval():
    assert ppi_mean([], [], OTHERS) is None
    one = ppi_mean([1.0], [0.5], OTHERS)
    assert (one.value, one.interval, one.effective_n) == (1.0, None, None)


def test_the_interval_covers_about_as_often_as_it_says_though_the_judge_is_biased():
    generator = np.random.default_rng(3)
    covered = []
    for _ in range(400):
        truth = (generator.random(240) < 0.6).astype(float)
        judge = 0.3 + 0.5 * truth + generator.normal(0, 0.2, 240)
        estimate = ppi_mean(truth[:40].tolist(), judge[:40].tolist(), judge[40:].tolist())
        covered.append(0.6 in estimate.interval)
    assert 0.91 <= np.mean(covered) <= 0.99


@pytest.mark.parametrize("size", [15, 30])
@pytest.mark.parametrize("rate", [0.5, 0.9, 0.98])
def test_with_bounds_the_interval_covers_near_them_with_few_labels(rate, size):
    generator = np.random.default_rng(5)
    covered = []
    for _ in range(300):
        truth = generator.random(size + 200) < rate
        judge = (truth ^ (generator.random(len(truth)) < 0.1)).astype(float)
        labels, parts = truth[:size].astype(float), (judge[:size].tolist(), judge[size:].tolist())
        ends = ppi_mean(labels.tolist(), *parts, bounds=(0.0, 1.0)).interval
        assert 0 <= ends.low < ends.high <= 1
        covered.append(rate in ends)
    assert np.mean(covered) >= 0.92  # 95 % are 285 of 300; below 276 are 2 in 100 of sound ones


def test_with_bounds_and_without_a_judge_it_is_the_interval_of_a_mean():
    for labels in ([1.0] * 12, [1.0, 0.0, 1.0] * 5, [0.0] * 3):
        estimate = ppi_mean(labels, labels, [], bounds=(0.0, 1.0))
        share = wilson(int(sum(labels)), len(labels))
        assert (estimate.interval.low, estimate.interval.high) == (
            pytest.approx(share.low),
            pytest.approx(share.high),
        )


def test_impossible_input_is_refused():
    with pytest.raises(InputError, match="equally long"):
        ppi_mean([1.0], [], [])


def test_labels_that_are_lacking_are_counted_by_hand() -> None:
    # People alone need (w / w')² times as many labels: 25 at ± .2 are 100 at ± .1.
    alone = PPIMean(0.5, 0.3, 0.7, n=25, effective_n=25.0, unlabelled=975)
    assert alone.more_labels(0.1, items=1000) == 75
    assert alone.more_labels(0.2, items=1000) == 0
    assert alone.more_labels(0.1, items=99) is None
    # A judge makes 50 labels of 100 items worth 100: half of the variance is gone, and of that the
    # share of unlabelled items is a half, so it explains all. Any few labels of many items do.
    helped = PPIMean(0.5, 0.3, 0.7, n=50, effective_n=100.0, unlabelled=50)
    assert helped.more_labels(0.19, items=1000) == 1
    assert PPIMean(0.5).more_labels(0.1, items=9) is None


def test_as_many_labels_as_are_said_make_the_interval_as_short_as_wanted() -> None:
    draw = np.random.default_rng(3)

    def mean(labels: int, items: int = 2000) -> PPIMean:
        people = (draw.random(items) < 0.6).astype(float)
        judge = np.where(draw.random(items) < 0.9, people, 1 - people)
        values = (people[:labels], judge[:labels], judge[labels:])
        estimate = ppi_mean(*(each.tolist() for each in values), bounds=(0.0, 1.0))
        assert estimate is not None
        return estimate

    more = median(mean(60).more_labels(0.05, items=2000) or 0 for _ in range(40))
    ends = [mean(60 + int(more)).interval for _ in range(40)]
    assert fmean(end.width / 2 for end in ends if end) == pytest.approx(0.05, rel=0.1)
