"""What every statistic checks about the numbers it is given, and how it adds up groups."""

from collections.abc import Hashable, Sequence

import numpy as np
import numpy.typing as npt

from llamaindex_rag_eval.errors import InputError

__all__ = ["Floats", "between_0_and_1", "finite", "group_sums", "same_length"]

Floats = npt.NDArray[np.float64]


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
