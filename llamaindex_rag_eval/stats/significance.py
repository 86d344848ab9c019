"""Significance: tests of paired scores, and p-values corrected for the number of tests."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.sample_values import (
    Differences,
    Floats,
    differences_of,
    finite,
    same_length,
)

__all__ = [
    "McNemarTest",
    "PermutationTest",
    "benjamini_hochberg",
    "holm",
    "mcnemar_exact",
    "paired_permutation",
    "permutation_test",
]

EXACT_UP_TO = 18
"""Up to so many differences all 2**n signs are tried: 262,144 sums take some milliseconds."""

RESAMPLES = 20_000
"""Random signs tried; the error of a p-value of 0.05 is then about 0.0015."""

CELLS = 4_000_000
"""Signs held in memory at once."""


@dataclass(frozen=True, slots=True)
class PermutationTest:
    """The outcome of a two-sided paired permutation test.

    Attributes:
        difference: Mean of `left - right`.
        p_value: In (0, 1]; the smaller, the less likely by chance alone.
        exact: Whether all signs were tried, rather than a seeded random choice of them.
        n: Pairs compared.
    """

    difference: float
    p_value: float
    exact: bool
    n: int


@dataclass(frozen=True, slots=True)
class McNemarTest:
    """The outcome of McNemar's exact test.

    Attributes:
        only_left: Questions that only the left pipeline passes.
        only_right: Questions that only the right one passes.
        p_value: Two-sided, in (0, 1]; 1 if they never disagree.
        n: Pairs compared.
    """

    only_left: int
    only_right: int
    p_value: float
    n: int


def paired_permutation(
    left: Sequence[float],
    right: Sequence[float],
    *,
    groups: Sequence[Hashable] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> PermutationTest | None:
    """Return how often random signs give a mean difference at least as large: a sign-flip test.

    If the pipelines were alike, each difference could as well have the other sign. Source: Fisher
    (1935), "The Design of Experiments", section 21; Smucker, Allan and Carterette (2007), "A
    Comparison of Statistical Significance Tests for Information Retrieval Evaluation".

    Args:
        left: Scores of one pipeline, question by question.
        right: Scores of the other on the same questions.
        groups: The group of each question; a group changes sign as a whole.
        resamples: Random signs tried where there are too many to try all.
        seed: Same seed, same p-value.

    Returns:
        The test; its p-value is 1 if all pairs are equal, and at least 1 / (resamples + 1) when
        not exact (Phipson and Smyth 2010). None without pairs.

    Raises:
        InputError: The lists do not fit, hold numbers that are not finite, or `resamples` < 1.

    Example:
        >>> paired_permutation([1.0, 1.0, 1.0], [0.0, 0.0, 0.0]).p_value  # 2 of 2**3 signs
        0.25
    """
    return permutation_test(differences_of(left, right, groups), resamples=resamples, seed=seed)


def permutation_test(
    differences: Differences, *, resamples: int = RESAMPLES, seed: int = 0
) -> PermutationTest | None:
    """Return what `paired_permutation` returns, of differences that are computed already."""
    if resamples < 1:
        raise InputError(f"resamples must be at least 1, got {resamples!r}")
    if not len(differences.values):
        return None
    sums = differences.sums[differences.sums != 0]  # the sign of 0 changes nothing
    exact = len(sums) <= EXACT_UP_TO
    p_value = _exact_p(sums) if exact else _drawn_p(sums, resamples=resamples, seed=seed)
    mean = float(differences.values.mean())
    return PermutationTest(mean, p_value, exact, len(differences.values))


def _exact_p(sums: Floats) -> float:
    totals = np.zeros(1)
    for gap in sums:
        totals = np.concatenate([totals + gap, totals - gap])
    return float(np.mean(np.abs(totals) >= _limit(sums)))


def _drawn_p(sums: Floats, *, resamples: int, seed: int) -> float:
    generator = np.random.default_rng(seed)
    limit, extreme = _limit(sums), 0
    for start in range(0, resamples, step := max(1, CELLS // len(sums))):
        rows = min(step, resamples - start)
        turned = generator.integers(2, size=(rows, len(sums)), dtype=np.int8)
        totals = sums.sum() - 2 * (turned @ sums)
        extreme += int(np.count_nonzero(np.abs(totals) >= limit))
    return (1 + extreme) / (1 + resamples)


def _limit(sums: Floats) -> float:
    # Equal totals added in another order differ in the last digits: they must still tie.
    return float(abs(sums.sum()) - 1e-9 * np.abs(sums).sum())


def mcnemar_exact(left: Sequence[bool], right: Sequence[bool]) -> McNemarTest | None:
    """Test whether two pipelines pass equally often, by the questions on which they differ.

    With b and c questions passed by one alone, p = min(1, 2 · P(Binomial(b + c, ½) ≤ min(b, c))).
    Source: McNemar (1947), in its exact binomial form.

    Args:
        left: Whether the left pipeline passes each question.
        right: Whether the right one does.

    Returns:
        The test; None without pairs.

    Raises:
        InputError: The lists differ in length, or hold something other than yes and no.

    Example:
        >>> mcnemar_exact([True] * 5, [False] * 5).p_value  # 2 / 2**5
        0.0625
    """
    from scipy import special

    same_length(left, right)
    if any(verdict not in (True, False) for verdict in (*left, *right)):
        raise InputError("verdicts must be True or False; leave undefined ones out")
    if not left:
        return None
    only_left = sum(bool(a) and not b for a, b in zip(left, right, strict=True))
    only_right = sum(bool(b) and not a for a, b in zip(left, right, strict=True))
    tail = float(special.bdtr(min(only_left, only_right), only_left + only_right, 0.5))
    return McNemarTest(only_left, only_right, min(1.0, 2 * tail), len(left))


def holm(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return p-values adjusted so that the chance of any false alarm stays at the level.

    The i-th smallest of m becomes the largest of (m - j + 1)·p_j over j ≤ i, at most 1. Valid
    however the tests depend on one another. Source: Holm (1979), "A Simple Sequentially Rejective
    Multiple Test Procedure".

    Args:
        p_values: One for each test, in any order.

    Returns:
        Adjusted p-values in [0, 1], in the same order, none smaller than given; empty for none.

    Raises:
        InputError: A p-value is not in [0, 1].

    Example:
        >>> holm([0.25, 0.125])
        (0.25, 0.25)
    """
    given = _p_values(p_values)
    order = np.argsort(given, kind="stable")
    raised = np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1))
    return _in_order(raised, order)


