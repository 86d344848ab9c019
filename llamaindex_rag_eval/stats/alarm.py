"""An alarm that may be looked at after every score: has the mean fallen below a limit?

Scores come one by one, and nobody says how many. Under the hypothesis that each score, whatever
came before it, has an expected value of at least the limit m, a bet of λ that it falls short
multiplies a stake by 1 + λ(m - x), which is 1 or less on average. A new stake of 1 is added before
each score: when the sum of all stakes reaches T, an alarm is raised. Without a change that happens
once in T scores or more, on average. No distribution is assumed, and scores may depend on those
before them.

Source: Shin, Ramdas and Rinaldo (2023), "E-detectors: a nonparametric framework for sequential
change detection", https://arxiv.org/abs/2203.03532: the Shiryaev-Roberts detector, a mean over
several bets.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.sample_values import Floats

BETS = 0.9 * 0.5 ** np.arange(8)
"""Shares of the greatest bet, that may lose all: large ones find great falls, small ones small."""


@dataclass
class FallDetector:
    """Finds that the mean of scores in [0, 1] has fallen below a limit.

    Args:
        limit: The lowest mean that is accepted, in (0, 1).
        every: A false alarm comes once in so many scores or more, on average; above 1.

    Attributes:
        scores: How many scores were seen.
        alarms: Each alarm: how many scores came before the fall, as far as is likely, and how many
            before the alarm. After an alarm it begins anew.
        fell_at: How many scores came before the fall that is most likely now.
        evidence: The sum of the stakes over `every`: 1 raises an alarm.

    Raises:
        InputError: A number is out of range.

    Example:
        >>> detector = FallDetector(0.8, every=100)
        >>> detector.see([1.0, 1.0, 1.0, 0.0, 1.0] * 4 + [0.0] * 4)
        >>> detector.alarms  # the last four fell
        [(20, 24)]
    """

    limit: float
    every: float
    scores: int = 0
    alarms: list[tuple[int, int]] = field(default_factory=list)
    fell_at: int = 0
    evidence: float = 0.0
    _stakes: Floats = field(default_factory=lambda: np.zeros(len(BETS)), repr=False)
    _runs: Floats = field(default_factory=lambda: np.ones(len(BETS)), repr=False)
    _starts: "np.ndarray[tuple[int], np.dtype[np.int64]]" = field(
        default_factory=lambda: np.zeros(len(BETS), dtype=np.int64), repr=False
    )

    def __post_init__(self) -> None:
        """Check the numbers."""
        if not 0 < self.limit < 1 or not self.every > 1:
            raise InputError("a limit lies between the worst and the best score, 'every' above 1")

    def see(self, scores: Iterable[float]) -> None:
        """See scores in the order in which they came."""
        for score in scores:
            self._see(score)

    def _see(self, score: float) -> None:
        if self.alarms and self.alarms[-1][1] == self.scores:  # the one before raised an alarm
            self._stakes[:], self._runs[:], self._starts[:] = 0.0, 1.0, self.scores
        factors = 1 + BETS / (1 - self.limit) * (self.limit - score)
        self._stakes = (self._stakes + 1) * factors
        self._runs = self._runs * factors  # the greatest product over all first scores, at least 1
        self.scores += 1
        lost = self._runs < 1
        self._runs[lost], self._starts[lost] = 1.0, self.scores
        self.fell_at = int(self._starts[int(np.argmax(self._runs))])
        self.evidence = float(self._stakes.mean()) / self.every
        if self.evidence >= 1:
            self.alarms.append((self.fell_at, self.scores))
