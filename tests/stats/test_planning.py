"""Planning: the number of questions that is said shows the difference, in samples of its own."""

import numpy as np
import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.paired import (
    PairedTest,
    paired_test,
    paired_tests,
    primary_first,
)
from llamaindex_rag_eval.stats.planning import Planner


def planner_of(gaps, width=1.0):
    """Return the planner of one metric, each question on a document of its own."""
    return Planner(paired_test(gaps, width=width))


def planners_of(gaps, members):
    """Return the planner of each metric, a column each, of which the first decides."""
    tests = [paired_test(column, members=members, width=1.0) for column in gaps.T]
    levels = primary_first(tests, 0.05, [number == 0 for number in range(len(tests))])
    return [Planner(test, level) for test, (_, level) in zip(tests, levels, strict=True)]


def test_so_many_questions_show_the_difference_in_four_of_five_samples():
    # One question in five changes by chance, half of them up.
    needed = planner_of([1.0] * 10 + [-1.0] * 10 + [0.0] * 80).needed(0.1)
    generator = np.random.default_rng(1)
    shape = (1500, needed)
    gaps = generator.choice([1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], shape)
    gaps = np.where(generator.random(shape) < 0.1, -1.0, gaps)
    test = PairedTest(gaps, np.ones(needed), 1.0)
    assert 0.75 < np.mean(test.p_value() <= 0.05) < 0.9


def test_so_many_questions_rule_out_the_margin_in_four_of_five_samples():
    needed = planner_of([1.0] * 10 + [-1.0] * 10 + [0.0] * 80).needed(0.1, to="rule out")
    # (1.645 + .84)² · .2 / .1² = 124
    assert 110 < needed < 150
    gaps = np.random.default_rng(2).choice([1.0, -1.0, *[0.0] * 8], (1500, needed))
    test = PairedTest(gaps, np.ones(needed), 1.0)
    assert 0.75 < np.mean(test.p_above(-0.1) <= 0.05) < 0.9
    # 52 · .05 / .95 = 2.74; its root is above the t of 1.675, as that of 51 is not.
    assert planner_of([0.0] * 30).needed(0.05, to="rule out") in range(52, 58)


def test_more_metrics_a_smaller_effect_and_larger_documents_take_more_questions():
    gaps = np.array([0.5] * 5 + [-0.5] * 5 + [0.0] * 40)[:, None]
    alone = np.eye(50)
    single, several = (planners_of(np.repeat(gaps, metrics, 1), alone) for metrics in (1, 8))
    mixed = np.stack([np.roll(gaps[:, 0], 7 * shift) for shift in range(8)], axis=1)
    (fours,) = planners_of(np.repeat(gaps, 4, 0), np.repeat(alone, 4, 0))
    needed = single[0].needed(0.1)
    # At the level of .04 the one that decides takes (2.05 + .84)² / (1.96 + .84)² = 1.07 times as
    # many, each number told to a tenth; others at .01 (2.58 + .84)² / (1.96 + .84)² = 1.5 times.
    assert several[0].needed(0.1) <= 1.2 * needed
    assert 1.3 * needed < several[3].needed(0.1) < 1.8 * needed
    assert planners_of(mixed, alone)[3].needed(0.1) > 1.8 * needed
    assert single[0].needed(0.05) > 2 * needed
    assert fours.needed(0.1) > 2 * needed


def test_what_a_size_can_show_is_what_takes_that_size():
    planner = planner_of([1 / 3] * 5 + [-1 / 3] * 5 + [0.0] * 40)
    shown = planner.smallest(60)
    assert planner.chance(shown, 60) == pytest.approx(0.8, abs=0.06)
    assert planner.chance(shown - 1 / 256, 60) < 0.8 <= planner.chance(shown, 60)
    assert planner.smallest(5) is None  # 2 / 2**5 is above .05


def test_scores_without_bounds_differ_by_what_is_asked_for():
    gaps = np.random.default_rng(2).normal(0, 10, 200)
    # (1.96 + .84)² · 10² / 5² = 31, and two for Student's t
    assert 28 <= planner_of(gaps, np.inf).needed(5.0) <= 38


def test_scores_of_a_wider_range_take_as_many():
    gaps = np.array([1 / 3] * 10 + [-1 / 3] * 10 + [0.0] * 40)
    for to in ("show", "rule out"):
        needed = planner_of(gaps).needed(0.1, to=to)
        assert planner_of(5 * gaps, 5.0).needed(0.5, to=to) == needed
    assert planner_of(5 * gaps, 5.0).smallest(60) == pytest.approx(
        5 * planner_of(gaps).smallest(60)
    )


@pytest.mark.parametrize("kind", ["thirds", "normal"])
def test_a_difference_is_shown_in_four_of_five_samples_of_documents_of_five(kind):
    generator = np.random.default_rng(3)

    def draw(effect, samples):
        if kind == "normal":
            return 0.3 * generator.normal(size=(samples, 100)) - effect
        steps = generator.random((samples, 100))
        return (1.0 * (steps < 0.15) - (steps > 0.85 - 3 * effect)) / 3

    fives = np.repeat(np.eye(20), 5, 0)
    planners = [Planner(paired_test(row, members=fives, width=1.0)) for row in draw(0.0, 20)]
    shown = np.mean([planner.smallest(100) for planner in planners])
    test = paired_tests(draw(shown, 1500), fives, 1.0)
    assert 0.75 < np.mean(test.p_value() <= 0.05) < 0.9


