"""Prediction-powered inference: few labels by people, many by a judge, one honest mean.

    mean = λ · mean(judge, unlabelled) + mean(people - λ · judge, labelled)

λ = 1 is PPI (Angelopoulos et al. 2023, "Prediction-Powered Inference",
https://arxiv.org/abs/2301.09633); the λ that makes the interval shortest is PPI++ (Angelopoulos,
Duchi and Zrnic 2023, https://arxiv.org/abs/2311.01453, section 6); λ = 0 is people alone. The
judge may be biased: the second term takes its bias out.

Of labels with bounds the interval is that of a mean of bounded scores (`stats/inference.py`), with
the variance of this estimate: of yes and no by people alone it is Wilson's. Student's has no width
where all labels are alike, and covers too rarely near the bounds.

The variance is the sum over clusters of the squared error that each adds: items of a cluster are
not independent. The difference of two means over the same items takes the difference of what each
cluster adds to the two, so that what the labels and scores of both share cancels.
"""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from llamaindex_rag_eval.stats.clusters import Design
from llamaindex_rag_eval.stats.inference import UNBOUNDED, interval_of, tail_of
from llamaindex_rag_eval.stats.interval import DEFAULT_LEVEL, Estimate
from llamaindex_rag_eval.stats.paired import PairedTest
from llamaindex_rag_eval.stats.sample_values import Floats, between_0_and_1, finite, same_length

FEWEST_LABELS = 20
"""With fewer labels λ and the variance are so uncertain that the interval covers too rarely."""

RULE_OF_THREE = 3
"""Faults of which a sample of any size may show none, with a probability of 5 in 100."""

PRIOR = 1.0
"""The weight, in labels, of the belief that the judge is no help.

Few labels may show no fault of a judge that has some. Of .2, 1 and 2 the least with which the
interval covers in 93 of 100 samples of 20 labels wherever a judge is right in 80 to 98 of 100.
"""

DIFFERENCE_PRIOR = 0.2
"""The same of a difference, which is seldom near its bounds.

With 1 it covers in 98 to 100 of 100 samples of 30 labels, and is a fifth wider
(`tests/benchmarks/people_differences.py`).
"""

POWER, ALPHA = 0.8, 0.05
"""What is planned for: a difference is shown, or a fall ruled out, with this chance and error."""


@dataclass(frozen=True, slots=True)
class PPIMean(Estimate):
    """A mean corrected by labels; `n` labels by people are in it.

    Its `effective_n` are the labels that people alone would need for an interval as short; None
    where the labels, or what is left of them, do not vary.

    Attributes:
        weight: λ, in [0, 1]: how much the judge is relied on; 0 is people alone.
        unlabelled: Items with a score by the judge alone.
        bounds: The least and the greatest value there can be.
        prior: The weight of the belief that the judge is no help.
        size: As many independent labels there are.
        freedom: Degrees of freedom of the variance.
        people: Cluster -> what its labels add to the error of their mean.
        errors: Cluster -> what it adds to the error of this mean; the variance is the sum of the
            squares.
    """

    weight: float = 0.0
    unlabelled: int = 0
    bounds: tuple[float, float] = UNBOUNDED
    prior: float = PRIOR
    size: float = 0.0
    freedom: float = 0.0
    people: Mapping[Hashable, float] = field(default_factory=dict, repr=False, compare=False)
    errors: Mapping[Hashable, float] = field(default_factory=dict, repr=False, compare=False)

    @property
    def variance(self) -> float | None:
        """The variance of the mean; None where there is none, as in a single cluster."""
        return math.fsum(error**2 for error in self.errors.values()) if self.errors else None

    def with_interval(self) -> "PPIMean":
        """Return the mean with the interval that its errors give it."""
        if self.variance is None:
            return self
        ends = interval_of(
            self.value or 0.0,
            self.variance,
            size=self.size,
            freedom=self.freedom,
            bounds=self.bounds,
            prior=self.prior,
            level=self.level,
        )
        alone = math.fsum(error**2 for error in self.people.values())
        return replace(
            self,
            low=ends.low if ends else None,
            high=ends.high if ends else None,
            effective_n=self.n * alone / self.variance if alone and self.variance else None,
        )

    def more_labels(self, half: float, *, items: int) -> int | None:
        """Return about how many more labels make the interval ± `half`; `None` if all do not.

        With n labels of N items and r, the share of the labels' variance that the judge explains,
        the variance is that of n labels by people alone times 1 - r · (N - n) / N.

        Args:
            half: Half of the width, in the unit of the mean.
            items: Those that are judged, labelled or not.
        """
        ends = self.interval
        if ends is None or ends.width <= 2 * half:
            return None if ends is None else 0
        gain = max(1.0, (self.effective_n or 0.0) / self.n)
        alone = gain * self.n * (ends.width / 2 / half) ** 2
        if alone >= items:
            return None
        others = self.unlabelled
        seen = max(0.0, 1 - RULE_OF_THREE / self.n)  # so few labels cannot tell that all agree
        explained = min(seen, (1 - 1 / gain) * (1 + self.n / others)) if others else 0.0
        total = alone * items * (1 - explained) / (items - alone * explained)
        return max(1, math.ceil(total) - self.n)


