"""Regression: is a run worse than its baseline, not worse, or are there too few questions to tell?

A test that finds no fall is no proof that there is none: eight questions find none when a metric
falls from 1 to .6. So a metric is *not worse* only if the fall that its interval still allows is
smaller than a margin: a test of non-inferiority, at a level of 5 %. A build is not worse if no
metric is; that takes no correction, since a build that is worse than the margin on some metric
passes only if it passes on that one: Berger (1982), "Multiparameter Hypothesis Testing and
Acceptance Sampling". A metric is *worse* if it falls significantly, corrected by Holm for the
number of metrics, or if its interval excludes a fall as small as the margin; no option lets that
pass. Scores that are missing on one side count as the worst there can be.
`tests/benchmarks/inference_errors.py` prints how often either is wrong.
"""

import math
from dataclasses import dataclass
from typing import Literal

from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.decisions.gate_checks import GateCheck
from llamaindex_rag_eval.decisions.margins import NO_MARGINS, Margins
from llamaindex_rag_eval.judge.answerers import by_rules
from llamaindex_rag_eval.runs.run import Run

MARGIN = 0.05
"""The default margin: a twentieth of a metric's range, or of the baseline's mean without bounds.

Two questions in forty that fail, or one answer in twenty that turns wrong.
"""

FEWEST = 20
"""Questions with both scores from which on a metric may be not worse; fewer can only be worse."""

UNCHANGED = "no answer changed"
"""What is said of a metric where both runs gave the same answers: no question can fall."""

LEVEL = 0.05
"""The chance that a metric that is worse by the margin passes."""

TOLD = (1.645 + 0.842) ** 2
"""Squared margin over variance at which 80 % pass at that level: (z at 95 % + z at 80 %)²."""


@dataclass(frozen=True, slots=True)
class Allowances:
    """What a gate accepts though it leaves a verdict open.

    Attributes:
        inconclusive: Too few questions to tell whether a metric is worse; never a shown loss.
        other_data: Other questions or references than the baseline's.
        other_judge: Another judge, or a metric with another direction or other bounds.
        uncompared: Metrics that the run lacks, or that share no scored question.
    """

    inconclusive: bool = False
    other_data: bool = False
    other_judge: bool = False
    uncompared: bool = False


NOTHING_ALLOWED = Allowances()


def regression_checks(
    found: Comparison, margins: Margins = NO_MARGINS, allow: Allowances = NOTHING_ALLOWED
) -> tuple[GateCheck, ...]:
    """Check, on every compared metric that has a direction, that the second run is not worse.

    Args:
        found: The baseline and the run.
        margins: The falls that are accepted; by default `MARGIN` of each range.
        allow: What is accepted beside.

    Returns:
        Checks that both runs can be compared, where they cannot; then a check for each metric.

    Raises:
        InputError: A metric that has a margin of its own is not compared.
    """
    from llamaindex_rag_eval.stats.significance import holm

    contrasts = [c for c in found.contrasts if c.metric.direction != "neither"]
    name = found.pairing.a.name or "the baseline"
    tested = [c for c in contrasts if c.p_value is not None]
    adjusted = dict(
        zip([c.metric.spec for c in tested], holm([c.p_value or 0.0 for c in tested]), strict=True)
    )
    accepted = margins.by_spec([c.metric.spec for c in contrasts], name)
    unchanged = found.pairing.unchanged
    checks = [
        _unchanged_check(c, name, _margin(c, accepted[c.metric.spec]))
        if unchanged and _same_scores(c, found.pairing.b)
        else _not_worse_check(
            c, name, _margin(c, accepted[c.metric.spec]), adjusted.get(c.metric.spec), allow
        )
        for c in contrasts
    ]
    return (*_comparable(found, name, allow), *checks)


def undefined_counts(run: Run, baseline: Run | None) -> dict[str, int]:
    """Return, by metric, how many results are undefined that are not so in the baseline."""
    known = set()
    if baseline is not None:
        known = {(r.sample_id, r.metric) for r in baseline.rows if r.status == "undefined"}
    counts = {info.spec: 0 for info in run.metrics}
    for row in run.rows:
        if row.status == "undefined" and (row.sample_id, row.metric) not in known:
            counts[row.metric] = counts.get(row.metric, 0) + 1
    return counts


def _comparable(found: Comparison, name: str, allow: Allowances) -> list[GateCheck]:
    """Return a check that fails for each thing in which the runs differ beside the pipelines."""
    pairing = found.pairing
    judge = [one.sentence for one in found.discrepancies if one.metrics]
    missing = [f"{spec} is not in {pairing.b.name!r}" for spec in pairing.uncompared]
    checks = (
        (f"the questions and references are those of {name}", pairing.notes, allow.other_data),
        (f"metrics are judged as in {name}", judge, allow.other_judge),
        (f"every metric of {name} is compared", missing, allow.uncompared),
    )
    unequal = [
        GateCheck(rule=rule, held=allowed, message=" ".join(sentences))
        for rule, sentences, allowed in checks
        if sentences
    ]
    if any(c.metric.direction != "neither" for c in found.contrasts):
        return unequal
    rule, why = f"a metric is compared with {name}", "No metric says which way is better."
    return [*unequal, GateCheck(rule, allow.inconclusive, why, open=True)]


