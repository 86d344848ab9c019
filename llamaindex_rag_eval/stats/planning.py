"""Planning: how many questions show a difference, by simulating the test that will be made.

Clusters of a pilot are drawn with replacement, each with its differences or their opposites, so
that nothing differs on average; then a share of the clusters falls on one metric by as much as
questions change in the pilot: what breaks on a document breaks on all its questions. The test is
that of a comparison, corrected by Holm for all metrics.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.paired import PairedTest
from llamaindex_rag_eval.stats.sample_values import Floats, between_0_and_1, least

SIMULATED = 400
"""Comparisons simulated for one number of questions; the error of a power of .8 is then .02."""

MOST = 20_000
"""No plan goes beyond so many questions."""

ALPHA = 0.05
"""Up to which adjusted p-value a difference counts as shown."""

STEP = 1.1
"""A number of questions is told to a tenth."""

CELLS = 4_000_000
"""Simulated clusters held in memory at once."""


@dataclass(frozen=True, slots=True)
class Pilot:
    """Paired differences, by cluster and metric.

    Attributes:
        sums: The sum of the differences of each cluster, shape (clusters, metrics).
        changed: How many of its questions changed, the same shape.
        counts: How many questions it has, shape (clusters,).
        widths: The range of each metric; infinite for one without bounds.
    """

    sums: Floats
    changed: Floats
    counts: Floats
    widths: Sequence[float]

    @property
    def per_cluster(self) -> float:
        """Questions in a cluster, on average."""
        return float(self.counts.mean())


def chance_to_show(pilot: Pilot, metric: int, effect: float, questions: int) -> float:
    """Return the chance that a comparison shows a difference on one metric of the pilot.

    Args:
        pilot: What differences look like.
        metric: The place of the metric.
        effect: The true difference, in its unit, above 0.
        questions: How many questions are compared.
    """
    from llamaindex_rag_eval.stats.significance import holm

    size = max(2, round(questions / pilot.per_cluster))
    generator, shown, done = np.random.default_rng(0), 0, 0
    lump = _lump(pilot, metric)
    while done < SIMULATED:
        rows = max(1, min(SIMULATED - done, CELLS // size))
        done += rows
        drawn = generator.integers(len(pilot.counts), size=(rows, size))
        signs = generator.choice(np.array([-1.0, 1.0]), size=(rows, size))
        counts = pilot.counts[drawn]
        p_values = np.empty((rows, len(pilot.widths)))
        for number, width in enumerate(pilot.widths):
            sums, changed = signs * pilot.sums[drawn, number], pilot.changed[drawn, number]
            if number == metric and lump is None:  # without bounds all questions fall alike
                sums, changed = sums - effect * counts, counts
            elif number == metric and lump is not None:
                fallen = counts * (generator.random((rows, size)) < effect / lump)
                sums = np.where(fallen > 0, 0.0, sums) - max(lump, effect) * fallen
                changed = np.where(fallen > 0, fallen, changed)
            test = PairedTest(sums, counts, changed.sum(axis=-1), width)
            p_values[:, number] = test.p_value()
        shown += sum(holm(row)[metric] <= ALPHA for row in p_values.tolist())
    return shown / SIMULATED


def _lump(pilot: Pilot, metric: int) -> float | None:
    """Return by how much a question changes where it does; None for a metric without bounds."""
    if not np.isfinite(pilot.widths[metric]):
        return None
    test = PairedTest(
        pilot.sums[:, metric],
        pilot.counts,
        np.asarray(pilot.changed[:, metric].sum()),
        pilot.widths[metric],
    )
    return float(test.lump)


def questions_needed(pilot: Pilot, metric: int, effect: float, *, power: float = 0.8) -> int | None:
    """Return how many questions show a difference, to a tenth; None beyond 20,000.

    Raises:
        InputError: The effect or the power is out of range.
    """
    _check(effect, power)

    def enough(questions: int) -> bool:
        return chance_to_show(pilot, metric, effect, questions) >= power

    few = round(MOST**0.5)
    low, high = (1, few) if enough(few) else (few, MOST)
    if high == MOST and not enough(MOST):
        return None
    while high > low * STEP and high > low + 1:
        middle = round((low * high) ** 0.5)
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high


def shown_by(pilot: Pilot, metric: int, questions: int, *, power: float = 0.8) -> float | None:
    """Return the smallest difference that so many questions show; None if they show none.

    Raises:
        InputError: The power is out of range.
    """
    width = pilot.widths[metric]
    if not np.isfinite(width):
        width = 10 * float(np.abs(pilot.sums[:, metric] / pilot.counts).max() or 1.0)
    _check(width, power)

    def enough(effect: float) -> bool:
        return chance_to_show(pilot, metric, effect, questions) >= power

    return least(enough, width, step=0.005 * width) if enough(width) else None


def _check(effect: float, power: float) -> None:
    between_0_and_1(power, name="power")
    if not effect > 0:
        raise InputError(f"effect is {effect!r}; expected more than 0, in the unit of the metric")
