"""Significance: McNemar's exact test, and p-values corrected for the number of tests."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.sample_values import Floats, finite, same_length

__all__ = ["McNemarTest", "benjamini_hochberg", "holm", "mcnemar_exact"]


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