def ppi_mean(
    labels: Sequence[float],
    judged: Sequence[float],
    unlabelled: Sequence[float],
    *,
    bounds: tuple[float, float] = UNBOUNDED,
    level: float = DEFAULT_LEVEL,
    clusters: Sequence[Hashable] | None = None,
    weights: Sequence[float] | None = None,
) -> PPIMean | None:
    """Return the mean of people's labels over all items, with the judge's help.

    The labelled items must be a random choice among all, or of each part of them, with weights.
    Quantiles are Student's with n - 1
    degrees of freedom, where the papers take normal ones, and one more is paid for fitting λ: with
    few labels the papers' intervals cover too rarely. Below 20 labels, or 2 unlabelled items,
    people count alone.

    Args:
        labels: People's labels.
        judged: The judge's scores of the same items.
        unlabelled: The judge's scores of the other items.
        bounds: The least and the greatest label there can be.
        level: Confidence, in (0, 1).
        clusters: The cluster of each label, then of each unlabelled item; by default each is one.
        weights: How many items each label stands for, where that is not the same for all.

    Returns:
        The estimate; None without labels.

    Raises:
        InputError: The lists do not fit, or hold numbers that are not finite.

    Example:
        >>> estimate = ppi_mean([0.0, 1.0] * 10, [0.5, 1.0] * 10, [1.0] * 50 + [0.5] * 50)
        >>> round(estimate.value, 9), estimate.weight > 0
        (0.5, True)
    """
    between_0_and_1(level, name="level")
    same_length(labels, judged)
    people, judge = finite(labels, name="labels"), finite(judged, name="judged")
    others = finite(unlabelled, name="unlabelled")
    if not len(people):
        return None
    tuned = len(people) >= FEWEST_LABELS and len(others) >= 2
    shares = np.ones(len(people)) if weights is None else finite(weights, name="weights")
    shares = shares / shares.sum()
    items = range(len(people) + len(others)) if clusters is None else clusters
    labelled = items[: len(people)]
    # A λ fitted to the same labels takes a degree of freedom, like the slope of a regression.
    fitted = math.sqrt((len(people) - 1) / (len(people) - 2)) if tuned else 1.0
    alone, weight, shift, taken = float(shares @ people), 0.0, 0.0, dict[Hashable, float]()
    if tuned:
        weight = tuned_weight(people, judge, others)
        shift = float(shares @ judge - others.mean())
        equal = np.full(len(others), 1 / len(others))
        taken = _less(
            _errors(fitted * (judge - shares @ judge), shares, labelled),
            _errors(others - others.mean(), equal, items[len(people) :]),
        )
    design = Design.of(np.array([*_sums(shares, labelled).values()]))
    by_people = _errors(fitted * (people - alone), shares, labelled)
    mean = PPIMean(
        min(max(alone - weight * shift, bounds[0]), bounds[1]),
        n=len(people),
        level=level,
        weight=weight,
        unlabelled=len(others),
        bounds=bounds,
        size=float(design.size),
        freedom=float(design.freedom),
        people=by_people,
        errors=_less(by_people, taken, weight),
    )
    return mean.with_interval()


