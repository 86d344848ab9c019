"""Inference: intervals that keep a width, a test that agrees with its interval, and how both err.

The shares below are of simulated samples with fixed seeds: a slim form of
`tests/benchmarks/inference_errors.py`.
"""

import numpy as np
import pytest
from scipy import stats

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats import mean_estimate, paired_test, wilson
from llamaindex_rag_eval.stats.inference import mean_ends
from llamaindex_rag_eval.stats.paired import (
    PairedTest,
    family,
    paired_tests,
    parts_of,
    primary_first,
)
from llamaindex_rag_eval.stats.significance import holm

SKEWED = [1.0, 1.0, 0.9, 1.0, 0.2, 0.8, 1.0, 0.5, 0.75, 1.0, 0.0, 1.0]


def ends(interval):
    return (interval.low, interval.high)


@pytest.mark.parametrize(("yes", "n"), [(0, 5), (5, 5), (3, 7), (40, 50)])
def test_of_yes_and_no_the_interval_is_wilsons(yes, n):
    found = mean_estimate([1.0] * yes + [0.0] * (n - yes), bounds=(0, 1))
    assert ends(found.interval) == pytest.approx(ends(wilson(yes, n)))


def test_of_values_without_bounds_the_interval_is_students():
    expected = stats.ttest_1samp(SKEWED, 0).confidence_interval(0.9)
    found = mean_estimate(SKEWED, level=0.9)
    assert ends(found.interval) == pytest.approx((expected.low, expected.high))


def test_bounds_of_a_scale_move_the_interval_with_it():
    low, high = ends(mean_estimate(SKEWED, bounds=(0, 1)).interval)
    scaled = mean_estimate([1 + 4 * value for value in SKEWED], bounds=(1, 5))
    assert ends(scaled.interval) == pytest.approx((1 + 4 * low, 1 + 4 * high))


@pytest.mark.parametrize("value", [0.0, 0.5, 1.0])
def test_scores_that_are_all_alike_have_an_interval_with_a_width(value):
    found = mean_estimate([value] * 8, bounds=(0, 1))
    assert found.interval.width > 0.1
    assert found.value in found.interval


def test_without_bounds_scores_that_are_all_alike_say_nothing_about_their_spread():
    assert mean_estimate([2.0] * 8).interval is None
    assert mean_estimate([2.0]).interval is None
    assert mean_estimate([]).value is None


def test_copies_of_a_question_count_as_one():
    once = mean_estimate(SKEWED)
    thrice = mean_estimate(SKEWED * 3, clusters=list(range(12)) * 3)
    assert ends(thrice.interval) == pytest.approx(ends(once.interval))
    assert thrice.effective_n == pytest.approx(12)
    assert (thrice.n, thrice.clusters) == (36, 12)


def test_the_order_of_scores_changes_nothing():
    clusters = list("aabbccddeeff")
    turned = np.random.default_rng(1).permutation(12)
    for width in (1.0, np.inf):
        first = paired_test(SKEWED, clusters=clusters, width=width)
        again = paired_test(
            np.array(SKEWED)[turned], clusters=[clusters[place] for place in turned], width=width
        )
        assert first.ends().tolist() == again.ends().tolist()
        assert first.p_value() == again.p_value()
    assert mean_estimate(SKEWED, clusters=clusters) == mean_estimate(
        np.array(SKEWED)[turned], clusters=[clusters[place] for place in turned]
    )


def test_where_differences_vary_the_test_is_near_the_paired_t_test():
    gaps = np.random.default_rng(3).normal(0.03, 0.2, 200)
    expected = stats.ttest_1samp(gaps, 0)
    many = PairedTest(gaps, np.ones(200), np.inf)
    assert many.p_value() == pytest.approx(expected.pvalue)
    assert tuple(many.ends()) == pytest.approx(tuple(expected.confidence_interval()), abs=1e-6)
    for width in (1.0, np.inf):
        flipped = paired_test(gaps, width=width)
        assert flipped.p_value() == pytest.approx(expected.pvalue, abs=0.005)
        assert tuple(flipped.ends()) == pytest.approx(
            tuple(expected.confidence_interval()), abs=0.002
        )


