"""Planning: how many questions show a difference, by simulating the test that will be made.

Documents of a pilot are drawn with replacement, each with its differences or their opposites, so
that nothing differs on average. Then questions that did not change fall on one metric by as much as
others changed, those of one document rather together (`TOGETHER`); where nearly all changed, all
fall alike. The test is that of a comparison: whole documents change their sign.

What a comparison can show, what a plan says, and how many questions would tell are these numbers.
"""

import math
from bisect import bisect_left
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.paired import FEWEST_FLIPPED, LINKED, PairedTest, share_of_flips
from llamaindex_rag_eval.stats.sample_values import Floats, between_0_and_1

SIMULATED = 400
"""Comparisons simulated for one number of questions; the error of a power of .8 is then .02."""

MOST = 20_000
"""No plan goes beyond so many questions."""

ALPHA = 0.05
"""Up to which adjusted p-value a difference counts as shown."""

STEP = 1.1
"""A number of questions is searched to a tenth."""

STEPS = 256
"""A smallest difference is one of so many parts of the range of a metric."""

EXACT = 100
"""Of more documents the sum under changes of sign is as good as Student's."""

RAREST = 0.01
"""So is it at a lower level: it would take more changes of sign."""

FEW = 20
"""With fewer questions that changed in the pilot, falls may be greater than those seen there."""

TOGETHER = 2
"""So many times as much as the differences of the pilot, falls on one document correlate.

What breaks breaks documents rather than questions. Of 1, 2 and 3 the one with which a promise of
80 % is kept in most of 75 to 90 (`tests/benchmarks/decisions.py plans`).
"""

MANY = 200
"""So many documents are simulated at most: k times as many show 1 / √k of the difference."""


def two_figures(count: int) -> int:
    """Return a count rounded up to two figures: a simulation knows no more.

    Example:
        >>> two_figures(2573), two_figures(57), two_figures(3)
        (2600, 57, 3)
    """
    unit = int(10 ** max(0, len(str(count)) - 2))
    return math.ceil(count / unit) * unit


