"""Contrast: one metric on two runs, question by question, with its interval and its p-value.

Interval and p-value come from one test and never disagree. Contrasts that are looked at together
are a family: p-values are corrected for one another, and intervals hold for all of them together.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import islice
from typing import Literal

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.decisions.by_people import ByPeople
from llamaindex_rag_eval.decisions.pairing import Pairing
from llamaindex_rag_eval.judge.answerers import by_rules
from llamaindex_rag_eval.runs.clusters import SampleClusters
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.interval import Estimate, Interval
from llamaindex_rag_eval.stats.paired import PairedTest, paired_test, primary_first
from llamaindex_rag_eval.stats.ppi import LabelledTest

Finding = Literal[
    "better", "worse", "different", "no evidence", "too few questions", "not comparable"
]
"""What may be said of the second run; `different` where no direction is better.

`too few questions` if no difference could have been significant, `no evidence` if one could.
"""

SAME = 1e-9
"""Scores nearer than this are a tie: rounding may make equal values differ."""

LEAST_CHANGE = 0.05
"""Share of a metric's range by which more a question counts as won or lost.

Graded scores move by less where an answer is hardly another one.
"""

Scores = Sequence[tuple[str, float | None, float | None]]
"""Sample id, score in the first run, score in the second; `None` for a missing score."""


@dataclass(frozen=True, slots=True)
class PairOfScores:
    """Both scores of one question."""

    sample_id: str
    a: float
    b: float

    @property
    def gap(self) -> float:
        """Return `b - a`."""
        return self.b - self.a


@dataclass(frozen=True)
class Contrast(JsonFields):
    """One metric on the questions that both runs have.

    Attributes:
        metric: The metric.
        pairs: The questions that both runs have a score for.
        missing_a: Questions without a score in the first run that have one in the second, or
            that failed there.
        missing_b: The same for the second run.
        not_applicable: Questions for which the metric is undefined in both runs.
        bounds: The mean difference if every missing score were the worst for the second run
            against the first, and the other way round; `None` where the metric has no bounds.
        p_adjusted: The p-value corrected over the family of tests; `None` before it.
        alpha: Up to which adjusted p-value a difference counts as shown.
        withheld: Whether the runs differ in more than their pipelines, so that there is no verdict.
        unchanged: Whether both runs gave the same answers, and no score differs but for the noise
            of a model: there is nothing to estimate, and no interval.
        level: Of its own test, so that all tests of the family hold `alpha` together.
        decides: Whether its metric is the one that decides.
        test: The test behind interval and p-value; `None` without pairs.
        people: What labels by people say of it, if they correct it: means, difference, interval,
            p-value and bounds are then theirs; what is said of questions is the judge's.
    """

    _json = (
        "metric=metric.spec direction=metric.direction mean_a mean_b difference low=estimate.low "
        "high=estimate.high level=estimate.level decides p_value p_adjusted n "
        "effective_n=estimate.effective_n icc missing_a missing_b not_applicable bounds wins ties "
        "losses finding fragile labels"
    )

    metric: MetricInfo
    pairs: tuple[PairOfScores, ...]
    missing_a: int
    missing_b: int
    not_applicable: int
    bounds: tuple[float, float] | None
    p_adjusted: float | None = None
    alpha: float = 0.05
    withheld: bool = False
    unchanged: bool = False
    level: float = 0.05
    decides: bool = False
    test: PairedTest | None = field(default=None, repr=False, compare=False)
    people: ByPeople | None = field(default=None, repr=False)

    @property
    def labels(self) -> tuple[int, ...]:
        """How many labels by people it is corrected by, of each run; none if it is not."""
        return self.people.labels if self.people else ()

    @property
    def corrected_by(self) -> str:
        """What is said beside its difference of the labels behind it; empty for none."""
        counts = " and ".join(map(str, self.labels))
        return f" by {counts} labels of people" if counts else ""

    @property
    def spec(self) -> str:
        """The spec of the metric."""
        return self.metric.spec

    @property
    def n(self) -> int:
        """Questions that both runs have a score for."""
        return len(self.pairs)

    @property
    def missing(self) -> int:
        """Questions without the score of one of the runs."""
        return self.missing_a + self.missing_b

    @property
    def gain(self) -> float:
        """By how much the second run is better, below 0 if it is worse; 0 without pairs."""
        return self.sign * (self.difference or 0.0)

    @property
    def lost(self) -> float:
        """By how much the gain falls if each missing score is the worst for the second run."""
        if not self.missing:
            return 0.0
        if self.bounds is None or self.difference is None:
            return math.inf
        return self.gain - min(self.sign * end for end in self.bounds)

    @property
    def mean_a(self) -> float | None:
        """The first run's mean over the pairs; `None` without pairs."""
        if self.people:
            return self.people.means[0].mean.value
        return math.fsum(pair.a for pair in self.pairs) / self.n if self.pairs else None

    @property
    def mean_b(self) -> float | None:
        """The second run's mean over the pairs; `None` without pairs."""
        if self.people:
            return self.people.means[1].mean.value
        return math.fsum(pair.b for pair in self.pairs) / self.n if self.pairs else None

    @property
    def difference(self) -> float | None:
        """The mean of `b - a` over the pairs; `None` without pairs."""
        if self.people and self.people.difference:
            return self.people.difference.value
        return math.fsum(pair.gap for pair in self.pairs) / self.n if self.pairs else None

    @cached_property
    def estimate(self) -> Estimate:
        """The difference with its one interval: all that is decided and said of it is read from it.

        A difference is shown if 0 is outside: after the correction, intervals hold for the whole
        family. The metric that decides is held to a margin, too: each end of its interval errs in
        `alpha`, and a loss by the margin is ruled out if it is outside. Where a difference is
        shown, the end that is nearer to 0 is the one of the test that shows it.
        """
        if self.test is None:
            return Estimate(None)
        low, high = (None, None) if self.unchanged else self._ends(self.test)
        documents = len(self.test.sums)
        size = float(self.test.resemblance.size) if documents > 1 else None
        level = 1 - (2 if self.decides else 1) * self.alpha
        return Estimate(self.difference, low, high, self.n, documents, size, self.p_value, level)

    def _ends(self, test: PairedTest) -> tuple[float | None, float | None]:
        differs = None if self.p_adjusted is None else self._differs
        low, high = test.ends(1 - self.level, differs=differs).tolist()
        if self.decides:
            held = test.ends(1 - 2 * self.alpha, differs=differs).tolist()
            low, high = (low if low > 0 else held[0]), (high if high < 0 else held[1])
        return (None, None) if math.isnan(low) else (low, high)

    @property
    def _differs(self) -> bool:
        """Whether a difference is shown."""
        return self.p_adjusted is not None and self.p_adjusted <= self.alpha

    @property
    def interval(self) -> Interval | None:
        """The interval of the difference; `None` below two clusters of pairs."""
        return self.estimate.interval

    @property
    def gains(self) -> tuple[float, float] | None:
        """The least and the greatest gain that its interval holds; `None` without one."""
        if self.interval is None:
            return None
        first, second = self.sign * self.interval.low, self.sign * self.interval.high
        return min(first, second), max(first, second)

    @property
    def p_value(self) -> float | None:
        """That the true difference is 0, in [0, 1], before the correction."""
        return float(self.test.p_value()) if self.test and len(self.test.sums) > 1 else None

    @property
    def icc(self) -> float | None:
        """How much its differences resemble each other within a document, in [0, 1].

        `None` where no two questions share a document.
        """
        if self.test is None or len(self.test.sums) == self.n:
            return None
        return float(self.test.resemblance.icc)

    @property
    def wins(self) -> int:
        """Questions on which the second run is better, or larger where no direction is better.

        By more than a twentieth of the metric's range; by any amount where it has no bounds.
        """
        return sum(self.sign * pair.gap > self._least for pair in self.pairs)

    @property
    def losses(self) -> int:
        """Questions on which it is worse, by as much."""
        return sum(self.sign * pair.gap < -self._least for pair in self.pairs)

    @property
    def ties(self) -> int:
        """The other questions."""
        return self.n - self.wins - self.losses

    @property
    def alike(self) -> bool:
        """Whether no score differs."""
        return not self.people and all(abs(pair.gap) <= SAME for pair in self.pairs)

    @property
    def _least(self) -> float:
        low, high = self.metric.bounds
        return SAME + (LEAST_CHANGE * (high - low) if math.isfinite(high - low) else 0.0)

    @property
    def finding(self) -> Finding:
        """What may be said of the second run at the level `alpha`, after correction."""
        if self.difference is None or self.withheld:
            return "not comparable"
        if self.unchanged:
            return "no evidence"
        if self.p_adjusted is None or 2 * 0.5**self.n > self.alpha:
            return "too few questions"
        if not self._differs:
            return "no evidence"
        if self.metric.direction == "neither":
            return "different"
        return "better" if self.gain > 0 else "worse"

    @property
    def fragile(self) -> bool:
        """Whether missing scores could reverse a finding."""
        if self.finding not in ("better", "worse", "different") or self.bounds is None:
            return False
        return self.bounds[0] <= 0 <= self.bounds[1]

    @property
    def sign(self) -> int:
        """-1 where lower is better, else 1."""
        return -1 if self.metric.direction == "lower" else 1