def test_whole_documents_change_their_sign():
    # Sums of documents: 3, 1, 1, 1, 1, 1. Of the 2**6 signs, the sum is as far from 0 as 8 for two.
    gaps = [1.0] * 3 + [1.0] * 5
    test = paired_test(gaps, clusters=[0, 0, 0, 1, 2, 3, 4, 5], width=1.0)
    assert test.p_value() == 2 / 2**6
    # With a fall of the last the sum is 6. As far are all rises, and those but one small rise:
    # 1 + 5, on both sides.
    turned = paired_test([*gaps[:-1], -1.0], clusters=[0, 0, 0, 1, 2, 3, 4, 5], width=1.0)
    assert turned.p_value() == 2 * (1 + 5) / 2**6


def test_a_question_on_two_documents_counts_half_of_its_variance_to_each():
    # With 1 / √2 in both, its own variance is 1/2 + 1/2.
    members = np.eye(8)
    members[0, :2] = 1 / np.sqrt(2)
    test = paired_test([1.0] * 8, members=members, width=1.0)
    assert test.n == 8
    assert test.difference == 1.0
    assert test.resemblance.icc == pytest.approx(0.3, abs=0.02)
    assert 7 < test.resemblance.size < 8  # 8 / (1 + .3 · 2 · .707 / 8)


def test_metrics_that_say_the_same_cost_nothing_and_others_do():
    generator = np.random.default_rng(4)
    gaps = generator.normal(0.1, 0.2, (5, 40))
    same = family([paired_test(gaps[0], width=1.0)] * 5, 0.05)
    assert {p for p, _ in same} == {float(paired_test(gaps[0], width=1.0).p_value())}
    assert [level for _, level in same] == pytest.approx([0.05] * 5, abs=0.002)
    tests = [paired_test(row, width=1.0) for row in gaps]
    shown = family(tests, 0.05)
    assert all(0.01 <= level < 0.02 for _, level in shown)
    assert all(p >= test.p_value() for (p, _), test in zip(shown, tests, strict=True))
    # One that never changes takes nothing from the other.
    assert family([tests[0], paired_test([0.0] * 40, width=1.0)], 0.05)[0][1] > 0.045
    # Of fewer than six documents it is Holm's: three times the smallest, and so on.
    few = [paired_test([0.2, 0.3, 0.25, shift], width=1.0) for shift in (0.2, 0.0, 0.1)]
    adjusted = [p for p, _ in family(few, 0.05)]
    assert adjusted == pytest.approx(holm([float(t.p_value()) for t in few]))


def test_the_metric_that_decides_pays_a_quarter_more_for_any_number_of_others():
    rise, noise = [1.0] * 6 + [0.0] * 14, [1.0, -1.0] * 10
    tests = [paired_test(gaps, width=1.0) for gaps in (rise, *[noise] * 7, [1.0] * 8 + [0.0] * 12)]
    leads = [True, *[False] * 8]
    shown = primary_first(tests, 0.05, leads)
    # 2 / 2**6 / .8, and for the others 2 / 2**8 times what the noise adds, over .2 at most.
    assert shown[0][0] == pytest.approx(2 / 2**6 / 0.8, abs=1e-3)
    assert shown[0][1] == pytest.approx(0.04, abs=0.002)
    alone = family(tests[1:], 0.05)
    assert shown[8][0] == pytest.approx(max(alone[7][0], min(alone[7][0] / 0.2, 2 / 2**6 / 0.8)))
    # Where the others show all, the metric that decides has the whole level.
    assert primary_first([tests[0], tests[8]], 0.05, [True, False])[0][0] == pytest.approx(
        max(2 / 2**6, min(2 / 2**6 / 0.8, 2 / 2**8 / 0.2)), abs=1e-3
    )


@pytest.mark.parametrize(("rise", "fall", "n"), [(9, 1, 40), (0, 0, 20), (3, 3, 30), (12, 4, 20)])
def test_of_yes_and_no_it_is_mcnemars_in_tangos_form(rise, fall, n):
    gaps = np.array([1.0] * rise + [-1.0] * fall + [0.0] * (n - rise - fall))
    test = PairedTest(gaps, np.ones(n), 1.0)
    # Student's t of a score T = N t² / (N - 1 + t²), with T = (b - c)² / (b + c)
    score = (rise - fall) ** 2 / max(1, rise + fall)
    t = np.sqrt(score * (n - 1) / (n - score))
    assert test.p_value() == pytest.approx(2 * stats.t.sf(t, n - 1))
    low, high = test.ends()
    assert low < (rise - fall) / n < high


