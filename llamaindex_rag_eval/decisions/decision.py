"""Decision: may a pipeline take the place of its baseline? The gate's outcome, in sentences.

A pipeline may be shipped if a gate without further thresholds holds, and not if that fails;
otherwise nobody can tell yet. Nothing is decided here.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.decisions.gate import Gate
from llamaindex_rag_eval.decisions.gate_checks import GateCheck, Verdict as Verdict
from llamaindex_rag_eval.decisions.margins import NO_MARGINS, Margins
from llamaindex_rag_eval.decisions.regression import FEWEST, MARGIN, UNCHANGED


@dataclass(frozen=True, slots=True)
class Decision(JsonFields):
    """Whether a pipeline may be shipped, and why.

    Attributes:
        name: The pipeline.
        verdict: Whether it may take the place of its baseline.
        more: About how many more questions would tell in 8 of 10 cases, if it is as good as the
            baseline; `None` where no number of questions is known to tell.
        reasons: In sentences.
        detail: What the headline adds to the verdict; empty for nothing.
    """

    _json = "name verdict headline more reasons"

    name: str
    verdict: Verdict
    more: int | None = None
    reasons: tuple[str, ...] = ()
    detail: str = ""

    @property
    def headline(self) -> str:
        """The verdict in one line.

        Example:
            >>> Decision("new", "cannot tell yet", more=1200).headline
            'Cannot tell yet: ask about 1,200 more questions'
        """
        more = self.detail if self.more is None else f"ask about {self.more:,} more questions"
        return f"{self.verdict.capitalize()}{f': {more}' if more else ''}"


def decide(pair: Comparison, margins: Margins = NO_MARGINS) -> Decision:
    """Return whether the second run may take the place of the first.

    Args:
        pair: The two runs.
        margins: The falls that are accepted; by default those of a gate.

    Raises:
        InputError: A metric that has a margin of its own is not compared.
    """
    a, b = pair.names
    gate = Gate(
        no_worse_than=True,
        margin=margins.of_all,
        margins=margins.of_metrics,
        clusters=pair.clusters.how,
    )
    outcome = gate.judge(pair)
    of_metrics = [(check.contrast, check) for check in outcome.checks if check.contrast is not None]
    gains = _gains(b, [c for c, _ in of_metrics if c.finding == "better"])
    if outcome.held and all(check.message == UNCHANGED for _, check in of_metrics):
        return Decision(b, outcome.verdict, None, (f"{b} gave the answers of {a}.",), UNCHANGED)
    if outcome.held:
        gains = gains or (f"No evidence that {b} is better on any of them.",)
        return Decision(b, outcome.verdict, None, (_not_worse(pair, margins, of_metrics), *gains))
    worse = [c for c, check in of_metrics if check.outcome == "fails" and c.difference is not None]
    if pair.discrepancies:  # what differs beside the pipelines may be why
        worse = []
    loss = (f"{b} is worse than {a} on {_gaps(worse)}.",) if worse else ()
    reasons = (*loss, *map(_unmet, filter(_hinders, outcome.checks)))
    open_ = [(c, check) for c, check in of_metrics if check.open]
    if outcome.outcome == "fails" or not open_:
        detail = "" if worse or outcome.outcome != "fails" else "no fair comparison"
        return Decision(b, outcome.verdict, None, (*reasons, *gains), detail)
    more, why = _more(open_, len(pair.pairing.ids))
    risks = f"{b} may still be worse than {a} on {_risks(open_)}; less than that is accepted."
    lacking = (*_too_few(open_), *_unscored(open_))
    return Decision(b, outcome.verdict, more, (*reasons, risks, *lacking, why, *gains))


def _hinders(check: GateCheck) -> bool:
    """Return whether a check stands in the way that no question and no better answer mends."""
    measured = check.contrast is not None and check.contrast.difference is not None
    return not check.held and not measured


def _unmet(check: GateCheck) -> str:
    """Return what is not met, and what was found, in sentences."""
    message = check.message.rstrip(".")
    return f"Not met: {check.rule}. {message[:1].upper()}{message[1:]}."


def _not_worse(
    pair: Comparison, margins: Margins, checks: Sequence[tuple[Contrast, GateCheck]]
) -> str:
    a, b = pair.names
    count = "the metric" if len(checks) == 1 else f"any of the {len(checks)} metrics"
    margin = f"by {MARGIN:.0%} of its range or more"
    if margins != NO_MARGINS:
        margin = f"by its margin or more ({_risks(checks)})"
    return f"{b} is not worse than {a} on {count} {margin}."


def _more(open_: Sequence[tuple[Contrast, GateCheck]], questions: int) -> tuple[int | None, str]:
    """Return how many more questions would tell, and what that rests on.

    Some questions have no score in both runs; as large a share is taken to have none of the others.
    """
    if any(check.needed is None for _, check in open_):
        return None, "How many more questions it takes is unknown: too few have both scores."
    totals = [math.ceil((check.needed or 0) * questions / c.n) for c, check in open_]
    more = max(totals) - questions
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


def _too_few(open_: Sequence[tuple[Contrast, GateCheck]]) -> tuple[str, ...]:
    few = ", ".join(contrast.metric.spec for contrast, _ in open_ if contrast.n < FEWEST)
    return (f"It takes at least {FEWEST} questions with both scores, on {few}.",) if few else ()


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