def benjamini_hochberg(p_values: Sequence[float]) -> tuple[float, ...]:
    """Return p-values adjusted so that the expected share of false alarms stays at the level.

    The i-th smallest of m becomes the smallest of (m/j)·p_j over j ≥ i. Valid for independent
    and for positively dependent tests. Source: Benjamini and Hochberg (1995), "Controlling the
    False Discovery Rate".

    Args:
        p_values: One for each test, in any order.

    Returns:
        Adjusted p-values in [0, 1], in the same order, none smaller than given; empty for none.

    Raises:
        InputError: A p-value is not in [0, 1].

    Example:
        >>> benjamini_hochberg([0.125, 0.5, 0.25, 1.0])
        (0.5, 0.6666666666666666, 0.5, 1.0)
    """
    given = _p_values(p_values)
    order = np.argsort(given, kind="stable")
    scaled = given[order] * (len(given) / np.arange(1, len(given) + 1))
    return _in_order(np.minimum.accumulate(scaled[::-1])[::-1], order)


def _p_values(p_values: Sequence[float]) -> Floats:
    given = finite(p_values, name="p-values")
    if ((given < 0) | (given > 1)).any():
        raise InputError(f"p-values must lie in [0, 1], got {list(p_values)!r}")
    return given


def _in_order(
    adjusted: Floats, order: np.ndarray[tuple[int], np.dtype[np.intp]]
) -> tuple[float, ...]:
    back = np.empty_like(adjusted)
    back[order] = np.minimum(adjusted, 1.0)
    return tuple(back.tolist())
