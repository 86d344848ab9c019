"""Regression: is a run worse than its baseline, not worse, or are there too few questions to tell?

A test that finds no fall is no proof that there is none: eight questions find none when a metric
falls from 1 to .6. So a metric is *not worse* only if the fall that its interval still allows is
smaller than a margin: a test of non-inferiority, at a level of 5 %. A build is not worse if no
metric is; that takes no correction, since a build that is worse than the margin on some metric
passes only if it passes on that one: Berger (1982), "Multiparameter Hypothesis Testing and
Acceptance Sampling". A metric is *worse* if it falls significantly, corrected by Holm for the
number of metrics. `tests/benchmarks/inference_errors.py` prints how often either is wrong.
"""

import math
from dataclasses import dataclass

from llamaindex_rag_eval.comparison.comparability import uncompared
from llamaindex_rag_eval.comparison.comparison import Comparison
from llamaindex_rag_eval.comparison.contrast import Contrast
from llamaindex_rag_eval.gates.checks import GateCheck
from llamaindex_rag_eval.gates.margins import NO_MARGINS, Margins
from llamaindex_rag_eval.runs.clusters import Clustering
from llamaindex_rag_eval.runs.run import Run

MARGIN = 0.05
"""The default margin: a twentieth of a metric's range, or of the baseline's mean without bounds.

Two questions in forty that fail, or one answer in twenty that turns wrong.
"""

LEVEL = 0.05
"""The chance that a metric that is worse by the margin passes."""

TOLD = (1.645 + 0.842) ** 2
"""Squared margin over variance at which 80 % pass at that level: (z at 95 % + z at 80 %)²."""


@dataclass(frozen=True, slots=True)
class Allowances:
    """What a gate accepts though it leaves a verdict open.

    Attributes:
        inconclusive: Too few questions to tell whether a metric is worse.
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
    run: Run,
    baseline: Run,
    *,
    margins: Margins = NO_MARGINS,
    allow: Allowances = NOTHING_ALLOWED,
    clusters: Clustering = "documents",
) -> tuple[tuple[GateCheck, ...], tuple[str, ...]]:
    """Check, on every metric of the baseline that has a direction, that the run is not worse.

    Args:
        run: The new run.
        baseline: What it must not be worse than.
        margins: The falls that are accepted; by default `MARGIN` of each range.
        allow: What is accepted beside.
        clusters: What is not independent.

    Returns:
        Checks that both runs can be compared, where they cannot; a check for each metric; and
        notes on what was not compared.

    Raises:
        InputError: The runs share no question or no metric, or a metric that has a margin of its
            own is not compared.
    """
    from llamaindex_rag_eval.stats.significance import holm

    found = Comparison.of(baseline, run, clusters=clusters)
    contrasts = [c for c in found.contrasts if c.metric.direction != "neither"]
    name = baseline.name or "the baseline"
    tested = [c for c in contrasts if c.p_value is not None]
    adjusted = dict(
        zip([c.metric.spec for c in tested], holm([c.p_value or 0.0 for c in tested]), strict=True)
    )
    accepted = margins.by_spec([c.metric.spec for c in contrasts], name)
    checks = [
        not_worse_check(c, name, accepted[c.metric.spec], adjusted.get(c.metric.spec), allow)
        for c in contrasts
    ]
    return (*_comparable(found, baseline, run, name, allow), *checks), found.notes


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


def _comparable(
    found: Comparison, baseline: Run, run: Run, name: str, allow: Allowances
) -> list[GateCheck]:
    """Return a check that fails for each thing in which the runs differ beside the pipelines."""
    data = found.pairing.notes
    judge = [one.sentence for one in found.discrepancies if one.metrics]
    lost = uncompared(baseline, run)
    missing = [f"{spec} is not in {run.name!r}" for spec in lost]
    checks = (
        (f"the questions and references are those of {name}", data, allow.other_data),
        (f"metrics are judged as in {name}", judge, allow.other_judge),
        (f"every metric of {name} is compared", missing, allow.uncompared),
    )
    return [
        GateCheck(rule=rule, held=allowed, message=" ".join(sentences))
        for rule, sentences, allowed in checks
        if sentences
    ]


def not_worse_check(
    contrast: Contrast, name: str, margin: float | None, p: float | None, allow: Allowances
) -> GateCheck:
    """Check that a run is not worse than its baseline on one metric.

    Args:
        contrast: Of a metric with a direction, the baseline first.
        name: Of the baseline.
        margin: The fall that is accepted; `None` for `MARGIN` of the metric's range.
        p: Of the difference, corrected for the other metrics; `None` if it was not tested.
        allow: What is accepted beside.
    """
    limit = _margin(contrast, margin)
    rule = f"{contrast.metric.spec} is not worse than {name} by {limit:.3g} or more"
    if contrast.difference is None or contrast.test is None:
        message = f"not compared: no question has both scores, {contrast.not_applicable} undefined"
        return GateCheck(rule, allow.uncompared, message, contrast.metric.spec, bound=limit)
    sign = -1 if contrast.metric.direction == "lower" else 1
    gain = sign * contrast.difference
    # Of a metric that is better when lower, a fall is a rise.
    doubt = float(contrast.test.p_value(-sign * limit)) / 2 if p is not None and limit else 1.0
    shown = gain > -limit and doubt <= LEVEL
    worse = p is not None and p <= LEVEL and gain < 0
    few = not shown and not worse
    needed = _needed(contrast, limit) if few else None
    return GateCheck(
        rule=rule,
        held=shown or (few and allow.inconclusive),
        message=_message(contrast, sign, p, shown=shown, worse=worse, needed=needed),
        metric=contrast.metric.spec,
        found=contrast.difference,
        bound=limit,
        open=few,
        needed=needed,
    )


def _margin(contrast: Contrast, margin: float | None) -> float:
    if margin is not None:
        return margin
    low, high = contrast.metric.bounds
    width = high - low
    return MARGIN * (width if math.isfinite(width) else abs(contrast.mean_a or 0.0))


def _message(
    contrast: Contrast,
    sign: int,
    p: float | None,
    *,
    shown: bool,
    worse: bool,
    needed: int | None,
) -> str:
    assert contrast.test is not None  # noqa: S101 - checked by the caller
    found = "not worse" if shown else "worse" if worse else "too few questions to tell"
    ends = [sign * float(end) for end in contrast.test.ends(1 - 2 * LEVEL)]
    low = min(ends)
    reach = "" if math.isnan(low) else f", it may be worse by {max(0.0, -low):.3f}"
    holm = "" if p is None else f", Holm p {p:.3f}"
    missing = contrast.missing_a + contrast.missing_b
    lacking = f"; {missing} without one of the scores" if missing else ""
    tell = "" if needed is None else f"; about {needed:,} questions would tell"
    pairs = f"{contrast.n} question{'' if contrast.n == 1 else 's'}"
    return f"{found}: {contrast.difference:+.3f} on {pairs}{reach}{holm}{tell}{lacking}"


def _needed(contrast: Contrast, limit: float) -> int | None:
    """Return how many questions would tell, if the run is as good as the baseline."""
    if contrast.test is None or not limit or contrast.n < 2:
        return None
    variance = float(contrast.test.variance_at(limit)) * contrast.n
    return math.ceil(TOLD * variance / limit**2)
