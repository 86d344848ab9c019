"""Regressions: is a run worse than the one it is to replace?"""

from llamaindex_rag_eval.comparison.compare import compare
from llamaindex_rag_eval.comparison.contrast import Contrast
from llamaindex_rag_eval.gates.checks import Check
from llamaindex_rag_eval.runs.run import Run

__all__ = ["regressions"]

SLACK = 1e-9
"""A fall of the tolerance itself is within it, however its digits were added up."""


def regressions(
    run: Run, baseline: Run, *, tolerance: float | None = None, seed: int = 0
) -> tuple[tuple[Check, ...], tuple[str, ...]]:
    """Check, on every metric of both runs that has a direction, that the run is not worse.

    Questions are paired. Without a tolerance a metric is worse if the paired permutation test
    says so: Holm-adjusted p at most .05 over all metrics, so that two runs alike are stopped one
    time in twenty, and not once for each metric. With a tolerance, the tolerance decides and the
    test does not: a mean that falls by more than it is worse, proven or not, and one that falls
    by less is accepted, proven or not. The test then only stands in the message.

    A metric without a question that both have a score for cannot be compared, and does not hold.

    Args:
        run: The new run.
        baseline: What it must not be worse than.
        tolerance: How far a mean may fall, or rise where lower is better; in the metric's unit.
        seed: Same seed, same p-values.

    Returns:
        A check for each metric, and notes on what was not compared.

    Raises:
        InputError: The runs share no question or no metric.
    """
    comparison = compare(baseline, run, seed=seed)
    contrasts = [c for c in comparison.contrasts if c.metric.direction != "neither"]
    lost = sorted({m.spec for m in baseline.metrics} - {m.spec for m in run.metrics})
    gone = (f"Not compared: {', '.join(lost)}, which {run.name!r} does not have.",) if lost else ()
    name = baseline.name or "the baseline"
    checks = tuple(_check(contrast, name, tolerance) for contrast in contrasts)
    return checks, (*comparison.notes, *gone)


def _check(contrast: Contrast, name: str, tolerance: float | None) -> Check:
    margin = "" if tolerance is None else f" by more than {tolerance:g}"
    difference = contrast.difference
    if difference is None:
        held = contrast.not_applicable > 0 and not contrast.missing_a and not contrast.missing_b
    elif tolerance is None:
        held = contrast.finding != "worse"
    else:
        lower = contrast.metric.direction == "lower"
        held = (difference if lower else -difference) <= tolerance + SLACK
    return Check(
        rule=f"{contrast.metric.spec} is not worse than {name}{margin}",
        held=held,
        message=_message(contrast),
        metric=contrast.metric.spec,
        found=difference,
        bound=tolerance,
    )


def _message(contrast: Contrast) -> str:
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
