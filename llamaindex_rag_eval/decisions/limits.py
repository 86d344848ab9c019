"""Limits: what a run is held to by itself, means, complete results, and what answers take."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.decisions.policy import Policy, Threshold, ThresholdKind
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.summary import MetricSummary

RULES: Mapping[ThresholdKind, str] = {
    "min": "mean of {0} must be at least {1:g}",
    "max": "mean of {0} must be at most {1:g}",
    "min_lower_bound": "lower bound of {0} must be at least {1:g}",
    "max_upper_bound": "upper bound of {0} must be at most {1:g}",
}

SLACK = 1e-9
"""Rounding error allowed, so that a value equal to its bound is within it."""

CheckOutcome = Literal["holds", "fails", "cannot tell"]


@dataclass(frozen=True, slots=True)
class Check(JsonFields):
    """One requirement, and whether a run meets it.

    Attributes:
        rule: The requirement, in words.
        outcome: Whether it holds, fails, or cannot be told.
        message: What was measured, in words.
        metric: The spec of the metric it is about; empty if it is about all.
        found: What was measured, as a number; `None` where there is none.
        bound: The number that `found` is compared with; `None` where there is none.
        needed: How many questions would tell in 8 of 10 cases, if the run is as good as its
            baseline, or worse by the margin where it was measured to be; `None` where that is not
            known or not needed.
        likely: How many would show a gain as large as measured in 8 of 10 cases; `None` where there
            is none that is greater than the margin.
        accepted: Whether the policy lets it pass though it does not hold.
        contrast: With the baseline, if the check is about one.
        finding: What the contrast shows, in a word or a few.
    """

    _json = "rule held outcome message metric found bound needed"

    rule: str
    outcome: CheckOutcome
    message: str
    metric: str = ""
    found: float | None = None
    bound: float | None = None
    needed: int | None = None
    likely: int | None = None
    accepted: bool = False
    contrast: Contrast | None = field(default=None, repr=False, compare=False)
    finding: str = ""

    @property
    def held(self) -> bool:
        """Whether it stands in nobody's way."""
        return self.outcome == "holds" or self.accepted


def result_of(*, held: bool) -> CheckOutcome:
    """Return the outcome of what can always be told."""
    return "holds" if held else "fails"


def limit_checks(
    run: Run, policy: Policy, *, primary: str, baseline: Run | None, left_out: set[str]
) -> list[Check]:
    """Check a run by itself.

    Args:
        run: The run.
        policy: What it is held to.
        primary: The spec of the primary metric; empty for none.
        baseline: What it is compared with, if anything; what is undefined there is no fault.
        left_out: Specs of metrics that are not compared.

    Raises:
        InputError: The run has no samples; or it is alone, and lacks a metric that has a threshold.
    """
    if not len(run):
        raise InputError(f"the run {run.name!r} has no samples; a gate over nothing is open")
    summaries = {
        summary.metric.spec: summary
        for summary in run.summary(policy.clusters)
        if summary.metric.spec not in left_out
    }
    thresholds = list(policy.thresholds)
    if policy.floor is not None:
        lower = primary in summaries and summaries[primary].metric.direction == "lower"
        thresholds.append(Threshold("max" if lower else "min", primary, policy.floor))
    checks = [
        _threshold_check(threshold, summaries, run.name, policy.min_scored, alone=baseline is None)
        for threshold in thresholds
    ]
    if not summaries:
        return checks
    of_all, samples = tuple(summaries.values()), len(run)
    if policy.max_missing is not None or baseline is None:
        share = policy.max_missing or 0.0
        most = f"at most {share:.1%} of results" if share else "no result"
        rule = f"{most} may be missing"
        lost = {each.metric.spec: each.failed + each.missing for each in of_all}
        checks.append(_share_check(rule, lost, samples, share))
    counts = _undefined(run, baseline)
    newly = "" if baseline is None else "newly "
    rule = f"at most {policy.max_undefined:.0%} of results may be {newly}undefined"
    counts = {spec: counts[spec] for spec in summaries}
    checks.append(_share_check(rule, counts, samples, policy.max_undefined))
    return checks


def _threshold_check(
    threshold: Threshold,
    summaries: Mapping[str, MetricSummary],
    run: str,
    min_scored: int,
    *,
    alone: bool,
) -> Check:
    name, kind, bound = threshold.metric, threshold.kind, threshold.bound
    spec = name if name in summaries else metric_of(name).spec
    if spec not in summaries:
        lacking = (
            f"the run {run!r} has no metric {name!r}; it has {', '.join(map(repr, summaries))}"
        )
        if alone:
            raise InputError(lacking)
        return Check(RULES[kind].format(spec, bound), "cannot tell", lacking, spec, bound=bound)
    summary = summaries[spec]
    ends = {"min_lower_bound": summary.low, "max_upper_bound": summary.high}
    value = ends.get(kind, summary.mean)
    reached = value is not None and (value >= bound if kind.startswith("min") else value <= bound)
    held = result_of(held=reached and summary.scored >= min_scored)
    message = _summary_text(value, summary, min_scored)
    return Check(RULES[kind].format(spec, bound), held, message, spec, value, bound)


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


def _share_check(rule: str, counts: Mapping[str, int], samples: int, share: float) -> Check:
    """Check how many results of the metric with the most of them a count is about."""
    spec = max(counts, key=counts.__getitem__)
    held = result_of(held=counts[spec] <= share * samples + SLACK)
    most = f"; the metric with the most is {spec}" if counts[spec] else ""
    message = f"{counts[spec]} of {samples}{most}"
    return Check(rule, held, message, spec, counts[spec] / samples, share)


def _undefined(run: Run, baseline: Run | None) -> dict[str, int]:
    """Return, by metric, how many results are undefined that are not so in the baseline."""
    known = set()
    if baseline is not None:
        known = {(r.sample_id, r.metric) for r in baseline.rows if r.status == "undefined"}
    counts = {info.spec: 0 for info in run.metrics}
    for row in run.rows:
        if row.status == "undefined" and (row.sample_id, row.metric) not in known:
            counts[row.metric] = counts.get(row.metric, 0) + 1
    return counts


def ratio_checks(resources: Sequence[Contrast], policy: Policy, name: str) -> list[Check]:
    """Check what answers take, over what those of the baseline do.

    A ratio that is greater than accepted fails if that is shown, and is open if it may be chance.

    Args:
        resources: The contrasts of what answers take.
        policy: The ratios that are accepted.
        name: The baseline.
    """
    known = {contrast.metric.spec: contrast for contrast in resources}
    checks = []
    for resource, most in (("latency", policy.max_latency), ("cost", policy.max_cost)):
        if most is None:
            continue
        rule = f"{resource} must be at most {most:g} times that of {name}"
        contrast = known.get(resource)
        if contrast is None or contrast.mean_b is None or not contrast.mean_a:
            message = f"the answers of both do not say their {resource}"
            checks.append(Check(rule, "cannot tell", message, bound=most))
            continue
        ratio = contrast.mean_b / contrast.mean_a
        least = ratio if contrast.gains is None else 1 - contrast.gains[1] / contrast.mean_a
        message = f"{ratio:.2f} times, on {contrast.n} questions"
        outcome = result_of(held=ratio <= most + SLACK)
        if outcome == "fails" and least <= most + SLACK:
            outcome, message = "cannot tell", f"{resource} {message}, which may be chance"
        accepted = outcome == "cannot tell" and policy.allow.inconclusive
        check = Check(rule, outcome, message, found=ratio, bound=most, accepted=accepted)
        checks.append(check)
    return checks
