"""Intervals of agreement: worked values, ends of the range, and how often they cover."""

from typing import Any

import numpy as np
import pytest

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.inference import wilson
from llamaindex_rag_eval.stats.raters import (
    auc_interval,
    cohen_kappa,
    kappa_interval,
    roc_auc,
    spearman_interval,
)


def test_kappa_s_interval_is_that_of_the_agreement_rescaled() -> None:
    left = [True] * 30 + [False] * 10
    right = [True] * 25 + [False] * 15
    found, share = kappa_interval(left, right), wilson(35, 40)
    assert found is not None
    assert share is not None
    chance = 3 / 4 * 5 / 8 + 1 / 4 * 3 / 8
    assert found.low == pytest.approx(1 - (1 - share.low) / (1 - chance), abs=0.03)
    assert cohen_kappa(left, right) in [
        pytest.approx(1 - (1 - 35 / 40) / (1 - chance)),
    ]
    assert (cohen_kappa(left, right) or 0.0) in found


@pytest.mark.parametrize("flip", [0.02, 0.1, 0.3])
def test_kappa_is_covered(flip: float) -> None:
    generator = np.random.default_rng(1)
    held = 0
    for _ in range(300):
        people = generator.random(50) < 0.5
        judge = people ^ (generator.random(50) < flip)
        found = kappa_interval(people.tolist(), judge.tolist())
        held += found is not None and 1 - 2 * flip in found
    # 95 of 100 are promised; .02 of 50 is one disagreement.
    assert held >= 0.9 * 300


@pytest.mark.parametrize(("shift", "auc"), [(0.5, 0.6382), (1.5, 0.8556), (3.0, 0.9831)])
def test_auc_is_covered(shift: float, auc: float) -> None:
    generator = np.random.default_rng(2)
    held = 0
    for _ in range(300):
        people = generator.random(50) < 0.5
        scores = generator.normal(size=50) + shift * people
        found = auc_interval(people.tolist(), scores.tolist())
        held += found is not None and auc in found
    assert held >= 0.92 * 300


def test_auc_of_one_half_is_in_the_middle_of_its_interval() -> None:
    positive, scores = [True, True, False, False] * 5, [1.0, 0.0, 1.0, 0.0] * 5
    found = auc_interval(positive, scores)
    assert found is not None
    assert roc_auc(positive, scores) == 1 / 2
    assert found.low + found.high == pytest.approx(1)


def test_a_perfect_correlation_has_a_width() -> None:
    found = spearman_interval(1.0, 10)
    assert found is not None
    assert found.high == 1.0
    assert found.low < 0.98
    other = spearman_interval(-1.0, 10)
    assert other is not None
    assert (other.low, other.high) == (-1.0, pytest.approx(-found.low))


def test_too_few_items_have_no_interval() -> None:
    assert kappa_interval([], []) is None
    assert kappa_interval([True], [True]) is None
    assert kappa_interval([True] * 9, [True] * 9) is None
    assert auc_interval([True, False, False], [1, 0, 0]) is None
    assert spearman_interval(0.5, 3) is None


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(InputError, match="equally long"):
        kappa_interval([True], [])
    with pytest.raises(InputError, match="finite"):
        auc_interval([True, False], [float("nan"), 0.0])
    with pytest.raises(InputError, match="level"):
        spearman_interval(0.5, 30, level=1.0)


def test_auc_equals_that_of_scikit_learn() -> None:
    metrics = pytest.importorskip("sklearn.metrics")
    generator = np.random.default_rng(6)
    positive = (generator.random(80) < 0.7).tolist()
    scores = (generator.random(80) + 0.4 * np.array(positive)).round(1).tolist()
    assert roc_auc(positive, scores) == pytest.approx(metrics.roc_auc_score(positive, scores))


def test_one_sided_labels_leave_auc_undefined() -> None:
    assert roc_auc([False, False], [0.0, 1.0]) is None


def test_a_verdict_that_is_neither_yes_nor_no_is_refused() -> None:
    verdicts: list[Any] = [True, None]
    with pytest.raises(InputError, match="True or False"):
        roc_auc(verdicts, [0.0, 1.0])
