"""Racing: which of several pipelines may be dropped while questions are still being asked?

All are scored on the same questions, more of them at each look, and every pair is tested by the
paired test of `stats/paired.py`. At each look

- j is dropped if some i is shown to be better; or is ahead, no dearer, and j is shown not to be
  better by the margin: it could win nothing;
- the leader is the winner if it is shown to be within the margin of each of the others, also of
  those that were dropped, on the questions that both had;
- the race ends without one if the questions that are left can hardly tell those that are left.

The chance that none within the margin of the best is left, or that a winner is worse than the best
by the margin or more, is at most α over all pipelines and looks. Of several that are equally good,
one is dropped more often than that; the others are as good.

The level of each test: α is spent look by look, in proportion to the questions asked, as Lan and
DeMets (1983), "Discrete Sequential Boundaries for Clinical Trials", spend it, by the function of
Kim and DeMets (1987). At each look the greatest of K - 1 normal means, less that of the best, not
yet out of its bound, leaves it with the chance that is spent there: the test of Dunnett (1955), "A
Multiple Comparison Procedure for Comparing Several Treatments with a Control", followed over time,
with the best for the control. The bounds are simulated, since pairs and looks depend on one
another.

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
from llamaindex_rag_eval.stats.paired import PairedTest, paired_tests
from llamaindex_rag_eval.stats.sample_values import Floats, between_0_and_1

PATHS = 50_000
"""Simulated races; the chance that is spent is then met to a thirtieth of it."""

HOPE = 2.0
"""Standard errors by which what is still to come may be better for one of a pair than what came.