def contrasts_of(pairing: Pairing, clusters: SampleClusters) -> tuple[Contrast, ...]:
    """Return a contrast for each metric of two runs, none corrected; see `Contrast.withheld`.

    Args:
        pairing: The two runs.
        clusters: Of the paired questions.
    """
    withheld = {spec for specs in pairing.discrepancies.values() for spec in specs}
    contrasts = [contrast_of(pairing, metric, clusters) for metric in pairing.metrics]
    same = pairing.unchanged
    return tuple(
        replace(c, withheld=c.spec in withheld, unchanged=same and _same_scores(c, pairing.b))
        for c in contrasts
    )


def labelled(contrast: Contrast, people: ByPeople | None) -> Contrast:
    """Return a contrast as labels by people correct it; the same where they do not.

    Args:
        contrast: As the judge scored.
        people: What labels say of the same metric, runs and questions.
    """
    test, judged = contrast.test, contrast.difference
    if people is None or not people.difference or not people.labels or contrast.unchanged:
        return contrast
    if test is None or judged is None:
        return contrast
    shift = (people.difference.value or 0.0) - judged
    shift *= contrast.n / (contrast.n + contrast.missing)
    ends = contrast.bounds and (contrast.bounds[0] + shift, contrast.bounds[1] + shift)
    known = LabelledTest(test, people.difference)
    return replace(contrast, people=people, test=known, bounds=ends)


