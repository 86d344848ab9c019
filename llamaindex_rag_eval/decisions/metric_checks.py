"""Metric checks: what two runs show on each metric, held to the margins of a policy."""

from collections.abc import Sequence
from dataclasses import replace

from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.decisions.limits import Check, CheckOutcome, result_of
from llamaindex_rag_eval.decisions.policy import Policy
from llamaindex_rag_eval.stats.planning import Planner

LEVEL = 0.05
"""The chance that a candidate that is worse by the margin passes; a `Contrast` has its own."""

UNCHANGED = "no answer changed"
"""What is said of a metric where both runs gave the same answers: no question can fall."""

NEGLIGIBLE = 0.2
"""The share of its margin by which a metric that does not decide may fall: .01 of a range.

A loss that is shown to be greater stops the candidate. Scores by rules may fall by a hundredth on
every question: that shows a loss, but none that matters. Real losses stop as many as with 0
(`tests/benchmarks/decisions.py vetoes`).
"""

SLIGHT = "worse, but not shown to be by more than is negligible"
"""What is said where a fall is shown, but not one that is more than negligible."""

WITHIN = "worse by less than the margin"
"""What is said where a fall is shown, and one by the margin ruled out."""

IT_TAKES = "questions it takes"
"""What is said where there are fewer questions than a policy asks for."""

NO_LOSS = "no loss is shown"


def metric_checks(
    pair: Comparison, contrasts: Sequence[Contrast], primary: str, policy: Policy
) -> list[Check]:
    """Return a check of each metric that could be compared, the primary one first."""
    name, margins = pair.baseline, policy.margins_of(contrasts, pair.baseline)
    measured = [c for c in contrasts if c.difference is not None]
    checks = []
    for contrast in sorted(measured, key=lambda c: c.spec != primary):
        spec, margin = contrast.spec, margins[contrast.spec]
        rule, gap = f"{spec} is not worse than {name} by {margin:.3g} or more", contrast.difference
        if contrast.unchanged:
            gap, check = 0.0, Check(rule, "holds", UNCHANGED, finding=UNCHANGED)
        elif spec == primary:
            check = _primary_check(rule, contrast, margin, policy)
        else:
            slight = NEGLIGIBLE * margin
            rule = f"{spec} is not shown to be worse than {name} by more than {slight:.3g}"
            shown = "better" if contrast.finding == "better" else NO_LOSS
            if contrast.finding == "worse":
                shown = "worse" if _side(contrast, slight) < 0 else SLIGHT
                shown = WITHIN if _rules_out(contrast, margin) else shown
            held = result_of(held=shown != "worse")
            check = Check(rule, held, _measured(shown, contrast), finding=shown)
        checks.append(replace(check, metric=spec, found=gap, bound=margin, contrast=contrast))
    return checks


def _primary_check(rule: str, contrast: Contrast, margin: float, policy: Policy) -> Check:
    """Return whether the candidate is not worse on the primary metric."""
    outcome: CheckOutcome = "cannot tell"
    finding, needed, shown = "too few questions to tell", None, _shown(contrast, margin)
    if contrast.finding == "worse" and not _rules_out(contrast, margin):
        outcome, finding = "fails", "worse"
    elif contrast.n < policy.questions:
        finding = f"{contrast.n} of the {policy.questions} {IT_TAKES}"
        needed = policy.questions if shown else None
    elif contrast.test is None or len(contrast.test.sums) < policy.documents:
        finding = f"fewer than {policy.documents} documents"
    elif shown:
        outcome, finding = "holds", shown
    elif _rules_out(contrast, margin):
        finding = "too many scores are missing to tell"
    pilot = None if contrast.labels or contrast.finding == "too few questions" else contrast.test
    if needed is None and pilot and may_tell(contrast, margin, outcome):
        planned = Planner(pilot).needed(margin, to="rule out")
        needed = planned and max(planned, policy.questions)
    accepted = outcome == "cannot tell" and policy.allow.inconclusive and contrast.gain > -margin
    message = _measured(finding, contrast)
    return Check(rule, outcome, message, needed=needed, accepted=accepted, finding=finding)


def _shown(contrast: Contrast, margin: float) -> str:
    """Return what lets the candidate pass once there are enough questions; empty for nothing."""
    if contrast.finding == "better" and contrast.gain > contrast.lost:
        return "better"
    if not _rules_out(contrast, margin - contrast.lost):
        return ""
    return WITHIN if contrast.finding == "worse" else "not worse"


def may_tell(contrast: Contrast, margin: float, outcome: CheckOutcome) -> bool:
    """Return whether more questions or labels may tell what is open."""
    return outcome == "cannot tell" and max(contrast.lost, -contrast.gain) < margin


def _rules_out(contrast: Contrast, fall: float) -> bool:
    """Return whether a fall as large as this is ruled out."""
    return fall > 0 and _side(contrast, fall) > 0


def _side(contrast: Contrast, fall: float) -> int:
    """Return -1 where more than a fall is shown, 1 where less is, at its level on one side."""
    test = contrast.test
    if test is None or contrast.p_value is None:
        return 0
    # Of a metric that is better when lower, a fall is a rise.
    shown = float(test.p_value(-contrast.sign * fall)) / 2 <= contrast.alpha
    return (1 if contrast.gain > -fall else -1) if shown else 0


def _measured(finding: str, contrast: Contrast) -> str:
    """Return what was measured, in words."""
    risk = f"{risk_of(contrast) or 0:.3f}"
    parts = (
        f"{finding}: {contrast.difference:+.3f} on {contrast.n} question",
        "" if contrast.n == 1 else "s",
        contrast.corrected_by,
        "" if risk == "0.000" else f", possibly worse by up to {risk}",
        f"; {contrast.missing} without a score in one of the runs" if contrast.missing else "",
    )
    return "".join(parts)


def risk_of(contrast: Contrast) -> float | None:
    """Return by how much the candidate may still be worse, without the missing scores."""
    interval = contrast.test.interval(1 - 2 * contrast.alpha) if contrast.test else None
    if interval is None:
        return None
    return max(0.0, -min(contrast.sign * interval.low, contrast.sign * interval.high))
