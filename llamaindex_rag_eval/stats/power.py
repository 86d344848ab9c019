"""Power: how many questions show a difference, and which difference do so many questions show?

All for the two-sided paired t-test, to which the permutation test and the paired bootstrap come
close in power. Exact by the noncentral t distribution; source: Cohen (1988), "Statistical Power
Analysis for the Behavioral Sciences", chapter 2.
"""

import math

from llamaindex_rag_eval.errors import InputError

__all__ = ["minimal_detectable_difference", "paired_power", "required_n"]

LARGEST_N = 10_000_000
"""No test set is larger: a greater answer comes from a wrong difference or deviation."""


def paired_power(
    difference: float, *, standard_deviation: float, n: int, alpha: float = 0.05
) -> float:
    """Return the chance that a test finds a true mean difference significant.

    Args:
        difference: The true mean of the paired differences, in the unit of the scores.
        standard_deviation: Of the paired differences, above 0.
        n: Questions, at least 2.
        alpha: Significance level, in (0, 1).

    Returns:
        A probability in [alpha, 1], higher is better; `alpha` for a difference of 0.

    Raises:
        InputError: An argument is out of range.

    Example:
        >>> round(paired_power(0.5, standard_deviation=1.0, n=34), 3)
        0.808
    """
    from scipy import special

    _check(standard_deviation, alpha)
    if n < 2:
        raise InputError(f"n must be at least 2, got {n!r}")
    shift = abs(difference) / standard_deviation * math.sqrt(n)
    critical = float(special.stdtrit(n - 1, 1 - alpha / 2))
    missed = float(special.nctdtr(n - 1, shift, critical))
    if math.isnan(missed):  # scipy's answer where the chance to miss it is below 1e-16
        return 1.0
    # Past 5 the wrong side has no weight left, and scipy no longer computes it.
    wrong_side = float(special.nctdtr(n - 1, shift, -critical)) if shift < 5 else 0.0
    return 1 - missed + wrong_side


def minimal_detectable_difference(
    *, standard_deviation: float, n: int, alpha: float = 0.05, power: float = 0.8
) -> float | None:
    """Return the smallest true mean difference that `n` questions show with the power asked for.

    Args:
        standard_deviation: Of the paired differences, 0 or more.
        n: Questions.
        alpha: Significance level, in (0, 1).
        power: Chance to see it, above `alpha` and below 1.

    Returns:
        A difference in the unit of the scores, from 0 up; None for fewer than two questions.

    Raises:
        InputError: An argument is out of range.

    Example:
        >>> round(minimal_detectable_difference(standard_deviation=0.25, n=100), 3)
        0.071
    """
    from scipy import optimize

    _check(standard_deviation or 1.0, alpha, power)
    if n < 2 or not standard_deviation:
        return None if n < 2 else 0.0

    def lacking(effect: float) -> float:
        return paired_power(effect, standard_deviation=1.0, n=n, alpha=alpha) - power

    high = 1.0
    while lacking(high) < 0:
        high *= 2
    return float(optimize.brentq(lacking, 0.0, high)) * standard_deviation


def required_n(
    difference: float, *, standard_deviation: float, alpha: float = 0.05, power: float = 0.8
) -> int:
    """Return the fewest questions that show a true mean difference with the power asked for.

    Args:
        difference: The true mean difference, in the unit of the scores, not 0.
        standard_deviation: Of the paired differences, above 0.
        alpha: Significance level, in (0, 1).
        power: Chance to see it, above `alpha` and below 1.

    Returns:
        A count of questions, at least 2.

    Raises:
        InputError: An argument is out of range, or it would take over ten million questions.

    Example:
        >>> required_n(0.5, standard_deviation=1.0)
        34
    """
    _check(standard_deviation, alpha, power)

    def enough(n: int) -> bool:
        return (
            paired_power(difference, standard_deviation=standard_deviation, n=n, alpha=alpha)
            >= power
        )

    high = 2
    while not enough(high):
        high *= 2
        if high > LARGEST_N:
            raise InputError(f"a difference of {difference!r} takes over {LARGEST_N:,} questions")
    low = high // 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def _check(standard_deviation: float, alpha: float, power: float | None = None) -> None:
    if not 0 < alpha < 1:
        raise InputError(f"alpha must be above 0 and below 1, got {alpha!r}")
    if not 0 < standard_deviation < math.inf:
        raise InputError(f"standard_deviation must be above 0, got {standard_deviation!r}")
    if power is not None and not alpha < power < 1:
        raise InputError(f"power must be above alpha {alpha!r} and below 1, got {power!r}")
