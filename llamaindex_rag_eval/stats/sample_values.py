"""Sample values: the checks of every statistic's input."""

from collections.abc import Sequence, Sized

import numpy as np
import numpy.typing as npt

from llamaindex_rag_eval.errors import InputError

Floats = npt.NDArray[np.float64]

Values = Sequence[float] | npt.NDArray[np.floating]


def finite(values: Values, *, name: str = "values") -> Floats:
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


def same_length(left: Sized, right: Sized) -> None:
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
