"""The paired test: what paired differences say about a mean difference; see `inference`.

Two halves, of which the less certain one counts:

- documents: whole documents change their sign together, each as likely as not. Where nothing
  differs, that is exact for any resemblance within documents. It is Student's test over the
  documents where these are fewer than six or more than a thousand, for many samples at once, and
  for ends that signs of so few cannot give;
- questions: Tango's score test, which knows that a rare fall may not have been seen, with as many
  independent questions as their resemblance within documents leaves (`Resemblance`).

Sources: Winkler et al. (2015), "Multi-level block permutation"; Westfall and Young (1993),
"Resampling-Based Multiple Testing"; Student (1908); Tango (1998), "Equivalence test and confidence
interval for the difference in proportions for the paired-sample design".
"""

import math
from collections.abc import Hashable, Sequence
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.stats.clusters import Design, Resemblance
from llamaindex_rag_eval.stats.inference import PRIOR, SAME
from llamaindex_rag_eval.stats.interval import DEFAULT_LEVEL, Interval
from llamaindex_rag_eval.stats.sample_values import Floats, Values, finite
from llamaindex_rag_eval.stats.significance import holm

if TYPE_CHECKING:
    from scipy.sparse import csr_array

HALVINGS = 30
"""Steps of the bisection for the ends of an interval: to 2**-30 of the range."""

FLIPS = 2_048
"""Random changes of sign; a p-value is then known to a two-thousandth."""

FEWEST_FLIPPED = 6
"""Documents from which on signs can show anything: 2 / 2**6 is .03."""

AVERAGED = 2.0
"""In place of `PRIOR`, the weight of the belief that a question changes by the whole range.

Means over answers differ by little where answers vary by chance, and by much where a question
breaks, which may not have been seen. With .2 as many as 11 in 100 builds that are worse by the
margin pass at 50 questions, with 1 up to 7 (`tests/benchmarks/decisions.py repeats`).
"""

LEADING = 0.8
"""The share of the error that the metric that decides may make; the others share the rest.

Of .5 to .95: with .8 a decision needs a twentieth more than if there were no other metric, and the
others a sixth more than if all were alike, unless the first has shown something.
"""

MOST_FLIPPED = 1_000
"""Documents up to which they are flipped: of more, Student's test is as good and takes no table."""


def paired_test(
    differences: Values,
    *,
    clusters: Sequence[Hashable] | None = None,
    members: "Floats | csr_array | None" = None,
    width: float = math.inf,
    averaged: bool = False,
) -> "PairedTest":
    """Return the test of the mean of paired differences.

    Args:
        differences: One a question; leave those without both scores out.
        clusters: The document of each; None makes each a document of its own.
        members: In place of it, for questions on several: a row a question, a column a document,
            1 / √k in each of its k; sparse or not.
        width: The greatest score less the least; infinite for scores without bounds.
        averaged: Whether scores are means over several answers; see `AVERAGED`.

    Raises:
        InputError: A difference is not finite, or `clusters` does not fit.

    Example:
        >>> test = paired_test([1 / 3, 0, 1 / 3, 0, 1 / 3, 1 / 3, 1 / 3, 1 / 3], width=1)
        >>> round(float(test.p_value()), 2)  # six questions of six rise: 2 / 2**6
        0.03
        >>> [round(float(end), 2) for end in test.ends()]
        [0.05, 0.34]
    """
    from scipy import sparse

    array = finite(differences, name="differences")
    if members is None:
        labels = range(len(array)) if clusters is None else clusters
        if len(labels) != len(array):
            raise InputError(f"{len(array)} values need as many clusters, got {len(labels)}")
        numbers: dict[Hashable, int] = {}
        columns = [numbers.setdefault(label, len(numbers)) for label in labels]
        shape, ones = (len(array), len(numbers)), np.ones(len(array))
        members = sparse.csr_array((ones, (np.arange(len(array)), columns)), shape=shape)
    documents = sparse.csr_array(members).T
    width = max(width, float(np.abs(array).max(initial=0.0)))
    changed = np.abs(array) > SAME * (width if math.isfinite(width) else 1.0)
    array = np.where(changed, array, 0.0)
    counts = documents @ np.ones(len(array))
    parts = (documents.power(2) @ parts_of(array).T).T
    flipped = FEWEST_FLIPPED <= (counts > 0).sum() <= MOST_FLIPPED
    test = FlipTest if flipped else PairedTest
    return test(documents @ array, counts, width, parts, averaged=averaged)


def parts_of(differences: Floats) -> Floats:
    """Return what a test needs of differences beside their sums, five along the first axis.

    Their squares, rises, falls, whether they changed, and 1 for each; NaN where there is none.
    """
    known = np.isfinite(differences)
    gaps = np.where(known, differences, 0.0)
    rows = (gaps**2, np.maximum(gaps, 0.0), np.maximum(-gaps, 0.0), gaps != 0, known)
    return np.stack(rows).astype(np.float64)