def ppi_difference(a: PPIMean, b: PPIMean) -> PPIMean:
    """Return `b - a` of two means over the same items, whose clusters have the same names.

    Each may have labels of its own; those of the same items make the interval shorter.

    Args:
        a: A mean.
        b: Another mean, with the same bounds.

    Example:
        >>> clusters = range(60)
        >>> means = [ppi_mean(labels, labels, 2 * labels, clusters=clusters, bounds=(0, 1))
        ...          for labels in ([0.0, 1.0] * 10, [1.0] * 20)]
        >>> difference = ppi_difference(*means)
        >>> difference.value > 0, difference.n  # labels of each at least
        (True, 20)
    """
    width = a.bounds[1] - a.bounds[0]
    difference = replace(
        a if a.n <= b.n else b,
        value=(b.value or 0.0) - (a.value or 0.0),
        bounds=(-width, width),
        prior=DIFFERENCE_PRIOR,
        size=min(a.size, b.size),
        freedom=min(a.freedom, b.freedom),
        people=_less(b.people, a.people),
        errors=_less(b.errors, a.errors),
    )
    return difference.with_interval()


def _less(
    errors: Mapping[Hashable, float], others: Mapping[Hashable, float], times: float = 1.0
) -> dict[Hashable, float]:
    """Return the errors of each cluster less as many times the others."""
    keys = {**errors, **others}
    return {key: errors.get(key, 0.0) - times * others.get(key, 0.0) for key in keys}


class LabelledTest(PairedTest):
    """The test of a difference of two means by people: Student's, with the variance of PPI.

    Questions, documents and how they resemble each other are those of the judge's differences.
    """

    def __init__(self, judged: PairedTest, by_people: PPIMean) -> None:
        """Take the test of the judge's scores, and the difference by people."""
        width, sums = judged.width, judged.sums * judged.width
        super().__init__(sums, judged.counts, width, judged.parts, averaged=judged.averaged)
        self.by_people, self.difference = by_people, np.asarray(by_people.value)
        self._mean = self.difference / width

    def more_labels(self, margin: float, *, items: int) -> int | None:
        """Return how many more labels rule out a fall by a margin, where there is none.

        In 8 of 10 cases; None if labels of all items do not.

        Args:
            margin: In the unit of the metric.
            items: Those that are judged in both runs.
        """
        from scipy import special

        shown, ruled_out, more = special.ndtri([(1 + self.by_people.level) / 2, 1 - ALPHA, POWER])
        half = margin * float(shown / (ruled_out + more))
        return self.by_people.more_labels(half, items=items)

    @cached_property
    def _p_of_none(self) -> Floats:
        return np.asarray(np.minimum(1.0, 2 * self._tail(0.0)))

    def _tail(self, null: Floats | float) -> Floats:
        known = self.by_people
        return tail_of(
            float(self.difference),
            known.variance or 0.0,
            null,
            size=known.size,
            freedom=known.freedom,
            bounds=known.bounds,
            prior=known.prior,
        )


def tuned_weight(people: Floats, judge: Floats, others: Floats) -> float:
    """Return cov(people, judge) / ((1 + n/N) var(judge)), kept within [0, 1]; 0 for a flat judge.

    Example:
        >>> people = finite([0, 1, 0, 1])
        >>> round(tuned_weight(people, people, people), 4)  # (1/3) / ((1 + 4/4) · 2/7)
        0.5833
    """
    variance = float(np.concatenate([judge, others]).var(ddof=1))
    if not variance:
        return 0.0
    covariance = float(np.cov(people, judge, ddof=1)[0, 1])
    return min(1.0, max(0.0, covariance / ((1 + len(people) / len(others)) * variance)))


def _sums(values: Floats, clusters: Sequence[Hashable]) -> dict[Hashable, float]:
    sums: dict[Hashable, float] = {}
    for cluster, value in zip(clusters, values.tolist(), strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + value
    return sums


def _errors(gaps: Floats, shares: Floats, clusters: Sequence[Hashable]) -> dict[Hashable, float]:
    """Return what each cluster adds to the error of a mean, as `Design.variance` takes it."""
    wholes = _sums(shares, clusters)
    sums = _sums(shares * gaps, clusters)
    return {key: sums[key] / math.sqrt(1 - part) for key, part in wholes.items() if part < 1}