def test_twenty_questions_alike_leave_open_what_one_in_six_may_do():
    # T = n d / (1 - d) at a share d that changed unseen; T = 20 · 4.381 / 23.381 = 3.747
    low, high = paired_test([0.0] * 20, width=1.0).ends()
    assert (low, high) == pytest.approx((-3.747 / 23.747, 3.747 / 23.747), abs=1e-3)


def test_questions_that_change_alike_are_never_more_certain_than_the_sign_test():
    assert paired_test([0.5] * 3, width=1.0).p_value() == 1 / 4
    assert paired_test([0.5, 0.5, 0.0, 0.0]).p_value() >= 1 / 2
    assert paired_test([0.5] * 4).p_value() == 1 / 8


def test_interval_and_p_value_never_disagree():
    generator = np.random.default_rng(11)
    for _ in range(100):
        n = int(generator.integers(2, 25))
        gaps = generator.integers(-2, 4, n) / 3 * (generator.random(n) < generator.random())
        clusters = generator.integers(0, 12, n).tolist()
        level = float(generator.choice([0.9, 0.95, 0.99]))
        member = np.eye(12)[clusters]
        test = PairedTest(gaps @ member, member.sum(axis=0), 1.0, parts_of(gaps) @ member)
        interval = test.interval(level)
        if interval is not None:
            assert (float(test.p_value()) > 1 - level) == (0.0 in interval), gaps
            flipped = paired_test(gaps, clusters=clusters, width=1.0)
            ends = flipped.interval(level)
            # What signs show, the interval of questions may leave open; never the other way round.
            assert ends is None or 0.0 in ends or float(flipped.p_value()) <= 1 - level


def test_a_bound_on_the_fall_is_the_end_of_the_interval():
    test = PairedTest(np.array(SKEWED) - 0.8, np.ones(12), 1.0)
    low, high = test.ends(0.9)
    assert float(test.p_above(low)) == pytest.approx(0.05, abs=1e-6)
    assert float(test.p_above(high)) == pytest.approx(0.95, abs=1e-6)


def test_impossible_input_is_refused():
    with pytest.raises(InputError, match="finite"):
        paired_test([np.nan])
    with pytest.raises(InputError, match="level"):
        mean_estimate([0.5], level=95)


def yes(rate):
    return lambda rng, shape: (rng.random(shape) < rate) * 1.0


def thirds(share):
    return lambda rng, shape: np.where(
        rng.random(shape) < share, 1.0, rng.integers(3, size=shape) / 3
    )


SCORES = {
    "normal": (lambda rng, shape: rng.normal(0.5, 0.2, shape).clip(0, 1), 0.5),
    "beta": (lambda rng, shape: rng.beta(5, 1, shape), 5 / 6),
    "thirds": (thirds(0.7), 0.8),
    "near the ceiling": (thirds(0.96), 0.96 + 0.04 / 3),
    "half": (yes(0.5), 0.5),
    "rate .8": (yes(0.8), 0.8),
    "rate .95": (yes(0.95), 0.95),
    "rate .99": (yes(0.99), 0.99),
}


@pytest.mark.parametrize("name", SCORES)
@pytest.mark.parametrize("n", [8, 20, 50, 200])
def test_the_interval_of_a_mean_covers_it(name, n):
    draw, mean = SCORES[name]
    sums = draw(np.random.default_rng(n), (2000, n))
    low, high = mean_ends(sums, np.ones(n), bounds=(0, 1))
    assert np.mean((low <= mean) & (mean <= high)) > 0.9


@pytest.mark.parametrize("share", [0.1, 0.3])
@pytest.mark.parametrize("documents", [8, 20, 50])
def test_the_interval_of_a_mean_covers_it_where_documents_differ(share, documents):
    rng = np.random.default_rng(documents)
    level = rng.beta(0.8 * (1 / share - 1), 0.2 * (1 / share - 1), (2000, documents))
    counts = np.resize([1.0, 2.0, 4.0, 5.0], documents)
    sums = rng.binomial(counts.astype(int), level).astype(np.float64)
    low, high = mean_ends(sums, counts, bounds=(0, 1))
    assert np.mean((low <= 0.8) & (high >= 0.8)) > 0.93