@dataclass(frozen=True, slots=True)
class Planner:
    """What one metric of a pilot lets expect of more questions.

    Attributes:
        test: Of the differences that were seen.
        alpha: The level of the test, which holds for all metrics together; see `primary_first`.
    """

    test: PairedTest
    alpha: float = ALPHA

    def chance(self, effect: float, questions: int) -> float:
        """Return the chance that so many questions show a true difference, in [0, 1].

        Args:
            effect: The difference, in the unit of the metric, above 0.
            questions: How many questions are compared.
        """
        drawn, signs, generator, times = self._drawn(questions)
        size = drawn.shape[1]
        if 2 * 0.5**size > self.alpha:
            return 0.0
        effects, counts = self._as_if(generator, effect, len(drawn)), self.test.counts
        noise, lost = self._fallen(generator, drawn, signs, effects)
        lost += (times - 1) * effects * counts[drawn]
        sums = noise - lost
        # A mean has a question on several documents once, and links are paid for: see `PairedTest`.
        once = self.test.parts[4] / np.maximum(counts, LINKED)
        links = 2 if abs(float(counts.sum() - self.test.n)) > LINKED else 0
        total = np.abs((noise - lost * once[drawn]).sum(axis=1)) * math.sqrt(1 - links / size)
        if size > EXACT or self.alpha < RAREST:
            from scipy import special

            t = special.stdtrit(size - 1, 1 - self.alpha / 2)
            scale = np.sqrt((sums**2).sum(axis=1) * size / (size - 1 + t**2))
            return float(np.mean(total > t * scale))
        return float(np.mean(share_of_flips(sums, total) <= self.alpha))

    @property
    def freedom(self) -> float:
        """Degrees of freedom of the deviation that the pilot shows."""
        return max(1.0, float(self.test.design.freedom))

    def _as_if(self, generator: np.random.Generator, effect: float, runs: int) -> Floats:
        """Return the effect by the deviation that may be true in place of the pilot's, a column.

        A promise is then kept on average over pilots. Source: Browne (1995), "On the Use of a Pilot
        Sample for Sample Size Determination", https://doi.org/10.1002/sim.4780141709.
        """
        if not self.test.sums.any():  # where nothing differs, no deviation is estimated
            return np.full((runs, 1), effect)
        squares = generator.chisquare(self.freedom, (runs, 1))
        return np.asarray(effect * np.sqrt(squares / self.freedom))

    def _fallen(
        self,
        generator: np.random.Generator,
        drawn: npt.NDArray[np.int64],
        signs: Floats,
        effects: Floats,
    ) -> tuple[Floats, Floats]:
        """Return the sums of documents, and by how much they fall: `effects` a question on average.

        Of the questions that did not change, a share falls by as much as others changed; each does
        what its document does with a chance whose square is their correlation. For what is left of
        the effect where they are too few, all fall alike.
        """
        squares, rises, falls, changed, ones = self.test.parts
        sums, counts, few = self.test.sums * self.test.width, self.test.counts, changed.sum() < FEW
        fall = float(self.test.lump if few else squares.sum() / (rises + falls).sum())
        questions = np.maximum(1.0, np.rint(counts))
        steady = np.rint(questions * (1 - changed / np.maximum(ones, LINKED)))
        most = fall * float((counts * steady / questions).sum() / counts.sum())
        share = np.minimum(1.0, effects / most) if most else np.zeros_like(effects)
        rest, noise = np.maximum(0.0, effects - most), signs * sums[drawn]
        reach = np.abs(sums / np.maximum(counts, LINKED)).max()
        if reach and self.test.bounded:  # no score falls out of its range
            least = np.minimum(1.0, np.maximum(0.0, self.test.width - rest) / reach)
            noise *= np.where(rest > 0, least, 1.0)
        icc = min(1.0, TOGETHER * float(self.test.resemblance.icc))
        number = steady[drawn].astype(np.int64)
        with_it = generator.binomial(number, math.sqrt(icc))
        fallen = with_it * (generator.random(drawn.shape) < share)
        fallen += generator.binomial(number - with_it, share)
        lost = (fall * fallen / questions[drawn] + rest) * counts[drawn]
        return noise, np.asarray(lost)

    def chance_to_pass(self, margin: float, questions: int) -> float:
        """Return the chance that so many questions rule out a fall by a margin, in [0, 1].

        Args:
            margin: In the unit of the metric, above 0; both pipelines are alike.
            questions: How many questions are compared.
        """
        drawn, signs, generator, times = self._drawn(questions)
        margins = self._as_if(generator, times * margin, len(drawn))[:, 0]
        squares, rises, falls, changed, ones = self.test.parts[:, drawn]
        sides = np.where(signs > 0, rises, falls), np.where(signs > 0, falls, rises)
        test = PairedTest(
            signs * self.test.sums[drawn] * self.test.width,
            self.test.counts[drawn],
            self.test.width if self.test.bounded else math.inf,
            np.stack([squares, *sides, changed, ones]),
            averaged=self.test.averaged,
        )
        return float(np.mean(test.p_above(-margins) <= ALPHA))

    def _drawn(
        self, questions: int
    ) -> tuple[npt.NDArray[np.int64], Floats, np.random.Generator, float]:
        """Return documents of so many questions, and their signs, a row a comparison.

        They are the same in whichever order questions come, and whichever run comes first. The last
        of what is returned is how many times the effect is in place of more documents.
        """
        sums, counts = self.test.sums, self.test.counts
        generator, documents = np.random.default_rng(0), len(sums)
        size = max(2, round(questions * documents / float(self.test.n)))
        times = max(1.0, size / MANY) ** 0.5
        order = np.lexsort(np.round([self.test.parts[0], np.abs(sums), counts], 9))
        drawn = order[generator.integers(documents, size=(SIMULATED, min(size, MANY)))]
        signs = generator.choice(np.array([-1.0, 1.0]), size=drawn.shape)
        return drawn, signs * np.where(sums[drawn] < 0, -1.0, 1.0), generator, times

    def needed(
        self, effect: float, *, power: float = 0.8, to: Literal["show", "rule out"] = "show"
    ) -> int | None:
        """Return how many questions are enough, in two figures; None beyond 20,000.

        Args:
            effect: The difference, in the unit of the metric.
            power: The chance to succeed.
            to: Show such a difference; or rule out such a fall of pipelines that are alike.

        Raises:
            InputError: The effect or the power is out of range.
        """
        between_0_and_1(power, name="power")
        if not effect > 0:
            raise InputError(f"effect is {effect!r}; expected more than 0")
        chance = self.chance if to == "show" else self.chance_to_pass

        def enough(questions: int) -> bool:
            return chance(effect, questions) >= power

        low, high = 1, FEWEST_FLIPPED
        while not enough(high):
            if high == MOST:
                return None
            low, high = high, min(MOST, 2 * high)
        while high > low * STEP and high > low + 1:
            middle = round(math.sqrt(low * high))
            low, high = (low, middle) if enough(middle) else (middle, high)
        return two_figures(high)

    def smallest(self, questions: int, *, power: float = 0.8) -> float | None:
        """Return the smallest difference that so many questions show; None if they show none.

        Raises:
            InputError: The power is out of range.
        """
        between_0_and_1(power, name="power")
        width = self.test.width
        if not self.test.bounded:
            counts = np.maximum(self.test.counts, LINKED)
            width = 10 * (float(np.abs(self.test.sums / counts).max(initial=0.0)) or 1.0)

        def enough(step: int) -> bool:
            return self.chance(width * step / STEPS, questions) >= power

        step = 1 + bisect_left(range(1, STEPS + 1), True, key=enough)
        return None if step > STEPS else width * step / STEPS
