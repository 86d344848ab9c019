"""Power: how many questions show a difference, and which difference do so many questions show?

`paired_power` is exact for the two-sided paired t-test of normal differences; source: Cohen (1988),
"Statistical Power Analysis for the Behavioral Sciences", chapter 2. Scores are not normal: a
difference comes from questions that change, which adds to the variance, and few questions that
change cannot be significant at all. `shown_difference` reckons with both for the test that a
comparison uses; `tests/benchmarks/inference_errors.py` checks it by simulation. A question is
taken to change by as much as those that were seen to: where a fall comes from changes twice as
large, what is said to be shown in 80 of 100 samples is shown in 55 to 75.
"""

import math

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.paired import PairedTest
from llamaindex_rag_eval.stats.sample_values import least

HALVINGS = 20
"""Steps of a bisection: a millionth of the range."""


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
    return 1 - missed + (0.0 if math.isnan(wrong_side) else wrong_side)


def least_changed(alpha: float) -> int:
    """Return how many questions must change for any difference to be significant.

    If all of k change the same way, the sign test has p = 2 / 2**k.

    Example:
        >>> least_changed(0.05), least_changed(0.05 / 8)
        (6, 9)
    """
    return math.ceil(1 - math.log2(alpha) - 1e-12)


def power_of(test: PairedTest, difference: float, *, alpha: float = 0.05) -> float:
    """Return the chance that as many questions as these show a true mean difference.

    Args:
        test: Of the differences that were seen; they say how much questions vary.
        difference: The true mean difference, in the unit of the scores.
        alpha: The level of the test, in (0, 1).

    Returns:
        A probability in [0, 1]; 0 below two clusters.
    """
    from scipy import special

    size, questions = float(test.design.size), int(test.design.n)
    if not test.design.freedom > 0:
        return 0.0
    deviation = math.sqrt(float(test.variance_at(difference)) * size)
    if not deviation:
        return 1.0 if difference and questions >= least_changed(alpha) else 0.0
    chance = paired_power(
        difference,
        standard_deviation=deviation,
        n=max(2, round(float(test.design.freedom)) + 1),
        alpha=alpha,
    )
    share = float(test.changed) / questions
    if test.bounded:
        share = min(1.0, max(share, abs(difference) / float(test.lump)))
    # At least so many of the questions change: a binomial tail.
    enough = least_changed(alpha)
    change = float(special.bdtrc(enough - 1, questions, share)) if questions >= enough else 0.0
    return min(chance, change)


def shown_difference(test: PairedTest, *, alpha: float = 0.05, power: float = 0.8) -> float | None:
    """Return the smallest true mean difference that as many questions show.

    Args:
        test: Of the differences that were seen.
        alpha: The level of the test, in (0, 1); divide it by the number of metrics.
        power: The chance to see it, above `alpha` and below 1.

    Returns:
        A difference in the unit of the scores; None if even the greatest would be missed.

    Raises:
        InputError: An argument is out of range.

    Example:
        >>> from llamaindex_rag_eval.stats.paired import paired_test
        >>> shown_difference(paired_test([0.0] * 5, width=1)) is None  # 2 / 2**5 is above .05
        True
        >>> round(shown_difference(paired_test([0.0] * 50, width=1)), 2)
        0.15
    """
    _check(1.0, alpha, power)
    high = test.width if test.bounded else max(1e-9, float(test.variance_at(0.0)) ** 0.5)

    def enough(effect: float) -> bool:
        return power_of(test, effect, alpha=alpha) >= power

    for _ in range(0 if test.bounded else 60):
        if enough(high):
            break
        high *= 2
    # Of a greater difference than half of what there can be, the variance falls again.
    high *= 1 - 1e-9
    step = high / 2 ** (HALVINGS - 0.5)  # what rounds is no halving more or less
    return least(enough, high, step=step) if enough(high) else None


def _check(standard_deviation: float, alpha: float, power: float | None = None) -> None:
    if not 0 < alpha < 1:
        raise InputError(f"alpha must be above 0 and below 1, got {alpha!r}")
    if not 0 < standard_deviation < math.inf:
        raise InputError(f"standard_deviation must be above 0, got {standard_deviation!r}")
    if power is not None and not alpha < power < 1:
        raise InputError(f"power must be above alpha {alpha!r} and below 1, got {power!r}")
