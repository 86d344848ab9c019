"""Significance: p-values corrected for the number of tests."""

from collections.abc import Sequence

import numpy as np

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.sample_values import finite


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
    given = finite(p_values, name="p-values")
    if ((given < 0) | (given > 1)).any():
        raise InputError(f"p-values must lie in [0, 1], got {list(p_values)!r}")
    order = np.argsort(given, kind="stable")
    raised = np.maximum.accumulate(given[order] * np.arange(len(given), 0, -1))
    return tuple(np.minimum(raised, 1.0)[np.argsort(order)].tolist())