def _same_scores(contrast: Contrast, run: Run) -> bool:
    """Return whether the same answers have the same scores, but for the noise of a model."""
    judged = run.provenance.judged.get(contrast.spec, {})
    by_model = any(not by_rules(who) for counts in judged.values() for who in counts)
    return by_model or (contrast.alike and contrast.missing_a == contrast.missing_b)


def contrast_of(
    pairing: Pairing,
    metric: MetricInfo,
    clusters: SampleClusters,
    *,
    ids: Sequence[str] | None = None,
) -> Contrast:
    """Return the contrast of one metric, its p-value and interval not adjusted for others.

    Args:
        pairing: The two runs.
        metric: One of its metrics.
        clusters: Of the paired questions.
        ids: The paired samples to compare; all by default.
    """
    ids = pairing.ids if ids is None else ids
    scores = scores_of(pairing, metric, ids)
    pairs = tuple(PairOfScores(i, a, b) for i, a, b in scores if a is not None and b is not None)
    missing_a, missing_b = (sum(score[side] is None for score in scores) for side in (1, 2))
    members = clusters.members(pair.sample_id for pair in pairs) if pairs else None
    width = metric.bounds[1] - metric.bounds[0]
    gaps = [pair.gap for pair in pairs]
    averaged = pairing.averaged
    return Contrast(
        metric=metric,
        pairs=pairs,
        missing_a=missing_a,
        missing_b=missing_b,
        not_applicable=len(ids) - len(scores),
        bounds=_bounds(metric, scores),
        test=paired_test(gaps, members=members, width=width, averaged=averaged) if pairs else None,
    )


def scores_of(pairing: Pairing, metric: MetricInfo, ids: Iterable[str]) -> Scores:
    """Return the scores of both runs, without the samples that are undefined in both."""
    a, b = pairing.rows_a.get(metric.spec, {}), pairing.rows_b.get(metric.spec, {})
    return [
        (i, a[i].score if i in a else None, b[i].score if i in b else None)
        for i in ids
        if not (i in a and i in b and a[i].status == b[i].status == "undefined")
    ]


def _bounds(metric: MetricInfo, scores: Scores) -> tuple[float, float] | None:
    """Return the least and the greatest mean difference that missing scores allow."""
    low, high = metric.bounds
    if not scores or not (math.isfinite(low) and math.isfinite(high)):
        return None
    least, greatest = (
        sum((if_b if b is None else b) - (if_a if a is None else a) for _, a, b in scores)
        for if_a, if_b in ((high, low), (low, high))
    )
    return least / len(scores), greatest / len(scores)


def corrected(
    groups: Sequence[Sequence[Contrast]], alpha: float, primary: str = ""
) -> list[tuple[Contrast, ...]]:
    """Return contrasts corrected for one another: p-values, and intervals that hold together.

    Args:
        groups: The family, in groups, as the metrics of a pair of runs.
        alpha: Up to which adjusted p-value a difference counts as shown, in (0, 1).
        primary: The spec of the metric that decides, which gets most of alpha; empty for none.

    Returns:
        The same contrasts in the same groups. The chance that any difference is shown where there
        is none is at most `alpha` over all of them.
    """
    every = [contrast for group in groups for contrast in group]
    tests = [None if c.withheld or c.p_value is None else c.test for c in every]
    leads = [c.spec == primary for c, test in zip(every, tests, strict=True) if test]
    shown = iter(primary_first([test for test in tests if test], alpha, leads))
    family = (
        replace(contrast, p_adjusted=p, alpha=alpha, level=level, decides=contrast.spec == primary)
        for contrast, test in zip(every, tests, strict=True)
        for p, level in [next(shown) if test else (None, alpha)]
    )
    return [tuple(islice(family, len(group))) for group in groups]
