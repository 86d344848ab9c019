"""Decision: may a pipeline take the place of its baseline, as the gate would judge it?

A pipeline may be shipped if a gate without further thresholds holds: it is not worse than the
baseline by the margin on any metric, and no result is missing. It may not if it is shown to be
worse on one. Anything else cannot be told yet.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from llamaindex_rag_eval.comparison.comparison import Comparison
from llamaindex_rag_eval.comparison.contrast import Contrast
from llamaindex_rag_eval.gates.checks import GateCheck, completeness_checks
from llamaindex_rag_eval.gates.margins import NO_MARGINS, Margins
from llamaindex_rag_eval.gates.regression import MARGIN, NOTHING_ALLOWED, not_worse_check

Verdict = Literal["ship", "do not ship", "cannot tell yet"]
"""Whether a pipeline may take the place of its baseline."""


@dataclass(frozen=True, slots=True)
class Decision:
    """Whether a pipeline may be shipped, and why.

    Attributes:
        name: The pipeline.
        verdict: Whether it may take the place of its baseline.
        more: About how many more questions would tell in 8 of 10 cases, if it is as good as the
            baseline; `None` where no number of questions is known to tell.
        reasons: In sentences.
    """

    name: str
    verdict: Verdict
    more: int | None = None
    reasons: tuple[str, ...] = ()

    @property
    def headline(self) -> str:
        """The verdict in one line.

        Example:
            >>> Decision("new", "cannot tell yet", more=1200).headline
            'Cannot tell yet: ask about 1,200 more questions'
        """
        asked = "" if self.more is None else f": ask about {self.more:,} more questions"
        return f"{self.verdict.capitalize()}{asked}"

    def as_json(self) -> dict[str, JsonValue]:
        """Return the decision as plain data."""
        return {
            "name": self.name,
            "verdict": self.verdict,
            "more": self.more,
            "reasons": list(self.reasons),
        }


def decide(pair: Comparison, margins: Margins = NO_MARGINS) -> Decision:
    """Return whether the second run may take the place of the first.

    Args:
        pair: The two runs; its p-values are used.
        margins: The falls that are accepted; by default those of a gate.

    Raises:
        InputError: A metric that has a margin of its own is not compared.
    """
    a, b = pair.names
    contrasts = [c for c in pair.contrasts if c.metric.direction != "neither"]
    accepted = margins.by_spec([c.metric.spec for c in contrasts], a)
    checks = [
        not_worse_check(c, a, accepted[c.metric.spec], c.p_adjusted, NOTHING_ALLOWED)
        for c in contrasts
    ]
    better = [c for c in contrasts if c.finding == "better"]
    obstacles = _obstacles(pair, checks)
    worse = [
        c
        for c, check in zip(contrasts, checks, strict=True)
        if c.difference is not None and not check.held and not check.open
    ]
    if worse and not pair.discrepancies:
        reasons = [f"{b} is worse than {a} on {_gaps(worse)}."]
        return Decision(b, "do not ship", reasons=(*reasons, *_gains(b, better), *obstacles))
    if obstacles or not contrasts:
        lacking = () if contrasts else ("No metric says which way is better.",)
        return Decision(b, "cannot tell yet", reasons=(*lacking, *obstacles, *_gains(b, better)))
    open_ = [(c, check) for c, check in zip(contrasts, checks, strict=True) if check.open]
    if open_:
        more, asking = _more(open_, len(pair.pairing.ids))
        risks = f"{b} may still be worse than {a} on {_risks(open_)}; less than that is accepted."
        return Decision(
            b, "cannot tell yet", more, (risks, *_unscored(open_), asking, *_gains(b, better))
        )
    count = "the metric" if len(contrasts) == 1 else f"any of the {len(contrasts)} metrics"
    margin = f"by {MARGIN:.0%} of its range or more"
    if margins != NO_MARGINS:
        margin = f"by its margin or more ({_risks(list(zip(contrasts, checks, strict=True)))})"
    shown = _gains(b, better) or (f"No evidence that {b} is better on any of them.",)
    return Decision(b, "ship", reasons=(f"{b} is not worse than {a} on {count} {margin}.", *shown))


def _obstacles(pair: Comparison, checks: Sequence[GateCheck]) -> tuple[str, ...]:
    """Return what stands in the way of a verdict and is mended by no further question."""
    compared = {check.metric for check in checks}
    run = pair.pairing.b
    summaries = tuple(s for s in run.summary(pair.clusters.how) if s.metric.spec in compared)
    whole = completeness_checks(summaries, len(run), max_missing=None, max_failed=None)
    lost = [f"Results are missing in {run.name}: {one.message}." for one in whole if not one.held]
    judged = [one.sentence for one in pair.discrepancies if one.metrics]
    none = [
        f"{c.metric}: {c.message}." for c in checks if not c.held and not c.open and c.found is None
    ]
    return (*pair.pairing.doubts, *judged, *lost, *none)


def _more(open_: Sequence[tuple[Contrast, GateCheck]], asked: int) -> tuple[int | None, str]:
    """Return how many more questions would tell, and what that rests on.

    Some questions have no score in both runs; as large a share is taken to have none of the others.
    """
    if any(check.needed is None for _, check in open_):
        return None, "How many more questions it takes is unknown: too few have both scores."
    totals = [math.ceil((check.needed or 0) * asked / c.n) for c, check in open_]
    more = max(totals) - asked
    if more <= 0:
        return None, (
            "So many questions would have told if both were alike: the difference is near what "
            "is accepted, and more questions of this kind may not settle it."
        )
    unit = 10 ** max(0, len(str(more)) - 2)
    return math.ceil(more / unit) * unit, (
        "The number of questions holds if both are alike; it then tells in 8 of 10 cases."
    )


def _risks(open_: Sequence[tuple[Contrast, GateCheck]]) -> str:
    return ", ".join(f"{contrast.metric.spec} by {check.bound:.3g}" for contrast, check in open_)


def _unscored(open_: Sequence[tuple[Contrast, GateCheck]]) -> tuple[str, ...]:
    """Return how many questions say nothing, for want of one of the scores or of both."""
    counts = [(c.metric.spec, c.missing_a + c.missing_b + c.not_applicable) for c, _ in open_]
    lacking = ", ".join(f"{count} on {spec}" for spec, count in counts if count)
    return (f"Questions that lack a score, undefined or failed, tell nothing: {lacking}.",) * (
        lacking != ""
    )


def _gains(name: str, better: Sequence[Contrast]) -> tuple[str, ...]:
    return (f"{name} is better on {_gaps(better)}.",) if better else ()


def _gaps(contrasts: Sequence[Contrast]) -> str:
    return ", ".join(f"{c.metric.spec} ({c.difference or 0.0:+.3f})" for c in contrasts)