A race that ends early would have told a pair in 2 of 100 cases, if the pair goes on as before.
"""

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
    member = np.equal.outer(numbers, np.arange(numbers.max() + 1)).astype(np.float64)
    return paired_tests(scores[:, None, :] - scores[None, :, :], member, width, flipped=False)


@lru_cache(maxsize=8)
def pair_levels(size: int, shares: tuple[float, ...], alpha: float) -> tuple[float, ...]:
    """Return the one-sided level of each test at each look.

    Args:
        size: How many pipelines.
        shares: The share of all questions that is asked at each look, growing.
        alpha: The chance that any test of the best against another rejects what is true.

    Example:
        >>> round(pair_levels(2, (1.0,), 0.05)[0], 2)
        0.05
    """
    from scipy import special

    generator = np.random.default_rng(0)
    inside = np.zeros((PATHS, max(2, size)))
    levels, before, spent = [], 0.0, 0.0
    for share in shares:
        inside = inside + generator.normal(0, math.sqrt(share - before), inside.shape)
        now = alpha * share
        behind = (inside[:, 1:].max(axis=1) - inside[:, 0]) / math.sqrt(share)
        # Of all paths, also of those that have left before, so many leave now.
        leave = max(1, round(PATHS * (now - spent)))
        bound = float(np.partition(behind, -leave)[-leave])
        levels.append(float(special.ndtr(-bound / math.sqrt(2))))
        inside = inside[behind < bound]
        before, spent = share, now
    return tuple(levels)


@dataclass(frozen=True, slots=True)
class Drop:
    """One pipeline that left the race.

    Attributes:
        loser: Its place.
        winner: The place of the one that is ahead.
        difference: By how much, on average over the questions that both have.
        questions: How many questions both have.
        level: Of the test.
        worse: Whether a test on two sides shows it to be worse.
    """

    loser: int
    winner: int
    difference: float
    questions: int
    level: float
    worse: bool


@dataclass
class Race:
    """A race of pipelines, looked at as questions come in.

    Args:
        size: How many pipelines start.
        shares: The share of all questions that is asked at each look, growing, in (0, 1].
        margin: How much worse than the best the winner may be; above 0.
        alpha: The chance that none within the margin of the best is left, or of a wrong winner.
        width: The greatest score less the least; infinite for scores without bounds.

    Attributes:
        left: The places of those still in the race.
        winner: The place of the one shown to be within the margin of the best; `None` before.
        drops: Those that were dropped, in their order.
        looks: How often scores were looked at.
        scores: Those of the last look.
        tests: Of each pair, the first less the second.

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
    tests: PairedTest = field(init=False, repr=False)

    def __post_init__(self) -> None:
        """Begin with all pipelines."""
        between_0_and_1(self.alpha, name="alpha")
        if self.size < 1 or not self.margin > 0:
            raise InputError("a race needs a pipeline or more, and a margin above 0")
        self.left = list(range(self.size))

    @property
    def level(self) -> float:
        """The one-sided level of each pair at the last look."""
        return self._levels[self.looks - 1]

    @property
    def _levels(self) -> tuple[float, ...]:
        return pair_levels(self.size, self.shares, self.alpha)

    @property
    def leader(self) -> int:
        """The place of the best mean among those left at the last look; the first of equal ones."""
        return self.left[int(np.argmax([_mean(self.scores[number]) for number in self.left]))]

    def ahead_by(self, least: float, *, sides: int = 1) -> tuple[int, ...]:
        """Return the places of those left that are better than each of the others by more.

        Of those that were dropped, at the look at which they were.

        Args:
            least: By how much; below 0 they may be worse.
            sides: 2 says as rarely of one of two that are equally good that it is the better.
        """
        levels = dict.fromkeys(self.left, self.level) | {d.loser: d.level for d in self.drops}
        tails = self._tails(least)
        return tuple(
            number
            for number in self.left
            if all(sides * tails[number, k] <= level for k, level in levels.items() if k != number)
        )

    @property
    def within_margin(self) -> tuple[int, ...]:
        """The places of those left that are shown to be within the margin of each other one."""
        return self.ahead_by(-self.margin)

    @property
    def hopeless(self) -> bool:
        """Whether the questions that are left can hardly tell the leader from any other.

        So it is where no other is left: those that were dropped are asked nothing more.
        """
        from scipy import special

        share, last = self.shares[self.looks - 1], -special.ndtri(self._levels[-1])
        leader = self.leader
        tails = self._tails(-self.margin)[leader, [k for k in self.left if k != leader]]
        most = -special.ndtri(tails) / math.sqrt(share) + HOPE * math.sqrt(1 - share)
        return bool((most < last).all())

    def withdraw(self, number: int) -> None:
        """Take a pipeline out that cannot go on; nothing is said about its scores."""
        self.left.remove(number)

    def look(
        self, scores: Floats, clusters: Sequence[int], prices: Sequence[float] | None = None
    ) -> None:
        """Drop whom the scores so far show to be no use, and see whether there is a winner.

        Args:
            scores: Shape (K, n), higher is better, of all pipelines on the questions asked so far;
                NaN where there is none. Pipelines that have left have those they had then.
            clusters: The cluster of each question.
            prices: What an answer of each costs; by default all cost the same.
        """
        self.looks += 1
        self.scores = scores
        self.tests = pair_tests(scores, clusters, self.width)
        self._drop(np.zeros(self.size) if prices is None else np.asarray(prices, dtype=float))
        if self.leader in self.within_margin:
            self.winner = self.leader

    def worse_by(self, number: int) -> float | None:
        """Return how much better than a pipeline another one that is left may be, at least 0.

        `None` where nothing can be said.
        """
        rivals = [k for k in self.left if k != number]
        reach = -self.tests.ends(1 - 2 * self.level)[0][number, rivals]
        return None if np.isnan(reach).any() else max(0.0, float(reach.max(initial=0.0)))

    def _tails(self, least: float) -> Floats:
        """Return the p-values of the hypotheses that the first of a pair is better by no more."""
        return np.nan_to_num(self.tests.p_above(least), nan=1.0)

    def _drop(self, prices: Floats) -> None:
        """Drop each that is no use; it is told with the one that beats it most."""
        tests, worse, left = self.tests, self._tails(0.0), list(self.left)
        # Few questions that happen to change alike have no variance.
        no_better = np.maximum(self._tails(-self.margin), 0.5**tests.changed)
        useless = (tests.difference > 0) & (prices[:, None] <= prices)
        p_values = np.minimum(worse, np.where(useless, no_better, 1.0))
        np.fill_diagonal(p_values, 1.0)
        for loser in left:
            winner = min(left, key=lambda number: p_values[number, loser])
            if p_values[winner, loser] <= self.level:
                self.left.remove(loser)
                self.drops.append(
                    Drop(
                        loser=loser,
                        winner=winner,
                        difference=float(tests.difference[winner, loser]),
                        questions=round(float(tests.design.n[winner, loser])),
                        level=self.level,
                        worse=bool(2 * worse[winner, loser] <= self.level),
                    )
                )


def _mean(values: Floats) -> float:
    known = values[np.isfinite(values)]
    return float(known.mean()) if len(known) else -math.inf
