"""Sample values: the checks of every statistic's input, and values summed up by group."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from llamaindex_rag_eval.errors import InputError

__all__ = [
    "Differences",
    "Floats",
    "between_0_and_1",
    "differences_of",
    "finite",
    "group_sums",
    "same_length",
]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Differences:
    """Paired differences, checked and summed up by group: what paired tests compute from.

    Attributes:
        values: `left - right`, shape (n,).
        sums: The sum of each group, shape (number of groups,).
        counts: The pairs in each group, same shape.
    """

    values: Floats
    sums: Floats
    counts: Floats


def differences_of(
    left: Sequence[float], right: Sequence[float], groups: Sequence[Hashable] | None = None
) -> Differences:
    """Return `left - right`, entry by entry.

    Args:
        left: Scores of one pipeline, question by question.
        right: Scores of the other on the same questions.
        groups: The group of each question; None makes each question a group of its own.

    Raises:
        InputError: The lists do not fit, or hold numbers that are not finite.
    """
    same_length(left, right)
    values = finite(left, name="left") - finite(right, name="right")
    return Differences(values, *group_sums(values, groups))


def finite(values: Sequence[float], *, name: str = "values") -> Floats:
    """Return the values as an array of shape (n,).

    Raises:
        InputError: They are not one list of finite numbers.

    Example:
        >>> finite([1, 0])
        array([1., 0.])
    """
    array = np.asarray(values, dtype=np.float64)
    if array.ndim != 1 or not np.isfinite(array).all():
        raise InputError(f"{name} must be one list of finite numbers; leave undefined ones out")
    return array


def same_length(left: Sequence[object], right: Sequence[object]) -> None:
    """Check that two lists belong together, entry by entry.

    Raises:
        InputError: They differ in length.
    """
    if len(left) != len(right):
        raise InputError(f"paired lists must be equally long, got {len(left)} and {len(right)}")


def between_0_and_1(value: float, *, name: str) -> None:
    """Check a probability that may be neither 0 nor 1, such as a confidence level.

    Raises:
        InputError: It is not strictly between 0 and 1.
    """
    if not 0 < value < 1:
        raise InputError(f"{name} must be above 0 and below 1, got {value!r}")


def group_sums(values: Floats, groups: Sequence[Hashable] | None) -> tuple[Floats, Floats]:
    """Return the sum and the count of each group, in the order in which groups first appear.

    Args:
        values: Shape (n,).
        groups: The group of each value; None makes each value a group of its own.

    Returns:
        Two arrays of shape (number of groups,).

    Raises:
        InputError: There are not as many groups as values.

    Example:
        >>> group_sums(finite([1, 2, 4]), ["a", "b", "a"])
        (array([5., 2.]), array([2., 1.]))
    """
    if groups is None:
        return values, np.ones_like(values)
    if len(groups) != len(values):
        raise InputError(f"{len(values)} values need as many groups, got {len(groups)}")
    numbers: dict[Hashable, int] = {}
    index = np.array([numbers.setdefault(group, len(numbers)) for group in groups], dtype=np.intp)
    sums, counts = np.bincount(index, weights=values), np.bincount(index)
    return sums.astype(np.float64), counts.astype(np.float64)