def _same_scores(contrast: Contrast, run: Run) -> bool:
    """Return whether the same answers have the same scores, but for the noise of a model."""
    judged = run.provenance.judged.get(contrast.metric.spec, {})
    by_model = any(not by_rules(who) for counts in judged.values() for who in counts)
    return by_model or (contrast.ties == contrast.n and contrast.missing_a == contrast.missing_b)


def _rule(contrast: Contrast, name: str, limit: float) -> str:
    return f"{contrast.metric.spec} is not worse than {name} by {limit:.3g} or more"


def _unchanged_check(contrast: Contrast, name: str, limit: float) -> GateCheck:
    rule, spec = _rule(contrast, name, limit), contrast.metric.spec
    return GateCheck(
        rule, True, UNCHANGED, spec, contrast.difference, bound=limit, contrast=contrast
    )


def _not_worse_check(
    contrast: Contrast, name: str, limit: float, p: float | None, allow: Allowances
) -> GateCheck:
    """Check that a run is not worse than its baseline on one metric.

    Args:
        contrast: Of a metric with a direction, the baseline first.
        name: Of the baseline.
        limit: The fall that is accepted.
        p: Of the difference, corrected for the other metrics; `None` if it was not tested.
        allow: What is accepted beside.
    """
    rule, spec = _rule(contrast, name, limit), contrast.metric.spec
    if contrast.difference is None or contrast.test is None:
        message = f"not compared: no question has both scores, {contrast.not_applicable} undefined"
        return GateCheck(rule, allow.uncompared, message, spec, bound=limit, contrast=contrast)
    sign = -1 if contrast.metric.direction == "lower" else 1
    left = limit - _lost(contrast, sign)
    finding = _finding(contrast, sign, limit, left, p)
    few = finding not in ("not worse", "worse")
    needed = _needed(contrast, left) if few else None
    return GateCheck(
        rule=rule,
        held=finding == "not worse" or (few and allow.inconclusive),
        message=_message(contrast, finding, sign, p, needed),
        metric=spec,
        found=contrast.difference,
        bound=limit,
        open=few,
        needed=needed,
        contrast=contrast,
    )


Finding = Literal[
    "not worse", "worse", "too few questions to tell", "too many scores are missing to tell"
]


def _finding(contrast: Contrast, sign: int, limit: float, left: float, p: float | None) -> Finding:
    """Return what is shown of a fall by `limit`, and of `left`, what missing scores leave of it."""
    test, gain = contrast.test, sign * (contrast.difference or 0.0)
    if test is None or p is None:
        return "too few questions to tell"

    def differs(fall: float) -> bool:
        """Return whether the gain is shown to be another than minus `fall`, on one side."""
        # Of a metric that is better when lower, a fall is a rise.
        return limit > 0 and float(test.p_value(-sign * fall)) / 2 <= LEVEL

    within = gain > -limit and differs(limit)
    if not within and ((gain < 0 and p <= LEVEL) or (gain < -limit and differs(limit))):
        return "worse"
    if within and not (gain > -left and differs(left)):
        return "too many scores are missing to tell"
    return "not worse" if within and contrast.n >= FEWEST else "too few questions to tell"


def _lost(contrast: Contrast, sign: int) -> float:
    """Return by how much the gain falls if each missing score is the worst for the run."""
    if not (contrast.missing_a or contrast.missing_b):
        return 0.0
    if contrast.bounds is None or contrast.difference is None:
        return math.inf
    return sign * contrast.difference - min(sign * end for end in contrast.bounds)


def _margin(contrast: Contrast, margin: float | None) -> float:
    if margin is not None:
        return margin
    low, high = contrast.metric.bounds
    width = high - low
    return MARGIN * (width if math.isfinite(width) else abs(contrast.mean_a or 0.0))


def _message(
    contrast: Contrast, finding: Finding, sign: int, p: float | None, needed: int | None
) -> str:
    assert contrast.test is not None  # noqa: S101 - checked by the caller
    ends = [sign * float(end) for end in contrast.test.ends(1 - 2 * LEVEL)]
    low = min(ends)
    reach = "" if math.isnan(low) else f", it may be worse by {max(0.0, -low):.3f}"
    holm = "" if p is None else f", Holm p {p:.3f}"
    missing = contrast.missing_a + contrast.missing_b
    lacking = f"; {missing} without one of the scores" if missing else ""
    tell = "" if needed is None else f"; about {needed:,} questions would tell"
    pairs = f"{contrast.n} question{'' if contrast.n == 1 else 's'}"
    return f"{finding}: {contrast.difference:+.3f} on {pairs}{reach}{holm}{tell}{lacking}"


def _needed(contrast: Contrast, limit: float) -> int | None:
    """Return how many questions would tell, if the run is as good as the baseline."""
    if contrast.test is None or limit <= 0 or contrast.n < 2:
        return None
    variance = float(contrast.test.variance_at(limit)) * contrast.n
    return max(FEWEST, math.ceil(TOLD * variance / limit**2))