CHANGES = {
    "normal": (lambda rng, shape: rng.normal(0, 0.2, shape).clip(-1, 1), 0.0),
    "thirds": (lambda rng, s: rng.binomial(3, 0.9, s) / 3 - rng.binomial(3, 0.9, s) / 3, 0.0),
    "yes and no": (lambda rng, s: (rng.random(s) < 0.8) * 1.0 - (rng.random(s) < 0.8), 0.0),
    "few change": (lambda rng, s: np.sign(rng.normal(size=s)) * (rng.random(s) < 0.03), 0.0),
    "few collapse": (lambda rng, s: -1.0 * (rng.random(s) < 0.05), -0.05),
    "more collapse": (lambda rng, s: -1.0 * (rng.random(s) < 0.1), -0.1),
}


@pytest.mark.parametrize("name", CHANGES)
@pytest.mark.parametrize("n", [8, 20, 50, 200])
def test_the_interval_of_a_difference_covers_it_and_the_test_keeps_its_level(name, n):
    draw, mean = CHANGES[name]
    gaps = draw(np.random.default_rng(n), (2000, n))
    test = PairedTest(gaps, np.ones(n), 1.0)
    low, high = test.ends()
    assert np.mean((low <= mean) & (mean <= high)) > 0.93
    if mean == 0.0:
        assert np.mean(test.p_value() <= 0.05) <= 0.06
        assert np.mean(test.p_value() <= 0.05 / 8) <= 0.012


def test_the_ends_of_a_difference_lie_within_the_range_though_documents_are_few():
    differences = [-0.4, -0.6, 0.5, -0.2, -0.3, 0.1, -0.5, -0.5]
    # At the level of one of thirty metrics the signs of eight documents reject nothing: Student's
    # test does, from the mean -.2375 with a standard error of .134 and 7 degrees of freedom.
    low, high = paired_test(differences, width=1.0).ends(1 - 0.05 / 30)
    assert -1.0 < low < -0.8
    assert 0.0 < high < 0.6
    assert tuple(paired_test([-1.0, -1.0], width=1.0).ends(0.999)) == (-1.0, 0.0)


def test_many_questions_take_no_table_of_questions_by_documents():
    # A dense table of 30,000 questions on as many documents would take 7 GB.
    differences = np.where(np.arange(30_000) % 3, 0.0, 1.0)
    test = paired_test(differences, width=1.0)
    assert not test.flipped
    assert float(test.difference) == pytest.approx(1 / 3)
    # A share of a third: its deviation is (1/3 · 2/3 / 30,000)**.5 = .00272.
    assert [float(end) for end in test.ends()] == pytest.approx([0.328, 0.339], abs=0.001)


def test_a_mean_is_ruled_out_where_the_interval_ends_and_nothing_below_is_taken_back():
    generator = np.random.default_rng(6)
    members = np.repeat(np.eye(16), 3, 0)
    steps = generator.choice([-1.0, 0.0, 0.0, 0.0, 1.0], (40, 48))
    test = paired_tests(steps, members, 1.0)
    for level in (0.9, 0.95):
        low, high = test.ends(level)
        for null in (-0.1, -0.05, 0.05, 0.1):
            assert ((low > null) == (test.p_above(null) <= (1 - level) / 2)).all()
        assert ((low <= 0) & (high >= 0) == (test.p_value() > 1 - level)).all()
    tails = np.array([test.p_above(null) for null in np.linspace(-0.3, 0.3, 25)])
    assert (np.diff(tails, axis=0) >= -1e-12).all()


def test_many_samples_at_once_have_the_tests_that_each_has():
    generator = np.random.default_rng(7)
    members = np.repeat(np.eye(10), 3, 0)
    members[:5] = (members[:5] + members[5:10]) / np.sqrt(2)
    gaps = generator.choice([-0.5, 0.0, 0.0, 1.0], (5, 30))
    many = paired_tests(gaps, members, 1.0)
    for number, row in enumerate(gaps):
        test = paired_test(row, members=members, width=1.0)
        assert many.p_value()[number] == test.p_value()
        assert many.ends()[:, number] == pytest.approx(test.ends())
        assert many.resemblance.size[number] == pytest.approx(float(test.resemblance.size))


def test_the_more_documents_tell_of_their_resemblance_the_surer_it_is():
    gaps = np.array([[1.0, 1.0, 1.0, 0.0], [-1.0, 0.0, -1.0, -1.0]]).repeat(4, 0)
    few = paired_test(gaps.ravel(), clusters=np.repeat(range(8), 4).tolist(), width=1.0)
    alone = paired_test(gaps.ravel(), width=1.0)
    assert 7 < few.resemblance.freedom < 31
    assert alone.resemblance.freedom == 31
