"""Contrast: one metric on two runs, question by question, and what the difference is worth."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from llamaindex_rag_eval.comparison.pairing import Pairing
from llamaindex_rag_eval.metrics.result import Status
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.stats.interval import Interval

__all__ = ["Contrast", "Finding", "PairOfScores"]

Finding = Literal["better", "worse", "different", "no evidence", "not comparable"]
"""What may be said of the second run; `different` where no direction is better."""

SAME = 1e-9
"""Scores nearer than this are a tie: equal values may differ in how they were added up."""


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


@dataclass(frozen=True, slots=True)
class Contrast:
    """One metric on the questions that both runs have.

    Attributes:
        metric: Which.
        pairs: The questions that both runs have a score for.
        missing_a: Questions without a score in the first run that have one in the second, or
            that failed there.
        missing_b: The same for the second run.
        not_applicable: Questions for which the metric is undefined in both runs.
        interval: Of the mean difference, by paired bootstrap; `None` below two pairs.
        p_value: Of the sign-flip permutation test, in (0, 1]; `None` without pairs.
        p_adjusted: The same after Holm's correction over all metrics compared; `None` where it
            was not made.
        bounds: The mean difference if every missing score were the worst for the second run
            against the first, and the other way round; `None` where the metric has no bounds.
        detectable: The smallest true difference that as many questions show with a power of
            80 %; `None` below two pairs.
        alpha: Up to which adjusted p-value a difference counts as shown.
    """

    metric: MetricInfo
    pairs: tuple[PairOfScores, ...]
    missing_a: int
    missing_b: int
    not_applicable: int
    interval: Interval | None
    p_value: float | None
    p_adjusted: float | None
    bounds: tuple[float, float] | None
    detectable: float | None
    alpha: float = 0.05

    @property
    def n(self) -> int:
        """Questions that both runs have a score for."""
        return len(self.pairs)

    @property
    def mean_a(self) -> float | None:
        """The first run's mean over the pairs; `None` without pairs."""
        return sum(pair.a for pair in self.pairs) / self.n if self.pairs else None

    @property
    def mean_b(self) -> float | None:
        """The second run's mean over the pairs; `None` without pairs."""
        return sum(pair.b for pair in self.pairs) / self.n if self.pairs else None

    @property
    def difference(self) -> float | None:
        """The mean of `b - a` over the pairs; `None` without pairs."""
        return sum(pair.gap for pair in self.pairs) / self.n if self.pairs else None

    @property
    def wins(self) -> int:
        """Questions on which the second run is better, or larger where no direction is better."""
        return sum(self._sign * pair.gap > SAME for pair in self.pairs)

    @property
    def losses(self) -> int:
        """Questions on which it is worse."""
        return sum(self._sign * pair.gap < -SAME for pair in self.pairs)

    @property
    def ties(self) -> int:
        """Questions on which both are alike."""
        return self.n - self.wins - self.losses

    @property
    def finding(self) -> Finding:
        """What may be said of the second run at the level `alpha`, after correction."""
        if self.difference is None or self.p_adjusted is None:
            return "not comparable"
        if self.p_adjusted > self.alpha:
            return "no evidence"
        if self.metric.direction == "neither":
            return "different"
        return "better" if self._sign * self.difference > 0 else "worse"

    @property
    def fragile(self) -> bool:
        """Whether missing scores could turn a finding around."""
        if self.finding in ("no evidence", "not comparable") or self.bounds is None:
            return False
        return self.bounds[0] <= 0 <= self.bounds[1]

    def changed_most(self, count: int = 5) -> tuple[PairOfScores, ...]:
        """Return the questions with the largest differences, largest first, ties left out."""
        moved = [pair for pair in self.pairs if abs(pair.gap) > SAME]
        return tuple(sorted(moved, key=lambda pair: -abs(pair.gap))[:count])

    def as_json(self) -> dict[str, JsonValue]:
        """Return everything but the questions as plain data."""
        interval, bounds = self.interval, self.bounds
        return {
            "metric": self.metric.spec,
            "direction": self.metric.direction,
            "mean_a": self.mean_a,
            "mean_b": self.mean_b,
            "difference": self.difference,
            "low": None if interval is None else interval.low,
            "high": None if interval is None else interval.high,
            "p_value": self.p_value,
            "p_adjusted": self.p_adjusted,
            "n": self.n,
            "missing_a": self.missing_a,
            "missing_b": self.missing_b,
            "not_applicable": self.not_applicable,
            "bounds": None if bounds is None else list(bounds),
            "wins": self.wins,
            "ties": self.ties,
            "losses": self.losses,
            "finding": self.finding,
            "fragile": self.fragile,
            "detectable": self.detectable,
        }

    def cells(self) -> tuple[str, ...]:
        """Return label, means, difference, interval and p as texts; "–" where there is none."""
        ends = self.interval
        means = ("–" if m is None else f"{m:.3f}" for m in (self.mean_a, self.mean_b))
        return (
            self.metric.spec,
            *means,
            "–" if self.difference is None else f"{self.difference:+.3f}",
            "–" if ends is None else f"{ends.low:+.3f} to {ends.high:+.3f}",
            "–" if self.p_adjusted is None else f"{self.p_adjusted:.3f}",
        )

    @property
    def _sign(self) -> int:
        return -1 if self.metric.direction == "lower" else 1


