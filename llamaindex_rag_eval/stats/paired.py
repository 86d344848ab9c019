"""Paired comparison: the difference between two pipelines on the same questions."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from scipy import special

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.bootstrap import RESAMPLES, BootstrapMethod, bootstrap_mean
from llamaindex_rag_eval.stats.interval import DEFAULT_LEVEL, Interval
from llamaindex_rag_eval.stats.sample_values import finite, same_length

__all__ = ["McNemarTest", "PairedDifference", "mcnemar_exact", "paired_bootstrap"]


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The mean of `left - right` over the same questions.

    Attributes:
        difference: In the unit of the scores; above 0, `left` is larger.
        interval: Its confidence interval; None with fewer than two pairs or groups.
        n: Pairs compared.
    """

    difference: float
    interval: Interval | None
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


def paired_bootstrap(
    left: Sequence[float],
    right: Sequence[float],
    *,
    groups: Sequence[Hashable] | None = None,
    method: BootstrapMethod = "expanded",
    level: float = DEFAULT_LEVEL,
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> PairedDifference | None:
    """Return the mean difference with its bootstrap interval, drawing pairs (or groups) whole.

    Args:
        left: Scores of one pipeline, question by question.
        right: Scores of the other on the same questions.
        groups: The group of each question.
        method: See `bootstrap_mean`. Differences are hardly skewed, and take few values: there
            `expanded` covers more evenly than `bca`.
        level: Confidence, in (0, 1).
        resamples: How many times to draw.
        seed: Same seed, same interval.

    Returns:
        The difference; None without pairs.

    Raises:
        InputError: The lists do not fit, or an option is out of range.

    Example:
        >>> paired_bootstrap([1.0, 0.75], [0.5, 0.25]).interval
        Interval(low=0.5, high=0.5, level=0.95)
    """
    same_length(left, right)
    gaps = finite(left, name="left") - finite(right, name="right")
    interval = bootstrap_mean(
        gaps.tolist(), groups=groups, method=method, level=level, resamples=resamples, seed=seed
    )
    return PairedDifference(float(gaps.mean()), interval, len(gaps)) if len(gaps) else None


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
    same_length(left, right)
    if any(verdict not in (True, False) for verdict in (*left, *right)):
        raise InputError("verdicts must be True or False; leave undefined ones out")
    if not left:
        return None
    only_left = sum(bool(a) and not b for a, b in zip(left, right, strict=True))
    only_right = sum(bool(b) and not a for a, b in zip(left, right, strict=True))
    tail = float(special.bdtr(min(only_left, only_right), only_left + only_right, 0.5))
    return McNemarTest(only_left, only_right, min(1.0, 2 * tail), len(left))