class PairedTest:
    """The test of a mean difference, whose p-value and interval never disagree.

    It holds one sample, or many at once along the axes before the last: simulations use the very
    test that a sweep uses.

    Attributes:
        difference: The mean difference.
        n: Questions.
        design: What the sizes of the documents say.
        changed: Questions whose scores differ.
        resemblance: Of questions on one document.
    """

    def __init__(
        self,
        sums: Floats,
        counts: Floats,
        width: float,
        parts: Floats | None = None,
        *,
        averaged: bool = False,
    ) -> None:
        """Take the sum and the count of each document, along the last axis.

        Args:
            sums: Of the differences of its questions; one on k documents counts with 1 / √k.
            counts: Of its questions, so weighted.
            width: The greatest score less the least.
            parts: The sums of `parts_of` over each document, a question on k documents with 1 / k;
                by default each document is one question.
            averaged: Whether scores are means over several answers.
        """
        self.averaged = averaged
        self.width = width if math.isfinite(width) else 1.0
        self.bounded, self.parts = math.isfinite(width), parts_of(sums) if parts is None else parts
        self.sums, self.counts = sums / self.width, np.broadcast_to(counts, sums.shape)
        self.design = Design.of(self.counts)
        squares, rises, falls, self.changed, self.n = self.parts.sum(axis=-1)
        rise, fall = (side / self.width / self.n for side in (rises, falls))
        self._mean = np.asarray(rise - fall)
        self._total = self._mean * self.n
        self.difference = self._mean * self.width
        square = squares / self.width**2
        centred = np.maximum(square - self.n * self._mean**2, 0.0)
        residuals = self.sums - self.counts * self._mean[..., None]
        self.resemblance = Resemblance.of(residuals, self.counts, centred, self.n, self.changed)
        size = self.resemblance.size
        # The size of a change: of a question that rises by it, or falls, or keeps its score.
        prior = (AVERAGED if averaged else PRIOR) * size / self.n
        self._lump = np.minimum(
            1.0, (size * square / self.n + prior) / (size * (rise + fall) + prior)
        )
        self._rise, self._fall = rise / self._lump, fall / self._lump

    def p_value(self, null: float = 0.0) -> Floats:
        """Return the two-sided p-value of the hypothesis that the mean difference is `null`."""
        if not null:
            return self._p_of_none
        return np.asarray(np.minimum(1.0, 2 * self._tail(null)))

    def p_above(self, null: float) -> Floats:
        """Return the one-sided p-value of the hypothesis that it is `null` or less."""
        tail = self._p_of_none / 2 if not null else self._tail(null)
        return np.asarray(np.where(self.difference > null, tail, 1 - tail))

    def ends(self, level: float = DEFAULT_LEVEL) -> Floats:
        """Return both ends of the interval, shape (2, …): what the test does not reject.

        NaN below two documents, or where unbounded differences are all alike.
        """
        reach = np.asarray(self._reach)
        near = np.stack([self._mean, self._mean])
        far = np.stack([self._mean - reach, self._mean + reach])
        allowed, end = self._within(far, level), far
        for _ in range(HALVINGS):
            middle = (near + end) / 2
            inside = self._within(middle, level)
            near, end = np.where(inside, middle, near), np.where(inside, end, middle)
        ends = np.where(allowed, far, near)
        open_ = self._p_of_none > 1 - level
        ends[0] = np.where(open_, np.minimum(ends[0], 0.0), ends[0])
        ends[1] = np.where(open_, np.maximum(ends[1], 0.0), ends[1])
        if self.bounded:
            ends = np.clip(ends, -1.0, 1.0)
        known = (self.design.freedom > 0) & (self.bounded | (self._variance > 0))
        return np.asarray(np.where(known, ends * self.width, np.nan))

    def interval(self, level: float = DEFAULT_LEVEL) -> Interval | None:
        """Return the interval of a single sample, or None if there is none."""
        low, high = map(float, self.ends(level))
        return None if math.isnan(low) else Interval(low, high, level)

    @property
    def lump(self) -> Floats:
        """The size of a change, in the unit of the scores."""
        return np.asarray(self._lump * self.width)

    @cached_property
    def _variance(self) -> Floats:
        variance = self.design.variance(self.sums, self.counts) * (self.design.n / self.n) ** 2
        return np.asarray(np.where(variance > SAME**2, variance, 0.0))

    @property
    def _reach(self) -> Floats:
        """How far from the mean an end can be."""
        if self.bounded:
            return np.asarray(1.0 + np.abs(self._mean))
        from scipy import special

        with np.errstate(invalid="ignore"):
            quantile = special.stdtrit(self.design.freedom, 1 - 1e-9)
            return np.asarray(quantile * np.sqrt(self._variance))

    def _within(self, null: Floats, level: float) -> Floats:
        """Return whether means, of the range, are not rejected."""
        return np.asarray(2 * self._tail(null * self.width) > 1 - level)

    @cached_property
    def _p_of_none(self) -> Floats:
        """The p-value that nothing differs.

        Few questions that happen to change alike have no variance: then it is that of the sign
        test if all that changed went one way, 2 / 2**changed.
        """
        least = np.minimum(1.0, 2.0 * 0.5**self.changed)
        return np.asarray(np.fmin(1.0, np.fmax(2 * self._tail(0.0), least)))

    def _tail(self, null: Floats | float) -> Floats:
        """Return the chance of a mean at least as far from `null` on its side: the larger half."""
        null = np.asarray(null) / self.width
        tail = self._tail_of_documents(null)
        return np.fmax(tail, self._tail_of_questions(null)) if self.bounded else tail

    def _tail_of_documents(self, null: Floats) -> Floats:
        from scipy import special

        gap = np.abs(self._mean - null)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where(gap > 0, gap / np.sqrt(self._variance), 0.0)
        return np.asarray(special.stdtr(self.design.freedom, -t))

    def _tail_of_questions(self, null: Floats) -> Floats:
        from scipy import special

        gap, n = (self._mean - null) ** 2, self.n
        with np.errstate(divide="ignore", invalid="ignore"):
            spread = self._lump**2 * _tango(null / self._lump, self._rise, self._fall)
            score = np.where(gap > 0, self.resemblance.size * gap / spread, 0.0)
            # T = n t² / (n - 1 + t²): a score test divides by the spread about the null.
            t = np.where(score < n, np.sqrt(score * (n - 1) / (n - score)), np.inf)
        return np.asarray(special.stdtr(np.maximum(n - 1, 1e-9), -t))


