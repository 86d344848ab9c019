"""The checks of a gate: means held to thresholds, and complete results."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.decisions.margins import metric_and_number
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.runs.summary import MetricSummary

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
        metric, bound = metric_and_number(text)
        if not metric or bound is None:
            raise InputError(
                f"{text!r} is no threshold; expected METRIC=NUMBER, as 'faithfulness=.8'"
            )
        return cls(kind, metric, bound)


CheckOutcome = Literal["holds", "fails", "too few questions"]
"""Of a check; `too few questions` can tell neither that it holds nor that it fails."""

Verdict = Literal["ship", "do not ship", "cannot tell yet"]
"""Whether a pipeline may take the place of its baseline."""

VERDICTS: Mapping[CheckOutcome, Verdict] = {
    "holds": "ship",
    "fails": "do not ship",
    "too few questions": "cannot tell yet",
}
"""Outcome of a gate -> what a headline calls it."""


@dataclass(frozen=True, slots=True)
class GateCheck(JsonFields):
    """One requirement of a gate, and whether a run meets it.

    Attributes:
        rule: The requirement, in words.
        held: Whether the gate accepts what was found.
        message: What was found, in words.
        metric: The spec of the metric it is about; empty if it is about all.
        found: What was found, as a number; `None` where there is none.
        bound: The number that `found` is compared with; `None` where there is none.
        open: Whether there are too few questions to tell.
        needed: How many questions would tell in 8 of 10 cases, if the run is as good as its
            baseline; `None` where that is not known or not asked.
        contrast: With the baseline, if the check is about one.
    """

    _json = "rule held outcome message metric found bound needed"

    rule: str
    held: bool
    message: str
    metric: str = ""
    found: float | None = None
    bound: float | None = None
    open: bool = False
    needed: int | None = None
    contrast: Contrast | None = field(default=None, repr=False, compare=False)

    @property
    def outcome(self) -> CheckOutcome:
        """Whether it holds, fails, or cannot be told."""
        if self.open:
            return "too few questions"
        return "holds" if self.held else "fails"


def threshold_check(
    threshold: Threshold, summaries: Mapping[str, MetricSummary], *, run: str, min_scored: int
) -> GateCheck:
    """Check a metric's mean, or the end of its interval, against a bound.

    Args:
        threshold: The bound; its metric by its spec, or by any name that the registry knows.
        summaries: Spec -> summary of each metric of the run.
        run: The run's name, for messages.
        min_scored: As in `Gate`.

    Raises:
        InputError: The run lacks the metric.
    """
    name, kind, bound = threshold.metric, threshold.kind, threshold.bound
    spec = name if name in summaries else metric_of(name).spec
    if spec not in summaries:
        known = ", ".join(map(repr, summaries))
        raise InputError(f"the run {run!r} has no metric {name!r}; it has {known}")
    summary = summaries[spec]
    ends = {"min_lower_bound": summary.low, "max_upper_bound": summary.high}
    value = ends.get(kind, summary.mean)
    reached = value is not None and (value >= bound if kind.startswith("min") else value <= bound)
    return GateCheck(
        rule=RULES[kind].format(spec, bound),
        held=reached and summary.scored >= min_scored,
        message=_summary_text(value, summary, min_scored),
        metric=spec,
        found=value,
        bound=bound,
    )


def _summary_text(value: float | None, summary: MetricSummary, min_scored: int) -> str:
    counts = (
        f"{summary.scored} scored, {summary.undefined} undefined, {summary.failed} failed, "
        f"{summary.missing} missing"
    )
    if summary.mean is None:
        return f"there is no mean: {counts}"
    ends = "" if summary.low is None else f", 95% CI {summary.low:.3f} to {summary.high:.3f}"
    lacking = "" if value is not None else "; one score has no interval"
    if summary.scored < min_scored:
        lacking += f"; a mean is taken from {min_scored} scores on"
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
        max_missing: As in `Gate`.
        max_failed: As in `Gate`.
    """
    checks = []
    if summaries and (max_missing is not None or max_failed is None):
        share = max_missing or 0.0
        rule = f"at most {share:.1%} of results are missing" if share else "no result is missing"
        counts = {each.metric.spec: each.failed + each.missing for each in summaries}
        checks.append(share_check(rule, counts, samples, share=share))
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


def share_check(rule: str, counts: Mapping[str, int], samples: int, *, share: float) -> GateCheck:
    """Check how many results of the metric with the most of them a count is about.

    Args:
        rule: What is required, in words.
        counts: Spec -> results.
        samples: How many samples the run has, above 0.
        share: The greatest share of them.
    """
    spec = max(counts, key=counts.__getitem__)
    return GateCheck(
        rule=rule,
        held=counts[spec] <= share * samples + SLACK,
        message=f"{counts[spec]} of {samples} of {spec}, the most of any metric",
        metric=spec,
        found=counts[spec] / samples,
        bound=share,
    )
