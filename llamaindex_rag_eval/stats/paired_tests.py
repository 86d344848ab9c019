"""Permutation: could the difference between two pipelines be the luck of the questions?"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.sample_values import Floats, finite, group_sums, same_length

__all__ = ["PermutationTest", "paired_permutation"]

EXACT_UP_TO = 18
"""Differences for which all 2**n signs are tried: 262,144 sums take some milliseconds."""

RESAMPLES = 20_000
"""The error of a p-value of 0.05 is then about 0.0015."""

CELLS = 4_000_000
"""Signs held in memory at once."""


@dataclass(frozen=True, slots=True)
class PermutationTest:
    """The outcome of a two-sided paired permutation test.

    Attributes:
        difference: Mean of `left - right`.
        p_value: In (0, 1]; the smaller, the less it looks like luck.
        exact: Whether all signs were tried, rather than a seeded random choice of them.
        n: Pairs compared.
    """

    difference: float
    p_value: float
    exact: bool
    n: int


def paired_permutation(
    left: Sequence[float],
    right: Sequence[float],
    *,
    groups: Sequence[Hashable] | None = None,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> PermutationTest | None:
    """Return how often swapping the pipelines by coin gives a mean difference at least as large.

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
    same_length(left, right)
    if resamples < 1:
        raise InputError(f"resamples must be at least 1, got {resamples!r}")
    gaps = finite(left, name="left") - finite(right, name="right")
    if not len(gaps):
        return None
    sums, _ = group_sums(gaps, groups)
    sums = sums[sums != 0]  # turning 0 around changes nothing
    exact = len(sums) <= EXACT_UP_TO
    p_value = _exact_p(sums) if exact else _drawn_p(sums, resamples=resamples, seed=seed)
    return PermutationTest(float(gaps.mean()), p_value, exact, len(gaps))


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
