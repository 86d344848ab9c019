"""Planning: the number of questions that is said shows the difference, in samples of its own."""

import numpy as np
import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.paired import PairedTest
from llamaindex_rag_eval.stats.planning import Pilot, chance_to_show, questions_needed, shown_by


def pilot_of(gaps, width=1.0):
    """Return the pilot of one metric, each question a cluster."""
    column = np.asarray(gaps, dtype=float)[:, None]
    return Pilot(column, (column != 0) * 1.0, np.ones(len(column)), [width])


def test_so_many_questions_show_the_difference_in_four_of_five_samples():
    # One question in five changes by chance, half of them up.
    pilot = pilot_of([1.0] * 10 + [-1.0] * 10 + [0.0] * 80)
    needed = questions_needed(pilot, 0, 0.1)
    generator = np.random.default_rng(1)
    shape = (1500, needed)
    gaps = generator.choice([1.0, -1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0], shape)
    gaps = np.where(generator.random(shape) < 0.1, -1.0, gaps)
    test = PairedTest(gaps, np.ones(needed), (gaps != 0).sum(axis=1) * 1.0, 1.0)
    assert 0.75 < np.mean(test.p_value() <= 0.05) < 0.9


def test_more_metrics_a_smaller_effect_and_larger_clusters_take_more_questions():
    one = pilot_of([0.5] * 5 + [-0.5] * 5 + [0.0] * 40)
    several = Pilot(np.repeat(one.sums, 8, 1), np.repeat(one.changed, 8, 1), one.counts, [1.0] * 8)
    whole = Pilot(one.sums * 4, one.changed * 4, one.counts * 4, [1.0])
    needed = questions_needed(one, 0, 0.1)
    assert questions_needed(several, 3, 0.1) > 1.2 * needed
    assert questions_needed(one, 0, 0.05) > 2 * needed
    assert questions_needed(whole, 0, 0.1) > 2 * needed


def test_what_a_size_can_show_is_what_takes_that_size():
    pilot = pilot_of([1 / 3] * 5 + [-1 / 3] * 5 + [0.0] * 40)
    shown = shown_by(pilot, 0, 60)
    assert chance_to_show(pilot, 0, shown, 60) == pytest.approx(0.8, abs=0.06)
    assert shown_by(pilot, 0, 5) is None  # 2 / 2**5 is above .05


def test_scores_without_bounds_differ_by_what_is_asked_for():
    gaps = np.random.default_rng(2).normal(0, 10, 200)
    needed = questions_needed(pilot_of(gaps, np.inf), 0, 5.0)
    # (1.96 + .84)² · 10² / 5² = 31, and two for Student's t
    assert 28 <= needed <= 38


def test_an_effect_or_a_power_out_of_range_is_refused():
    with pytest.raises(InputError, match="effect is 0"):
        questions_needed(pilot_of([0.0, 1.0]), 0, 0.0)
    with pytest.raises(InputError, match="power must"):
        questions_needed(pilot_of([0.0, 1.0]), 0, 0.1, power=1.0)
