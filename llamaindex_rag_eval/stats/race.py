"""Racing: which of several pipelines may be dropped while questions are still being asked?

All are scored on the same questions, more of them at each look. At each look every pair has an
interval of its difference, from the paired test of `stats/inference.py`, and all intervals of all
looks hold together with probability 1 - α. So

- j is dropped if the interval of some i against j lies above 0;
- the leader is the winner if no interval against it reaches the margin.

The chance of any wrong drop, or of a winner that is worse than the best by the margin or more, is
at most α over all pipelines, pairs and looks.

How wide the intervals are: α is spent look by look, in proportion to the questions asked, as Lan
and DeMets (1983), "Discrete Sequential Boundaries for Clinical Trials", spend it, by the function
of Kim and DeMets (1987). At each look the range of K normal means, not yet out of its bounds,
leaves them with the chance that is spent there: Tukey's range test, followed over time. The bounds
are simulated, since pairs and looks depend on one another.

Confidence sequences (Waudby-Smith and Ramdas (2024), "Estimating Means of Bounded Random Variables
by Betting") hold without looks that are planned and without large samples, at a price:
`tests/benchmarks/sweep_savings.py` prints what they save and what this saves.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import numpy as np

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.inference import SAME
from llamaindex_rag_eval.stats.paired import PairedTest, parts_of
from llamaindex_rag_eval.stats.sample_values import Floats, between_0_and_1

PATHS = 50_000
"""Simulated races; the chance that is spent is then met to a thirtieth of it."""

GROWTH = 1.3
"""Questions at a look over those at the one before; in simulations 1.5 and 2 save less."""


def looks_of(questions: int, first: int) -> tuple[int, ...]:
    """Return after how many questions to look: `first`, then growing, last after all.

    Example:
        >>> looks_of(60, 20)
        (20, 26, 34, 45, 60)
    """
    looks = [min(first, questions)]
    while looks[-1] < questions:
        following = math.ceil(looks[-1] * GROWTH)
        # A last look soon after another would show no more than that one.
        near = questions < following * (1 + GROWTH) / 2
        looks.append(questions if near else following)
    return tuple(looks)


def pair_tests(scores: Floats, clusters: Sequence[int], width: float) -> PairedTest:
    """Return the tests of all pairs, shape (K, K): the first axis less the second.

    Args:
        scores: Shape (K, n), higher is better; NaN where there is none.
        clusters: The cluster of each question.
        width: The greatest score less the least; infinite for scores without bounds.
    """
    _, numbers = np.unique(np.asarray(clusters), return_inverse=True)
    gaps = scores[:, None, :] - scores[None, :, :]
    both = np.isfinite(gaps)
    moved = both & (np.abs(np.where(both, gaps, 0.0)) > SAME * min(width, 1e9))
    member = np.equal.outer(numbers, np.arange(numbers.max() + 1)).astype(np.float64)
    counts = both.astype(np.float64) @ member
    counts[..., 0] += counts.sum(axis=-1) == 0  # one cluster: a test that rejects nothing
    gaps = np.where(moved, gaps, 0.0)
    parts = parts_of(np.where(both, gaps, np.nan)) @ member
    parts[4, ..., 0] += parts[4].sum(axis=-1) == 0
    return PairedTest(gaps @ member, counts, width, parts)


@lru_cache(maxsize=8)
def pair_levels(size: int, shares: tuple[float, ...], alpha: float) -> tuple[float, ...]:
    """Return the one-sided level of each pair's test at each look.

    Args:
        size: How many pipelines.
        shares: The share of all questions that is asked at each look, growing.
        alpha: The chance that any of the tests rejects what is true.

    Example:
        >>> round(pair_levels(2, (1.0,), 0.05)[0], 2)  # half of .05: a two-sided test
        0.02
    """
    from scipy import special

    generator = np.random.default_rng(0)
    inside = np.zeros((PATHS, max(2, size)))
    levels, before, spent = [], 0.0, 0.0
    for share in shares:
        inside = inside + generator.normal(0, math.sqrt(share - before), inside.shape)
        now = alpha * share
        ranges = np.ptp(inside, axis=1) / math.sqrt(share)
        # Of all paths, also of those that have left before, so many leave now.
        leave = max(1, round(PATHS * (now - spent)))
        bound = float(np.partition(ranges, -leave)[-leave])
        levels.append(float(special.ndtr(-bound / math.sqrt(2))))
        inside = inside[ranges < bound]
        before, spent = share, now
    return tuple(levels)


@dataclass(frozen=True, slots=True)
class Drop:
    """One pipeline that left the race.

    Attributes:
        loser: Its place.
        winner: The place of the one that is better.
        difference: By how much, on average over the questions that both have.
        questions: How many questions both have.
    """

    loser: int
    winner: int
    difference: float
    questions: int


@dataclass
class Race:
    """A race of pipelines, looked at as questions come in.

    Args:
        size: How many pipelines start.
        shares: The share of all questions that is asked at each look, growing, in (0, 1].
        margin: How much worse than the best the winner may be; above 0.
        alpha: The chance of a wrong drop or a wrong winner, over the whole race.
        width: The greatest score less the least; infinite for scores without bounds.

    Attributes:
        left: The places of those still in the race.
        winner: The place of the one shown to be within the margin of the best; `None` before.
        drops: Those that were dropped, in their order.
        looks: How often scores were looked at.
        scores: Those of the last look.
        clusters: The cluster of each question of the last look.

    Raises:
        InputError: A number is out of range.
    """

    size: int
    shares: tuple[float, ...]
    margin: float
    alpha: float = 0.05
    width: float = 1.0
    left: list[int] = field(init=False)
    winner: int | None = field(init=False, default=None)
    drops: list[Drop] = field(init=False, default_factory=list)
    looks: int = field(init=False, default=0)
    scores: Floats = field(init=False, repr=False)
    clusters: Sequence[int] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Begin with all pipelines."""
        between_0_and_1(self.alpha, name="alpha")
        if self.size < 1 or not self.margin > 0:
            raise InputError("a race needs a pipeline or more, and a margin above 0")
        self.left = list(range(self.size))

    @property
    def level(self) -> float:
        """The one-sided level of each pair at the last look."""
        return pair_levels(self.size, self.shares, self.alpha)[self.looks - 1]

    @property
    def leader(self) -> int:
        """The place of the best mean among those left at the last look; the first of equal ones."""
        return self.left[int(np.argmax([_mean(self.scores[number]) for number in self.left]))]

    @property
    def tests(self) -> PairedTest:
        """Of each pair of those left, at the last look."""
        return pair_tests(self.scores[self.left], self.clusters, self.width)

    @property
    def within_margin(self) -> tuple[int, ...]:
        """The places of those left that are shown to be within the margin of each other one."""
        shown = np.nan_to_num(self.tests.p_above(-self.margin), nan=1.0) <= self.level
        np.fill_diagonal(shown, True)
        return tuple(number for number, row in zip(self.left, shown, strict=True) if row.all())

    def withdraw(self, number: int) -> None:
        """Take a pipeline out that cannot go on; nothing is said about its scores."""
        self.left.remove(number)

    def look(self, scores: Floats, clusters: Sequence[int]) -> None:
        """Drop whom the scores so far show to be worse, and see whether there is a winner.

        Args:
            scores: Shape (K, n), higher is better, of all pipelines on the questions asked so far;
                NaN where there is none. Those of pipelines that have left are not looked at.
            clusters: The cluster of each question.
        """
        self.looks += 1
        self.scores, self.clusters = scores, clusters
        self._drop()
        if self.leader in self.within_margin:
            self.winner = self.leader

    def worse_by(self, number: int) -> float | None:
        """Return how much better than a pipeline another one that is left may be, at least 0.

        `None` where nothing can be said.
        """
        position = self.left.index(number)
        reach = -np.delete(self.tests.ends(1 - 2 * self.level)[0][position], position)
        return None if np.isnan(reach).any() else max(0.0, float(reach.max(initial=0.0)))

    def _drop(self) -> None:
        """Drop each that is worse than another; it is told with the one that beats it most."""
        tests, numbers = self.tests, tuple(self.left)
        p_values = np.nan_to_num(tests.p_above(0.0), nan=1.0)
        np.fill_diagonal(p_values, 1.0)
        for loser, number in enumerate(numbers):
            winner = int(np.argmin(p_values[:, loser]))
            if p_values[winner, loser] <= self.level:
                self.left.remove(number)
                self.drops.append(
                    Drop(
                        loser=number,
                        winner=numbers[winner],
                        difference=float(tests.difference[winner, loser]),
                        questions=round(float(tests.design.n[winner, loser])),
                    )
                )


def _mean(values: Floats) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else -math.inf