def contrast_of(
    pairing: Pairing,
    metric: MetricInfo,
    *,
    ids: Sequence[str] | None = None,
    groups: Mapping[str, Hashable] | None = None,
    resamples: int | None = None,
    seed: int = 0,
    level: float = 0.95,
) -> Contrast:
    """Return the contrast of one metric, its p-value not adjusted for others.

    Args:
        pairing: The two runs.
        metric: Which metric of both.
        ids: Paired samples to look at; all by default.
        groups: Sample id -> what questions have in common (a document, a conversation); groups
            are drawn and turned around whole.
        resamples: Of the bootstrap and of the permutation test; `None` for their defaults.
        seed: Same seed, same interval and p-value.
        level: Confidence of the interval, in (0, 1).
    """
    from llamaindex_rag_eval.stats import bootstrap
    from llamaindex_rag_eval.stats import paired_tests as permutation
    from llamaindex_rag_eval.stats.bootstrap import paired_bootstrap

    ids = pairing.ids if ids is None else ids
    left, right = pairing.a.values(metric.spec), pairing.b.values(metric.spec)
    pairs = tuple(PairOfScores(i, left[i], right[i]) for i in ids if i in left and i in right)
    a, b = [pair.a for pair in pairs], [pair.b for pair in pairs]
    drawn = None if groups is None else [groups[pair.sample_id] for pair in pairs]
    draws, turns = resamples or bootstrap.RESAMPLES, resamples or permutation.RESAMPLES
    paired = paired_bootstrap(b, a, groups=drawn, resamples=draws, seed=seed, level=level)
    test = permutation.paired_permutation(b, a, groups=drawn, resamples=turns, seed=seed)
    nowhere = {i for i in ids if i not in left and i not in right}
    silent = {i for i in nowhere if _undefined_in_both(pairing, metric.spec, i)}
    return Contrast(
        metric=metric,
        pairs=pairs,
        missing_a=sum(i not in left and i not in silent for i in ids),
        missing_b=sum(i not in right and i not in silent for i in ids),
        not_applicable=len(silent),
        interval=None if paired is None else paired.interval,
        p_value=None if test is None else test.p_value,
        p_adjusted=None,
        bounds=_bounds(metric, [(left.get(i), right.get(i)) for i in ids if i not in silent]),
        detectable=None,
    )


def _undefined_in_both(pairing: Pairing, metric: str, sample_id: str) -> bool:
    undefined: Status = "undefined"
    found = (run.result(sample_id, metric) for run in (pairing.a, pairing.b))
    return all(result is not None and result.status == undefined for result in found)


def _bounds(
    metric: MetricInfo, scores: Sequence[tuple[float | None, float | None]]
) -> tuple[float, float] | None:
    """Return the least and the greatest mean difference that missing scores leave open."""
    low, high = metric.bounds
    if not scores or not (math.isfinite(low) and math.isfinite(high)):
        return None
    least = sum(_or(b, low) - _or(a, high) for a, b in scores)
    greatest = sum(_or(b, high) - _or(a, low) for a, b in scores)
    return least / len(scores), greatest / len(scores)


def _or(score: float | None, instead: float) -> float:
    return instead if score is None else score