def test_a_small_difference_takes_as_many_as_the_formula_says():
    # (1.96 + .84)² · (.1 + .02) / .02² = 2,352: falls come beside what changes by chance.
    planner = planner_of([1.0] * 10 + [-1.0] * 10 + [0.0] * 180)
    assert planner.needed(0.02) == pytest.approx(2_352, rel=0.12)


def test_documents_of_scores_without_bounds_are_what_is_drawn():
    gaps, fives = np.random.default_rng(2).normal(0, 10, 300), np.repeat(np.eye(60), 5, 0)
    # 26 documents of a mean with a deviation of 10 / √5: (2.06 + .86)² · 20 / 2.5² = 27
    needed = Planner(paired_test(gaps, members=fives)).needed(2.5)
    assert 110 <= needed <= 160


def test_a_small_level_takes_a_few_more_but_no_more_changes_of_sign_than_there_are():
    test = paired_test([1.0] * 10 + [-1.0] * 10 + [0.0] * 20, width=1.0)
    # (3.48 + .84)² / (1.96 + .84)² = 2.4
    at_05, at_0005 = (Planner(test, alpha).needed(0.3) for alpha in (0.05, 0.0005))
    assert 2 * at_05 < at_0005 < 3 * at_05
    # 2 / 2**6 is .03, and 2 / 2**11 is .001
    lost = paired_test([-1.0] * 40, width=1.0)
    assert [Planner(lost, alpha).chance(1.0, 11) for alpha in (0.05, 0.0011, 0.0009)] == [1, 1, 0]
    assert [Planner(lost).chance(1.0, size) for size in (5, 6)] == [0.0, 1.0]


def test_neither_the_order_of_questions_nor_that_of_the_runs_changes_a_plan():
    generator = np.random.default_rng(4)
    gaps, documents = generator.integers(-3, 4, 60) / 3, np.arange(60) // 4
    order = generator.permutation(60)
    plans = [
        (planner.smallest(60), planner.needed(0.1), planner.needed(0.1, to="rule out"))
        for row, labels in ((gaps, documents), (-gaps, documents), (gaps[order], documents[order]))
        for planner in [Planner(paired_test(row, clusters=labels.tolist(), width=2.0))]
    ]
    assert plans[0] == plans[1] == plans[2]


def test_an_effect_or_a_power_out_of_range_is_refused():
    with pytest.raises(InputError, match="effect is 0"):
        planner_of([0.0, 1.0]).needed(0.0)
    with pytest.raises(InputError, match="power must"):
        planner_of([0.0, 1.0]).needed(0.1, power=1.0)


def test_a_pilot_of_one_small_change_does_not_promise_to_show_smaller_ones():
    # One of 50 questions changed by .02: others may change by more.
    assert planner_of([0.02] + [0.0] * 49).needed(0.1) > 20


def test_a_difference_is_shown_in_four_of_five_samples_of_questions_on_two_documents():
    generator = np.random.default_rng(5)
    members = np.eye(40)[generator.integers(40, size=100)]
    members[:30] += np.roll(members[:30], 7, axis=1)
    members /= np.sqrt(members.sum(axis=1, keepdims=True))

    def draw(effect, samples):
        steps = generator.random((samples, 100))
        return 1.0 * (steps < 0.15) - (steps > 0.85 - effect)

    planners = [Planner(paired_test(row, members=members, width=1.0)) for row in draw(0.0, 20)]
    shown = np.mean([planner.smallest(100) for planner in planners])
    test = paired_tests(draw(shown, 400), members, 1.0)
    assert 0.75 < np.mean(test.p_value() <= 0.05) < 0.9


def test_questions_that_link_a_dozen_documents_promise_no_more_than_their_test_shows():
    generator = np.random.default_rng(5)
    members = np.eye(12)[generator.integers(12, size=60)]
    members = (members + np.roll(members, 3, axis=1)) / np.sqrt(2)

    def draw(effect, samples):
        return 0.3 * generator.normal(size=(samples, 60)) - effect

    tests = [paired_test(row, members=members, width=10.0) for row in draw(0.0, 40)]
    promised = np.mean([Planner(test).chance(0.12, 60) for test in tests])
    shown = np.mean(paired_tests(draw(0.12, 1500), members, 10.0).p_value() <= 0.05)
    assert promised == pytest.approx(shown, abs=0.1)


def test_a_pilot_of_few_documents_promises_less_for_its_deviation_may_be_too_small():
    # Of normal values, by 5 documents and by 80 of the same deviation.
    gaps = np.tile([0.3, -0.3, 0.6, -0.6, 0.0], 16)
    few, many = (Planner(paired_test(gaps[:count])).smallest(100) for count in (5, 80))
    assert few > 1.2 * many


def test_with_more_questions_than_are_simulated_smaller_differences_are_shown():
    planner = planner_of([1.0] * 10 + [-1.0] * 10 + [0.0] * 80)
    # 1 / √4 of the difference, but for the falls, which vary less the fewer they are
    assert planner.smallest(1600) == pytest.approx(planner.smallest(400) / 2, rel=0.15)