class FlipTest(PairedTest):
    """The test of one sample by whole documents that change their sign."""

    @cached_property
    def statistics(self) -> Floats:
        """The standardised sum, then those under each change of sign; shape (1 + flips,)."""
        scale = math.sqrt(float((self.sums**2).sum())) or 1.0
        return np.concatenate([[float(self._total) * self._shrink], self._flipped[0]]) / scale

    @cached_property
    def _p_of_none(self) -> Floats:
        total, changed = abs(float(self._total)) * self._shrink, self.sums[self.sums != 0]
        exact = len(changed) > 0 and 2 ** (len(changed) - 1) <= FLIPS  # the others have no sign
        flipped = _signs(len(changed)) @ changed if exact else self._flipped[0]
        return np.asarray(_share(np.abs(flipped) >= total - 1e-9))

    def _within(self, null: Floats, level: float) -> Floats:
        """Return it by Student's test where signs of so few documents reject nothing at a level."""
        # No difference is twice the range away.
        if 2 * float(self._tail_of_documents(np.asarray(self._mean + 2.0))) <= 1 - level:
            return super()._within(null, level)
        tail = super()._tail_of_documents(null)
        tail = np.fmax(tail, self._tail_of_questions(null)) if self.bounded else tail
        return np.asarray(2 * tail > 1 - level)

    @cached_property
    def _flipped(self) -> tuple[Floats, Floats]:
        """The sums of differences and of counts under each change of sign."""
        signs = _signs(len(self.sums))
        return signs @ self.sums, signs @ self.counts

    @property
    def _shrink(self) -> float:
        """Where questions link documents, the variance over pairs is estimated, not exact."""
        linked = abs(float(self.counts.sum()) - float(self.n)) > 1e-6
        return math.sqrt(1 - 2 / len(self.sums)) if linked else 1.0

    def _tail_of_documents(self, null: Floats) -> Floats:
        shape, nulls = np.shape(null), np.atleast_1d(null).ravel()
        tails = []
        for each in nulls:
            total = abs(float(self._total) - each * float(self.n)) * self._shrink
            flipped = np.abs(self._flipped[0] - each * self._flipped[1])
            tails.append(_share(flipped >= total - 1e-9) / 2)
        return np.asarray(tails).reshape(shape)


@lru_cache(maxsize=4)
def _signs(documents: int) -> Floats:
    """Return signs, a row a change of sign: all there are, or so many at random."""
    if 2 ** (documents - 1) <= FLIPS:
        numbers = np.arange(2 ** (documents - 1))[:, None]
        return np.where(numbers >> np.arange(documents) & 1, -1.0, 1.0)
    size = FLIPS - 1, documents  # rows are no power of two
    return np.random.default_rng(0).choice(np.array([-1.0, 1.0]), size=size)


