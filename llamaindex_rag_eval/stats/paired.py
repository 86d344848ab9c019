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

LEAST = 1e-300
"""The end of an interval that holds all up to 0, and not 0."""

LINKED = 1e-6
"""By more, the counts of documents exceed the questions where some are on several."""


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
    return paired_tests(array, members, width, averaged=averaged)


def paired_tests(
    differences: Floats,
    members: "Floats | csr_array",
    width: float,
    *,
    averaged: bool = False,
    flipped: bool = True,
) -> "PairedTest":
    """Return the tests of many samples over the same documents, made at once; see `paired_test`.

    Args:
        differences: Shape (…, questions); NaN where there is none.
        members: A row a question, a column a document.
        width: The greatest score less the least.
        averaged: Whether scores are means over several answers.
        flipped: Whether documents change their signs, where they are neither few nor many.
    """
    from scipy import sparse

    documents = sparse.csr_array(members).T
    shape = (*differences.shape[:-1], documents.shape[0])
    width = max(width, float(np.nanmax(np.abs(differences), initial=0.0)))
    rounding = SAME * (width if math.isfinite(width) else 1.0)
    gaps = np.where(np.abs(differences) <= rounding, 0.0, differences)

    def summed(table: "csr_array", values: Floats) -> Floats:
        flat = table @ values.reshape(-1, values.shape[-1]).T
        return np.ascontiguousarray(flat.T).reshape(*values.shape[:-1], shape[-1])

    parts = summed(documents.power(2), parts_of(gaps))
    known = np.isfinite(gaps)
    counts = documents @ np.ones(gaps.shape[-1]) if known.all() else summed(documents, 1.0 * known)
    for table in (counts, parts[4]):  # no question at all is one that says nothing
        table[..., :1] += table.sum(axis=-1, keepdims=True) == 0
    fewest = int((counts > 0).sum(axis=-1).min())
    flipped &= fewest >= FEWEST_FLIPPED and shape[-1] <= MOST_FLIPPED
    sums = summed(documents, np.where(known, gaps, 0.0))
    return PairedTest(sums, counts, width, parts, averaged=averaged, flipped=flipped)


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
    test that a comparison uses.

    Attributes:
        difference: The mean difference.
        n: Questions.
        changed: Questions whose scores differ.
        flipped: Whether documents change their signs; else it is Student's test over them.
    """

    def __init__(
        self,
        sums: Floats,
        counts: Floats,
        width: float,
        parts: Floats | None = None,
        *,
        averaged: bool = False,
        flipped: bool = False,
    ) -> None:
        """Take the sum and the count of each document, along the last axis.

        Args:
            sums: Of the differences of its questions; one on k documents counts with 1 / √k.
            counts: Of its questions, so weighted.
            width: The greatest score less the least.
            parts: The sums of `parts_of` over each document, a question on k documents with 1 / k;
                by default each document is one question.
            averaged: Whether scores are means over several answers.
            flipped: Whether documents change their signs.
        """
        self.averaged, self.flipped = averaged, flipped
        self.width = width if math.isfinite(width) else 1.0
        self.bounded, self.parts = math.isfinite(width), parts_of(sums) if parts is None else parts
        self.sums, self.counts = sums / self.width, np.broadcast_to(counts, sums.shape)
        self._squares, rises, falls, self.changed, self.n = self.parts.sum(axis=-1)
        self._rises, self._falls = (side / self.width / self.n for side in (rises, falls))
        self._mean = np.asarray(self._rises - self._falls)
        self.difference = self._mean * self.width

    def p_value(self, null: float = 0.0) -> Floats:
        """Return the two-sided p-value of the hypothesis that the mean difference is `null`."""
        return np.asarray(np.minimum(1.0, 2 * self._coherent(null)))

    def p_above(self, null: Floats | float) -> Floats:
        """Return the one-sided p-value of the hypothesis that it is `null` or less.

        It grows with `null`.
        """
        tail = self._coherent(null)
        return np.asarray(np.where(self.difference > null, tail, 1 - tail))

    def _coherent(self, null: Floats | float) -> Floats:
        """Return the tail of a mean, which agrees with what is known of 0 best (`_p_of_none`).

        A mean that is shown to be above 0 is above all that is less; and the other way round.
        """
        of_none = self._p_of_none / 2
        if not np.any(null):
            return np.asarray(of_none)
        tail, aside = self._tail(null), null * self.difference
        tail = np.where(aside <= 0, np.minimum(tail, of_none), tail)
        between = (aside > 0) & (np.abs(null) < np.abs(self.difference))
        return np.asarray(np.where(between, np.maximum(tail, of_none), tail))

    def ends(
        self, level: float = DEFAULT_LEVEL, *, differs: "npt.NDArray[np.bool_] | bool | None" = None
    ) -> Floats:
        """Return both ends of the interval, shape (2, …): what the test does not reject.

        NaN below two documents, or where unbounded differences are all alike.

        Args:
            level: Confidence, in (0, 1).
            differs: Whether 0 is rejected; by default by its p-value alone, and not for a family.
        """
        reach = np.asarray(self._reach)
        near = np.stack([self._mean, self._mean])
        far = np.stack([self._mean - reach, self._mean + reach])
        allowed, end = self._within(far, level), far
        for _ in range(HALVINGS):
            middle = (near + end) / 2
            inside = self._within(middle, level)
            near, end = np.where(inside, middle, near), np.where(inside, end, middle)
        low, high = np.where(allowed, far, end)  # what is rejected: a margin may be a step itself
        shown = self._p_of_none <= 1 - level if differs is None else np.asarray(differs)
        rise, fall = shown & (self._mean > 0), shown & (self._mean < 0)
        low = np.where(rise, np.maximum(low, LEAST), np.where(fall, low, np.minimum(low, 0.0)))
        high = np.where(fall, np.minimum(high, -LEAST), np.where(rise, high, np.maximum(high, 0.0)))
        ends = np.stack([low, high])
        if self.bounded:
            ends = np.clip(ends, -1.0, 1.0)
        known = (self.design.freedom > 0) & (self.bounded | (self._variance > 0))
        return np.asarray(np.where(known, ends * self.width, np.nan))

    def interval(self, level: float = DEFAULT_LEVEL) -> Interval | None:
        """Return the interval of a single sample, or None if there is none."""
        low, high = map(float, self.ends(level))
        return None if math.isnan(low) else Interval(low, high, level)

    @cached_property
    def design(self) -> Design:
        """What the sizes of the documents say."""
        return Design.of(self.counts)

    @cached_property
    def resemblance(self) -> Resemblance:
        """Of questions on one document."""
        square = self._squares / self.width**2
        centred = np.maximum(square - self.n * self._mean**2, 0.0)
        residuals = self.sums - self.counts * self._mean[..., None]
        return Resemblance.of(residuals, self.counts, centred, self.n, self.changed)

    @cached_property
    def lump(self) -> Floats:
        """The size of a change, in the unit of the scores.

        Of a question that rises by it, or falls, or keeps its score.
        """
        size, square = self.resemblance.size, self._squares / self.width**2
        prior = (AVERAGED if self.averaged else PRIOR) * size / self.n
        changes = size * (self._rises + self._falls) + prior
        return np.asarray(np.minimum(1.0, (size * square / self.n + prior) / changes) * self.width)

    @property
    def total(self) -> Floats:
        """The sum, without sign, that those under changes of sign are held against."""
        return np.asarray(np.abs(self._mean) * self.n * self._shrink)

    @cached_property
    def flipped_sums(self) -> Floats:
        """The sum of differences under each change of sign, along the last axis."""
        return np.asarray(self.sums @ _signs(self.sums.shape[-1]).T)

    @cached_property
    def _flipped_counts(self) -> Floats:
        """The same of counts."""
        return np.asarray(self.counts @ _signs(self.sums.shape[-1]).T)

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

    @property
    def _shrink(self) -> Floats:
        """Where questions link documents, the variance over pairs is estimated, not exact."""
        linked = np.abs(self.counts.sum(axis=-1) - self.n) > LINKED
        return np.asarray(np.where(linked, math.sqrt(1 - 2 / self.sums.shape[-1]), 1.0))

    def _within(self, null: Floats, level: float) -> Floats:
        """Return whether means, of the range, are not rejected."""
        tail = self._tail(null * self.width)
        if self.flipped:  # signs of few documents may reject nothing, no mean twice the range away
            coarse = 2 * self._tail_of_signs(self._mean + 2.0) > 1 - level
            tail = np.where(coarse, self._larger(self._tail_of_student(null), null), tail)
        return np.asarray(2 * tail > 1 - level)

    @cached_property
    def _p_of_none(self) -> Floats:
        """The p-value that nothing differs.

        Signs are exact then. Otherwise few questions that happen to change alike have no variance:
        then it is that of the sign test if all that changed went one way, 2 / 2**changed.
        """
        if not self.flipped:
            least = np.minimum(1.0, 2.0 * 0.5**self.changed)
            return np.asarray(np.fmin(1.0, np.fmax(2 * self._tail(0.0), least)))
        total, changed = self.total, self.sums != 0
        p_values = np.array(_share(np.abs(self.flipped_sums) >= total[..., None] - 1e-9))
        # Of few that changed every change of sign is tried; the others have none.
        for where in np.argwhere(2.0 ** (changed.sum(axis=-1) - 1.0) <= FLIPS):
            own = tuple(where)
            sums = self.sums[own][changed[own]]
            p_values[own] = share_of_flips(sums, total[own]) if len(sums) else 1.0
        return p_values

    def _tail(self, null: Floats | float) -> Floats:
        """Return the chance of a mean at least as far from `null` on its side: the larger half."""
        null = np.asarray(null) / self.width
        documents = self._tail_of_signs if self.flipped else self._tail_of_student
        return self._larger(documents(null), null)

    def _larger(self, tail: Floats, null: Floats) -> Floats:
        return np.fmax(tail, self._tail_of_questions(null)) if self.bounded else tail

    def _tail_of_signs(self, null: Floats) -> Floats:
        total = np.abs(self._mean - null) * self.n * self._shrink
        flipped = self.flipped_sums - np.asarray(null)[..., None] * self._flipped_counts
        return np.asarray(_share(np.abs(flipped) >= total[..., None] - 1e-9) / 2)

    def _tail_of_student(self, null: Floats) -> Floats:
        from scipy import special

        gap = np.abs(self._mean - null)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where(gap > 0, gap / np.sqrt(self._variance), 0.0)
        return np.asarray(special.stdtr(self.design.freedom, -t))

    def _tail_of_questions(self, null: Floats) -> Floats:
        from scipy import special

        gap, n = (self._mean - null) ** 2, self.n
        with np.errstate(divide="ignore", invalid="ignore"):
            lump = self.lump / self.width
            spread = lump**2 * _tango(null / lump, self._rises / lump, self._falls / lump)
            score = np.where(gap > 0, self.resemblance.size * gap / spread, 0.0)
            # T = n t² / (n - 1 + t²): a score test divides by the spread about the null.
            t = np.where(score < n, np.sqrt(score * (n - 1) / (n - score)), np.inf)
        return np.asarray(special.stdtr(self.resemblance.freedom, -t))


@lru_cache(maxsize=4)
def _signs(documents: int) -> Floats:
    """Return signs, a row a change of sign: all there are, or so many at random."""
    if 2 ** (documents - 1) <= FLIPS:
        numbers = np.arange(2 ** (documents - 1))[:, None]
        return np.where(numbers >> np.arange(documents) & 1, -1.0, 1.0)
    size = FLIPS - 1, documents  # rows are no power of two
    return np.random.default_rng(0).choice(np.array([-1.0, 1.0]), size=size)


def _share(hits: npt.NDArray[np.bool_]) -> Floats:
    """Return the share of changes of sign; of random ones the sample itself is one more."""
    flips, count = hits.shape[-1], np.count_nonzero(hits, axis=-1)
    every = math.log2(flips).is_integer()
    return np.asarray(count / flips if every else (1.0 + count) / (1 + flips))


def share_of_flips(sums: Floats, total: Floats) -> Floats:
    """Return the share of changes of sign under which sums reach a total, along the last axis."""
    flipped = np.abs(sums @ _signs(sums.shape[-1]).T)
    return _share(flipped >= np.asarray(total)[..., None] - 1e-9)


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
    alike = all(test.flipped and test.bounded for test in tests)
    if len(tests) < 2 or len(documents) > 1 or not alike:
        p_values = [float(test.p_value()) for test in tests]
        return [(p, alpha / len(tests)) for p in holm(p_values)]
    scales = [math.sqrt(float((test.sums**2).sum())) or 1.0 for test in tests]
    rows = [np.append(test.total, np.abs(test.flipped_sums)) for test in tests]
    table = np.stack(rows) / np.array(scales)[:, None]
    order = np.argsort(-table[:, 0], kind="stable")
    flipped = table[:, 1:]
    greatest = np.maximum.accumulate(flipped[order][::-1], axis=0)[::-1]
    stepped = _share(greatest >= table[order, :1] - 1e-9)
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
