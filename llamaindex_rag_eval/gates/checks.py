"""The checks of a gate: means held to thresholds, complete results, no regression."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from llamaindex_rag_eval.comparison.compare import compare
from llamaindex_rag_eval.comparison.contrast import Contrast
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.summary import MetricSummary

__all__ = [
    "GateCheck",
    "Threshold",
    "ThresholdKind",
    "completeness_checks",
    "regression_checks",
    "threshold_check",
]

ThresholdKind = Literal["min", "max", "min_lower_bound", "max_upper_bound"]
"""What is compared with the bound: the mean, or the end of its 95 % interval on the bad side."""

RULES: Mapping[ThresholdKind, str] = {
    "min": "mean of {0} is at least {1:g}",
    "max": "mean of {0} is at most {1:g}",
    "min_lower_bound": "lower bound of {0} is at least {1:g}",
    "max_upper_bound": "upper bound of {0} is at most {1:g}",
}

SLACK = 1e-9
"""Rounding error allowed, so that a value equal to its bound is within it."""


@dataclass(frozen=True, slots=True)
class Threshold:
    """A bound on one metric's mean or on an end of its interval.

    Attributes:
        kind: What is compared with the bound.
        metric: The metric's spec, or any name that the registry knows.
        bound: In the unit of the metric.
    """

    kind: ThresholdKind
    metric: str
    bound: float

    @classmethod
    def parse(cls, kind: ThresholdKind, text: str) -> "Threshold":
        """Read `metric=number`.

        Raises:
            InputError: It is written otherwise.

        Example:
            >>> Threshold.parse("min", "factual_correctness(mode=recall)=.8").bound
            0.8
        """
        metric, _, number = text.rpartition("=")
        try:
            bound = float(number)
        except ValueError:
            bound = math.nan
        if not metric.strip() or not math.isfinite(bound):
            raise InputError(
                f"{text!r} is no threshold; expected METRIC=NUMBER, as 'faithfulness=.8'"
            )
        return cls(kind, metric.strip(), bound)


@dataclass(frozen=True, slots=True)
class GateCheck:
    """One requirement of a gate, and whether a run meets it.

    Attributes:
        rule: The requirement, in words.
        held: Whether the run meets it.
        message: What was found, in words.
        metric: The spec of the metric it is about; empty if it is about all.
        found: What was found, as a number; `None` where there is none.
        bound: The number that `found` is compared with; `None` where there is none.
    """

    rule: str
    held: bool
    message: str
    metric: str = ""
    found: float | None = None
    bound: float | None = None

    def as_json(self) -> dict[str, JsonValue]:
        """Return all attributes as plain data."""
        return {
            "rule": self.rule,
            "held": self.held,
            "message": self.message,
            "metric": self.metric,
            "found": self.found,
            "bound": self.bound,
        }


def threshold_check(
    threshold: Threshold, summaries: Mapping[str, MetricSummary], *, run: str
) -> GateCheck:
    """Check a metric's mean, or the end of its interval, against a bound.

    Args:
        threshold: The bound; its metric by its spec, or by any name that the registry knows.
        summaries: Spec -> summary of each metric of the run.
        run: The run's name, for messages.

    Raises:
        InputError: The run lacks the metric.
    """
    summary = _summary_of(threshold.metric, summaries, run)
    found = {
        "min": summary.mean,
        "max": summary.mean,
        "min_lower_bound": summary.low,
        "max_upper_bound": summary.high,
    }[threshold.kind]
    bound = threshold.bound
    least = threshold.kind in ("min", "min_lower_bound")
    return GateCheck(
        rule=RULES[threshold.kind].format(summary.metric.spec, bound),
        held=found is not None and (found >= bound if least else found <= bound),
        message=_summary_text(found, summary),
        metric=summary.metric.spec,
        found=found,
        bound=bound,
    )


def _summary_of(metric: str, summaries: Mapping[str, MetricSummary], run: str) -> MetricSummary:
    spec = metric if metric in summaries else metric_of(metric).spec
    if spec not in summaries:
        known = ", ".join(map(repr, summaries))
        raise InputError(f"the run {run!r} has no metric {metric!r}; it has {known}")
    return summaries[spec]


def _summary_text(found: float | None, summary: MetricSummary) -> str:
    counts = (
        f"{summary.scored} scored, {summary.undefined} undefined, {summary.failed} failed, "
        f"{summary.missing} missing"
    )
    if summary.mean is None:
        return f"there is no mean: {counts}"
    ends = "" if summary.low is None else f", 95% CI {summary.low:.3f} to {summary.high:.3f}"
    lacking = "" if found is not None else "; one score has no interval"
    return f"mean {summary.mean:.3f}{ends}; {counts}{lacking}"


def completeness_checks(
    summaries: Sequence[MetricSummary],
    samples: int,
    *,
    max_missing: float | None,
    max_failed: int | None,
) -> list[GateCheck]:
    """Check how many results failed or are missing.

    Args:
        summaries: One for each metric.
        samples: How many samples the run has, above 0.
        max_missing: As in `Gate`; `None` for no such check.
        max_failed: As in `Gate`; `None` for no such check.
    """
    checks = []
    if max_missing is not None and summaries:
        worst = max(summaries, key=lambda summary: summary.failed + summary.missing)
        count = worst.failed + worst.missing
        checks.append(
            GateCheck(
                rule=f"at most {max_missing:.1%} of results are missing",
                held=count <= max_missing * samples + SLACK,
                message=f"{count} of {samples} of {worst.metric.spec}, the most of any metric",
                metric=worst.metric.spec,
                found=count / samples,
                bound=max_missing,
            )
        )
    if max_failed is not None:
        failed = sum(summary.failed for summary in summaries)
        checks.append(
            GateCheck(
                rule=f"at most {max_failed} results failed",
                held=failed <= max_failed,
                message=f"{failed} failed",
                found=float(failed),
                bound=float(max_failed),
            )
        )
    return checks


def regression_checks(
    run: Run, baseline: Run, *, tolerance: float | None = None
) -> tuple[tuple[GateCheck, ...], tuple[str, ...]]:
    """Check, on every metric of both runs that has a direction, that the run is not worse.

    Questions are paired. Without a tolerance a metric is worse if the paired permutation test
    says so: Holm-adjusted p at most 0.05 over all metrics, so that of twenty runs that are as
    good as the baseline one is stopped, whatever the number of metrics. With a tolerance, a mean
    that falls by more is worse, and one that falls by less is accepted, significant or not; the
    test's result is only part of the message.

    A check fails if no question has a score in both runs, unless the metric is undefined there.

    Args:
        run: The new run.
        baseline: What it must not be worse than.
        tolerance: How far a mean may fall, or rise where lower is better; in the metric's unit.

    Returns:
        A check for each metric, and notes on what was not compared.

    Raises:
        InputError: The runs share no question or no metric.
    """
    comparison = compare(baseline, run)
    contrasts = [c for c in comparison.contrasts if c.metric.direction != "neither"]
    lost = sorted({m.spec for m in baseline.metrics} - {m.spec for m in run.metrics})
    gone = (f"Not compared: {', '.join(lost)}, which {run.name!r} does not have.",) if lost else ()
    name = baseline.name or "the baseline"
    checks = tuple(_regression_check(contrast, name, tolerance) for contrast in contrasts)
    return checks, (*comparison.notes, *gone)


def _regression_check(contrast: Contrast, name: str, tolerance: float | None) -> GateCheck:
    margin = "" if tolerance is None else f" by more than {tolerance:g}"
    difference = contrast.difference
    if difference is None:
        held = contrast.not_applicable > 0 and not contrast.missing_a and not contrast.missing_b
    elif tolerance is None:
        held = contrast.finding != "worse"
    else:
        lower = contrast.metric.direction == "lower"
        held = (difference if lower else -difference) <= tolerance + SLACK
    return GateCheck(
        rule=f"{contrast.metric.spec} is not worse than {name}{margin}",
        held=held,
        message=_contrast_text(contrast),
        metric=contrast.metric.spec,
        found=difference,
        bound=tolerance,
    )


def _contrast_text(contrast: Contrast) -> str:
    if contrast.difference is None:
        return f"not comparable: no question has both scores, {contrast.not_applicable} undefined"
    ends = contrast.interval
    sure = "" if ends is None else f", 95% CI {ends.low:+.3f} to {ends.high:+.3f}"
    p = "" if contrast.p_adjusted is None else f", Holm p {contrast.p_adjusted:.3f}"
    seen = ""
    if contrast.finding == "no evidence" and contrast.detectable:
        seen = f"; so many can show {contrast.detectable:.3f} or more"
    missing = contrast.missing_a + contrast.missing_b
    lacking = f"; {missing} without one of the scores" if missing else ""
    pairs = f"{contrast.n} question{'' if contrast.n == 1 else 's'}"
    return f"{contrast.difference:+.3f} on {pairs}{sure}{p}{seen}{lacking}"
