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
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.decisions.gate_checks import GateCheck
from llamaindex_rag_eval.decisions.margins import NO_MARGINS, Margins
from llamaindex_rag_eval.judge.answerers import by_rules
from llamaindex_rag_eval.runs.run import Run

if TYPE_CHECKING:
    from llamaindex_rag_eval.stats.paired import PairedTest

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

POWER_80 = (1.645 + 0.842) ** 2
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
    compared: Comparison, margins: Margins = NO_MARGINS, allow: Allowances = NOTHING_ALLOWED
) -> tuple[GateCheck, ...]:
    """Check, on every compared metric that has a direction, that the second run is not worse.

    Args:
        compared: The baseline and the run.
        margins: The falls that are accepted; by default `MARGIN` of each range.
        allow: What is accepted beside.

    Returns:
        Checks that both runs can be compared, where they cannot; then a check for each metric.

    Raises:
        InputError: A metric that has a margin of its own is not compared.
    """
    from llamaindex_rag_eval.stats.significance import holm

    name = compared.pairing.a.name or "the baseline"
    contrasts = [c for c in compared.contrasts if c.metric.direction != "neither"]
    specs = [contrast.metric.spec for contrast in contrasts]
    tested = {c.metric.spec: c.p_value for c in contrasts if c.p_value is not None}
    adjusted = dict(zip(tested, holm(list(tested.values())), strict=True))
    accepted = margins.by_spec(specs, name)
    checks = []
    for contrast, spec in zip(contrasts, specs, strict=True):
        limit = _margin(contrast, accepted[spec])
        rule = f"{spec} is not worse than {name} by {limit:.3g} or more"
        check = GateCheck(
            rule, True, UNCHANGED, spec, contrast.difference, bound=limit, contrast=contrast
        )
        if not (compared.pairing.unchanged and _same_scores(contrast, compared.pairing.b)):
            check = _not_worse_check(check, contrast, limit, adjusted.get(spec), allow)
        checks.append(check)
    return (*_comparable(compared, name, allow), *checks)


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


def _comparable(compared: Comparison, name: str, allow: Allowances) -> list[GateCheck]:
    """Return a check that fails for each thing in which the runs differ beside the pipelines."""
    pairing = compared.pairing
    judge = [entry.sentence for entry in pairing.discrepancies if entry.metrics]
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
    if any(c.metric.direction != "neither" for c in compared.contrasts):
        return unequal
    rule, why = f"a metric is compared with {name}", "No metric says which way is better."
    return [*unequal, GateCheck(rule, allow.inconclusive, why, open=True)]


def _same_scores(contrast: Contrast, run: Run) -> bool:
    """Return whether the same answers have the same scores, but for the noise of a model."""
    judged = run.provenance.judged.get(contrast.metric.spec, {})
    by_model = any(not by_rules(who) for counts in judged.values() for who in counts)
    return by_model or (contrast.ties == contrast.n and contrast.missing_a == contrast.missing_b)


def _not_worse_check(
    check: GateCheck, contrast: Contrast, limit: float, p: float | None, allow: Allowances
) -> GateCheck:
    """Return a check with what it finds: whether a run is not worse on one metric.

    Args:
        check: What is required.
        contrast: Of a metric with a direction, the baseline first.
        limit: The fall that is accepted.
        p: Of the difference, corrected for the other metrics; `None` if it was not tested.
        allow: What is accepted beside.
    """
    if contrast.difference is None or contrast.test is None:
        message = f"not compared: no question has both scores, {contrast.not_applicable} undefined"
        return replace(check, held=allow.uncompared, message=message)
    left = limit - _lost(contrast)
    finding = _finding(contrast, contrast.test, limit, left, p)
    few = finding not in ("not worse", "worse")
    needed = _needed(contrast, contrast.test, left) if few else None
    return replace(
        check,
        held=finding == "not worse" or (few and allow.inconclusive),
        message=_message(contrast, contrast.test, finding, p, needed),
        open=few,
        needed=needed,
    )


Finding = Literal[
    "not worse", "worse", "too few questions to tell", "too many scores are missing to tell"
]


def _finding(
    contrast: Contrast, test: "PairedTest", limit: float, left: float, p: float | None
) -> Finding:
    """Return what is shown of a fall by `limit`, and of `left`, what missing scores leave of it."""
    if p is None:
        return "too few questions to tell"
    gain = contrast.sign * (contrast.difference or 0.0)

    def differs(fall: float) -> bool:
        """Return whether the gain is shown to be another than minus `fall`, on one side."""
        # Of a metric that is better when lower, a fall is a rise.
        return limit > 0 and float(test.p_value(-contrast.sign * fall)) / 2 <= LEVEL

    within = gain > -limit and differs(limit)
    if not within and ((gain < 0 and p <= LEVEL) or (gain < -limit and differs(limit))):
        return "worse"
    if within and not (gain > -left and differs(left)):
        return "too many scores are missing to tell"
    return "not worse" if within and contrast.n >= FEWEST else "too few questions to tell"


def _lost(contrast: Contrast) -> float:
    """Return by how much the gain falls if each missing score is the worst for the run."""
    if not (contrast.missing_a or contrast.missing_b):
        return 0.0
    if contrast.bounds is None or contrast.difference is None:
        return math.inf
    sign = contrast.sign
    return sign * contrast.difference - min(sign * end for end in contrast.bounds)


def _margin(contrast: Contrast, margin: float | None) -> float:
    low, high = contrast.metric.bounds
    width = high - low if math.isfinite(high - low) else abs(contrast.mean_a or 0.0)
    return MARGIN * width if margin is None else margin


def _message(
    contrast: Contrast, test: "PairedTest", finding: Finding, p: float | None, needed: int | None
) -> str:
    low = min(contrast.sign * float(end) for end in test.ends(1 - 2 * LEVEL))
    missing = contrast.missing_a + contrast.missing_b
    parts = (
        f"{finding}: {contrast.difference:+.3f} on {contrast.n} question",
        "" if contrast.n == 1 else "s",
        "" if math.isnan(low) else f", it may be worse by {max(0.0, -low):.3f}",
        "" if p is None else f", Holm p {p:.3f}",
        "" if needed is None else f"; about {needed:,} questions would tell",
        f"; {missing} without one of the scores" if missing else "",
    )
    return "".join(parts)


def _needed(contrast: Contrast, test: "PairedTest", limit: float) -> int | None:
    """Return how many questions would tell, if the run is as good as the baseline."""
    if limit <= 0 or contrast.n < 2:
        return None
    variance = float(test.variance_at(limit)) * contrast.n
    return max(FEWEST, math.ceil(POWER_80 * variance / limit**2))
