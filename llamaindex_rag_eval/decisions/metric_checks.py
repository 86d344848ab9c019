"""Metric checks: what two runs show on each metric, held to the margins of a policy."""

from collections.abc import Sequence
from dataclasses import replace

from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.decisions.limits import Check, CheckOutcome, result_of
from llamaindex_rag_eval.decisions.policy import Policy
from llamaindex_rag_eval.judge.answerers import by_rules
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.paired import family
from llamaindex_rag_eval.stats.planning import Planner

LEVEL = 0.05
"""The chance that a candidate that is worse by the margin passes."""

UNCHANGED = "no answer changed"
"""What is said of a metric where both runs gave the same answers: no question can fall."""


def metric_checks(
    pair: Comparison, contrasts: Sequence[Contrast], primary: str, policy: Policy
) -> list[Check]:
    """Return a check of each metric that could be compared, the primary one first."""
    name, margins = pair.baseline, policy.margins_of(contrasts, pair.baseline)
    measured = [c for c in contrasts if c.difference is not None]
    others = [c for c in measured if c.spec != primary]
    adjusted = _adjusted(others)
    checks = []
    for contrast in sorted(measured, key=lambda c: c.spec != primary):
        spec, margin = contrast.spec, margins[contrast.spec]
        rule, gap = f"{spec} is not worse than {name} by {margin:.3g} or more", contrast.difference
        if pair.pairing.unchanged and _same_scores(contrast, pair.pairing.b):
            gap, check = 0.0, Check(rule, "holds", UNCHANGED, finding=UNCHANGED)
        elif spec == primary:
            check = _primary_check(rule, contrast, margin, policy)
        else:
            rule = f"{spec} is not shown to be worse than {name}"
            worse = _is_worse(contrast, adjusted.get(spec), margin, LEVEL / len(others))
            finding = "worse" if worse else "no loss is shown"
            message = _measured(finding, contrast)
            check = Check(rule, result_of(held=not worse), message, finding=finding)
        checks.append(replace(check, metric=spec, found=gap, bound=margin, contrast=contrast))
    return checks


def _adjusted(contrasts: Sequence[Contrast]) -> dict[str, float]:
    """Return the p-value of each metric, corrected for the others of them."""
    tested = {c.spec: c.test for c in contrasts if c.test and c.p_value is not None}
    if not tested:
        return {}
    return dict(zip(tested, family([*tested.values()], LEVEL)[0], strict=True))


def _primary_check(rule: str, contrast: Contrast, margin: float, policy: Policy) -> Check:
    """Return whether the candidate is not worse on the primary metric."""
    outcome: CheckOutcome = "cannot tell"
    finding, needed, few = "too few questions to tell", None, contrast.n < policy.questions
    if _is_worse(contrast, contrast.p_value, margin, LEVEL):
        outcome, finding = "fails", "worse"
    elif few:
        finding = f"{contrast.n} of the {policy.questions} questions it takes"
    elif contrast.test is None or len(contrast.test.sums) < policy.documents:
        finding = f"fewer than {policy.documents} documents"
    elif is_better(contrast):
        outcome, finding = "holds", "better"
    elif _rules_out(contrast, margin):
        finding = "too many scores are missing to tell"
        if _rules_out(contrast, margin - contrast.lost):
            outcome, finding = "holds", "not worse"
    if outcome == "cannot tell" and few:
        needed = policy.questions
    elif outcome == "cannot tell" and contrast.test is not None and contrast.lost < margin:
        needed = Planner(contrast.test).needed(margin, to="rule out")
    accepted = outcome == "cannot tell" and policy.allow.inconclusive and contrast.gain > -margin
    message = _measured(finding, contrast)
    return Check(rule, outcome, message, needed=needed, accepted=accepted, finding=finding)


def _rules_out(contrast: Contrast, fall: float) -> bool:
    """Return whether a fall as large as this is ruled out, at `LEVEL` on one side."""
    test = contrast.test
    if test is None or contrast.p_value is None or fall <= 0:
        return False
    # Of a metric that is better when lower, a fall is a rise.
    return contrast.gain > -fall and float(test.p_value(-contrast.sign * fall)) / 2 <= LEVEL


def _is_worse(contrast: Contrast, p: float | None, margin: float, level: float) -> bool:
    """Return whether a loss is shown: any that is not within the margin, or one beyond it."""
    if p is None or contrast.test is None or _rules_out(contrast, margin):
        return False
    beyond = contrast.gain < -margin < 0
    beyond = beyond and float(contrast.test.p_value(-contrast.sign * margin)) / 2 <= level
    return (contrast.gain < 0 and p <= LEVEL) or beyond


def is_better(contrast: Contrast) -> bool:
    """Return whether a rise is shown that missing scores cannot undo."""
    shown = contrast.p_value is not None and contrast.p_value <= LEVEL
    return shown and contrast.gain > max(0.0, contrast.lost)


def _same_scores(contrast: Contrast, run: Run) -> bool:
    """Return whether the same answers have the same scores, but for the noise of a model."""
    judged = run.provenance.judged.get(contrast.spec, {})
    by_model = any(not by_rules(who) for counts in judged.values() for who in counts)
    return by_model or (contrast.alike and contrast.missing_a == contrast.missing_b)


def _measured(finding: str, contrast: Contrast) -> str:
    """Return what was measured, in words."""
    risk = f"{risk_of(contrast) or 0:.3f}"
    parts = (
        f"{finding}: {contrast.difference:+.3f} on {contrast.n} question",
        "" if contrast.n == 1 else "s",
        "" if risk == "0.000" else f", possibly worse by up to {risk}",
        f"; {contrast.missing} without a score in one of the runs" if contrast.missing else "",
    )
    return "".join(parts)


def risk_of(contrast: Contrast) -> float | None:
    """Return by how much the candidate may still be worse, without the missing scores."""
    interval = contrast.test.interval(1 - 2 * LEVEL) if contrast.test else None
    if interval is None:
        return None
    return max(0.0, -min(contrast.sign * interval.low, contrast.sign * interval.high))
