"""Student's t: the interval of a mean of numbers that are roughly normal, or many."""

import math
from collections.abc import Sequence

import numpy as np
from scipy import special

from llamaindex_rag_eval.stats.interval import DEFAULT_LEVEL, Interval
from llamaindex_rag_eval.stats.sample_values import between_0_and_1, finite

__all__ = ["t_interval"]


def t_interval(values: Sequence[float], *, level: float = DEFAULT_LEVEL) -> Interval | None:
    """Return mean ± t_{n-1} · s / √n.

    Source: Student (1908), "The Probable Error of a Mean".

    Args:
        values: Independent numbers; leave undefined ones out.
        level: Confidence, in (0, 1).

    Returns:
        An interval in the unit of the values; it may reach beyond their range. Both ends are the
        mean if all values are equal. None for fewer than two values.

    Raises:
        InputError: A value is not finite, or `level` is out of range.

    Example:
        >>> interval = t_interval([0.0, 1.0])  # 1/2 ± 12.706 · (√2/2) / √2
        >>> round(interval.low, 3), round(interval.high, 3)
        (-5.853, 6.853)
    """
    between_0_and_1(level, name="level")
    array = finite(values)
    if len(array) < 2:
        return None
    mean = float(array.mean())
    error = float(np.std(array, ddof=1)) / math.sqrt(len(array))
    reach = float(special.stdtrit(len(array) - 1, (1 + level) / 2)) * error
    return Interval(low=mean - reach, high=mean + reach, level=level)
