"""Metric checks: what two runs show on each metric, held to the margins of a policy."""

from collections.abc import Sequence
from dataclasses import replace

from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.decisions.limits import SLACK, Check, CheckOutcome, result_of
from llamaindex_rag_eval.decisions.policy import Policy
from llamaindex_rag_eval.stats.interval import signed
from llamaindex_rag_eval.stats.planning import Planner

LEVEL = 0.05
"""The chance that a candidate that is worse by the margin passes; a `Contrast` has its own."""

UNCHANGED = "no answer changed"
"""What is said of a metric where both runs gave the same answers: no question can fall."""

NEGLIGIBLE = 0.2
"""The share of its margin by which a metric that does not decide may fall: .01 of a range.

A greater loss stops the candidate if a loss is shown. Scores by rules may fall by a hundredth on
every question: that shows a loss, but none that matters (`tests/benchmarks/decisions.py vetoes`).
"""

SLIGHT = "worse by no more than is negligible"
"""What is said where a fall is shown, but is not more than negligible."""

WITHIN = "worse by less than the margin"
"""What is said where a fall is shown, and one by the margin ruled out."""

NOT_WORSE = "not worse"
"""What is said of the metric that decides where a fall by the margin is ruled out."""

TOO_FEW = "too few questions to tell"
"""What is said of it where nothing is shown, and nothing ruled out."""


def metric_checks(
    pair: Comparison, contrasts: Sequence[Contrast], primary: str, policy: Policy
) -> list[Check]:
    """Return a check of each metric that could be compared, the primary one first."""
    name, margins = pair.baseline, policy.margins_of(contrasts, pair.baseline)
    measured = [c for c in contrasts if c.difference is not None]
    checks = []
    for contrast in sorted(measured, key=lambda c: c.spec != primary):
        spec, margin = contrast.spec, margins[contrast.spec]
        rule = f"{spec} must not be worse than {name} by {margin:.3g} or more"
        gap = contrast.difference
        if contrast.unchanged:
            gap, check = 0.0, Check(rule, "holds", UNCHANGED, finding=UNCHANGED)
        elif spec == primary:
            check = _primary_check(rule, contrast, margin, policy)
        else:
            slight = NEGLIGIBLE * margin
            rule = f"a loss on {spec} of more than {slight:.3g}, if shown, stops it"
            shown = "ruled out" if _rules_out(contrast, slight) else "neither shown nor ruled out"
            shown = "better" if contrast.finding == "better" else shown
            if contrast.finding == "worse":
                shown = SLIGHT if contrast.gain >= -slight - SLACK else "worse"
                shown = WITHIN if _rules_out(contrast, margin) else shown
            held = result_of(held=shown != "worse")
            check = Check(rule, held, _measured(shown, contrast), finding=shown)
        checks.append(replace(check, metric=spec, found=gap, bound=margin, contrast=contrast))
    return checks


def _primary_check(rule: str, contrast: Contrast, margin: float, policy: Policy) -> Check:
    """Return whether the candidate is not worse on the primary metric."""
    outcome: CheckOutcome = "cannot tell"
    finding, needed, likely, shown = TOO_FEW, None, None, _shown(contrast, margin)
    if contrast.finding == "worse" and not _rules_out(contrast, margin):
        outcome, finding = "fails", "worse"
    elif contrast.n < policy.questions:
        finding = f"only {contrast.n} of at least {policy.questions} questions"
        needed = policy.questions if shown else None
    elif contrast.test is None or len(contrast.test.sums) < policy.documents:
        finding = f"fewer than {policy.documents} documents"
    elif shown:
        outcome, finding = "holds", shown
    elif _rules_out(contrast, margin):
        finding = "too many scores are missing"
    pilot = None if contrast.labels or contrast.finding == "too few questions" else contrast.test
    if needed is None and pilot and outcome == "cannot tell" and contrast.lost < margin:
        planner, worse = Planner(pilot, contrast.level), contrast.gain <= -margin
        planned = planner.needed(margin, to="show" if worse else "rule out")
        needed = planned and max(planned, policy.questions)
        likely = planner.needed(contrast.gain) if contrast.gain > margin else None
    accepted = outcome == "cannot tell" and policy.allow.inconclusive and contrast.gain > -margin
    message = _measured(finding, contrast)
    check = Check(rule, outcome, message, needed=needed, accepted=accepted, finding=finding)
    return replace(check, likely=likely and max(likely, policy.questions))


def _shown(contrast: Contrast, margin: float) -> str:
    """Return what lets the candidate pass once there are enough questions; empty for nothing."""
    if contrast.finding == "better" and contrast.gain > contrast.lost:
        return "better"
    if not _rules_out(contrast, margin - contrast.lost):
        return ""
    return WITHIN if contrast.finding == "worse" else NOT_WORSE


def may_tell(contrast: Contrast, margin: float, outcome: CheckOutcome) -> bool:
    """Return whether more questions or labels may tell what is open."""
    return outcome == "cannot tell" and max(contrast.lost, -contrast.gain) < margin


def _rules_out(contrast: Contrast, fall: float) -> bool:
    """Return whether a fall as large as this is ruled out."""
    return fall > 0 and contrast.gains is not None and contrast.gains[0] > -fall


def _measured(finding: str, contrast: Contrast) -> str:
    """Return what was measured, in words."""
    parts = (
        f"{finding}: {contrast.estimate.text(signed)} on {contrast.n} question",
        "" if contrast.n == 1 else "s",
        contrast.corrected_by,
        f"; {contrast.missing} without a score in one of the runs" if contrast.missing else "",
    )
    return "".join(parts)