def _share(hits: npt.NDArray[np.bool_]) -> float:
    """Return the share of changes of sign; of random ones the sample itself is one more."""
    every = math.log2(len(hits)).is_integer()
    return float(hits.mean()) if every else (1.0 + float(hits.sum())) / (1 + len(hits))


def family(tests: Sequence[PairedTest], alpha: float) -> list[tuple[float, float]]:
    """Return p-values corrected for one another, and the level of each test's interval.

    Where all are tests of bounded scores by changes of sign, the p-value is the share of changes
    under which the greatest of all statistics reaches that of the test, stepping down: metrics that
    say the same cost nothing. Otherwise it is Holm's: seconds, which are others each time, must not
    change the level at which tokens are tested.

    Args:
        tests: Each with a p-value.
        alpha: The chance that any is shown where nothing differs.

    Example:
        >>> same = paired_test([1.0] * 8, width=1)
        >>> [round(p, 4) for p, _ in family([same, same], 0.05)]  # 2 / 2**8, not twice of it
        [0.0078, 0.0078]
    """
    documents = {len(test.sums) for test in tests}
    alike = all(isinstance(test, FlipTest) and test.bounded for test in tests)
    if len(tests) < 2 or len(documents) > 1 or not alike:
        p_values = [float(test.p_value()) for test in tests]
        return [(p, alpha / len(tests)) for p in holm(p_values)]
    table = np.abs([test.statistics for test in tests if isinstance(test, FlipTest)])
    order = np.argsort(-table[:, 0], kind="stable")
    flipped = table[:, 1:]
    greatest = np.maximum.accumulate(flipped[order][::-1], axis=0)[::-1]
    stepped = [_share(row >= table[k, 0] - 1e-9) for k, row in zip(order, greatest, strict=True)]
    adjusted = np.empty(len(tests))
    alone = [float(tests[k].p_value()) for k in order]
    adjusted[order] = np.maximum.accumulate(np.maximum(stepped, alone))
    levels = (flipped >= np.quantile(greatest[0], 1 - alpha)).mean(axis=1)
    levels = np.clip(levels, alpha / len(tests), alpha)
    return [*zip(adjusted.tolist(), levels.tolist(), strict=True)]


def primary_first(
    tests: Sequence[PairedTest], alpha: float, leads: Sequence[bool]
) -> list[tuple[float, float]]:
    """Return the corrected p-value of each test, and the level of its interval.

    Tests that lead share `LEADING` of alpha, the others what is left; what all of one side have
    shown, the other side may use whole. The chance that any is shown where nothing differs is alpha
    over all of them. Source: Bretz, Maurer, Brannath and Posch (2009), "A graphical approach to
    sequentially rejective multiple test procedures", with a `family` at each of two nodes.

    Args:
        tests: Each with a p-value.
        alpha: The chance of any false alarm.
        leads: Whether each test is of the metric that decides.

    Example:
        >>> tests = [paired_test(gaps, width=1) for gaps in ([1.0] * 6, [0.0, 1.0] * 4)]
        >>> shown = primary_first(tests, 0.05, [True, False])
        >>> [round(p, 3) for p, _ in shown]  # 2 / 2**6 / .8; 2 / 2**4
        [0.039, 0.125]
    """
    nodes = [[k for k, lead in enumerate(leads) if lead is side] for side in (True, False)]
    shares = (LEADING, 1 - LEADING) if all(nodes) else (1.0, 1.0)
    shown = [
        family([tests[k] for k in node], share * alpha)
        for node, share in zip(nodes, shares, strict=True)
    ]
    every = [max((p for p, _ in results), default=0.0) for results in shown]
    whole: dict[int, tuple[float, float]] = {}
    for side, node in enumerate(nodes):
        others = every[1 - side] / shares[1 - side]
        for k, (p, level) in zip(node, shown[side], strict=True):
            whole[k] = max(p, min(p / shares[side], others, 1.0)), level
    return [whole[k] for k in range(len(tests))]


def _tango(null: Floats, rise: Floats, fall: Floats) -> Floats:
    """Return the variance of a difference, -1, 0 or 1, if its mean is `null`.

    The likeliest shares of 1 and -1 with that mean: Tango (1998), section 3.

    Args:
        null: The mean.
        rise: Share of 1.
        fall: Share of -1.
    """
    turned = null < 0
    mean = np.minimum(np.abs(null), 1.0)
    rise, fall = np.where(turned, fall, rise), np.where(turned, rise, fall)
    half = ((2 - rise + fall) * mean - rise - fall) / 4
    root = np.sqrt(half**2 + fall * mean * (1 - mean) / 2)
    return np.asarray(2 * np.maximum(root - half, 0.0) + mean * (1 - mean))
