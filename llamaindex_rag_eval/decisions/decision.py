"""Decision: may a candidate take the place of its baseline? The only place where that is decided.

    decision = decide(main, new, Policy(primary="answer_verdict", margin=0.03))
    decision.outcome, decision.headline, decision.reasons

In this order:

1. Both must have answered the same questions, judged alike: else they are *not comparable*.
2. A metric is *worse* if the comparison shows that it fell, and it is not shown to have fallen by
   less than its margin. That stops the candidate, whichever metric it is; one that is not the
   primary one only if it fell by more than is negligible (`NEGLIGIBLE`).
3. The primary metric is *better* if a rise is shown, *not worse* if a fall by the margin is ruled
   out: a test of non-inferiority, at a level of 5 %. Scores that are missing on one side count as
   the worst there can be.

All of it is read from one interval of each metric (`Contrast.estimate`).
4. Otherwise nobody *can tell*.

`tests/benchmarks/decisions.py` prints how often that is wrong.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import JsonValue

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.decisions.by_people import (
    ByPeople,
    Labels,
    people_json,
    run_by_people,
)
from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.decisions.limits import Check, limit_checks, ratio_checks
from llamaindex_rag_eval.decisions.metric_checks import UNCHANGED, WITHIN, metric_checks
from llamaindex_rag_eval.decisions.policy import DEFAULT_POLICY, PRIMARY, Policy
from llamaindex_rag_eval.decisions.reasons import (
    Undecided,
    how_computed,
    reasons_of,
    unmet,
    what_would_tell,
)
from llamaindex_rag_eval.decisions.verdict import named
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.spec import parse_spec
from llamaindex_rag_eval.runs.run import Run

Outcome = Literal["better", "not worse", "worse", "cannot tell", "not comparable", "limit missed"]
"""What is decided; a run without a baseline is `not worse` where all its limits hold."""

Verdict = Literal["ship", "do not ship", "cannot tell yet", "not comparable"]
"""What a headline calls it."""

VERDICTS: Mapping[Outcome, Verdict] = {
    "better": "ship",
    "not worse": "ship",
    "worse": "do not ship",
    "limit missed": "do not ship",
    "cannot tell": "cannot tell yet",
    "not comparable": "not comparable",
}

MANY_WRONG = 0.25
"""From this share of wrong answers on, a headline says how many there are."""


@dataclass(frozen=True, slots=True)
class Decision(JsonFields):
    """Whether a candidate may take the place of its baseline, and why.

    Attributes:
        name: The candidate.
        outcome: What is decided.
        held: Whether it may pass: it is better or not worse, or the policy accepts what is open.
        checks: Each requirement, and what was measured.
        reasons: In sentences.
        detail: What the headline adds to the verdict.
        warning: What a reader of the headline must know of the candidate; empty for nothing.
        more: About how many more questions would tell in 8 of 10 cases, if it is as good as the
            baseline, or worse by the margin where it was measured to be; `None` where no number
            of questions is known to tell.
        notes: What a reader must know about the questions.
        how: How it was computed, for those who want to know.
        by_people: What labels say of the metrics; `None` where none were passed.
    """

    _json = "name outcome verdict held headline more reasons checks notes how"

    name: str
    outcome: Outcome
    held: bool = False
    checks: tuple[Check, ...] = ()
    reasons: tuple[str, ...] = ()
    detail: str = ""
    warning: str = ""
    more: int | None = None
    notes: tuple[str, ...] = ()
    how: tuple[str, ...] = ()
    by_people: tuple[ByPeople, ...] | None = None

    def as_json(self) -> dict[str, JsonValue]:
        """Return it as plain data."""
        return JsonFields.as_json(self) | people_json(self.by_people)

    @property
    def verdict(self) -> Verdict:
        """The outcome as the headline calls it."""
        return VERDICTS[self.outcome]

    @property
    def headline(self) -> str:
        """The verdict in one line.

        Example:
            >>> Decision("new", "better", detail="better on mrr").headline
            'Ship: better on mrr'
        """
        text = f"{self.verdict.capitalize()}{f': {self.detail}' if self.detail else ''}"
        return f"{text}, but {self.warning}" if self.warning else text


def decide(
    baseline: Run | None,
    candidate: Run,
    policy: Policy = DEFAULT_POLICY,
    *,
    labels: Labels | None = None,
) -> Decision:
    """Decide whether a run may take the place of its baseline.

    Args:
        baseline: The run it is compared with; `None` holds it to limits only.
        candidate: The run.
        policy: What it must reach.
        labels: As for `compare`; limits are held to what the judge says.

    Raises:
        InputError: The candidate has no samples or lacks a metric that the policy names; there is
            neither a baseline nor a limit; the runs share no question or metric.
        DatasetError: The file of labels cannot be read.
    """
    if baseline is None:
        by_people = run_by_people(candidate, labels, policy.clusters)
        return replace(_alone(candidate, policy), by_people=by_people)
    if not len(candidate):
        raise InputError(f"the run {candidate.name!r} has no samples; a gate over nothing is open")
    clusters, primary = policy.clusters, policy.primary
    return decide_pair(
        Comparison.of(baseline, candidate, clusters=clusters, primary=primary, labels=labels),
        policy,
    )


def _alone(run: Run, policy: Policy) -> Decision:
    if policy.limits_nothing:
        raise InputError(
            "the gate limits nothing; expected a threshold, as --min faithfulness=.8, or "
            "--no-worse-than RUN"
        )
    if policy.margin is not None or policy.margins:
        raise InputError("a margin without a run; expected a run to compare with, too")
    specs = [info.spec for info in run.metrics if info.direction != "neither"]
    primary = policy.primary_of(specs, run.name)
    checks = tuple(limit_checks(run, policy, primary=primary, baseline=None, left_out=set()))
    held = all(check.held for check in checks)
    count = f"{len(run)} question{'s' if len(run) > 1 else ''}"
    few = f", on {count} only" if len(run) < policy.questions else ""
    return Decision(
        run.name,
        "not worse" if held else "limit missed",
        held,
        checks,
        tuple(unmet(check) for check in checks if not check.held),
        f"every limit is kept{few}" if held else _missed(checks),
        _many_wrong(run) if held else "",
        notes=(*run.cluster_notes(policy.clusters), *run.language_notes),
    )


def decide_pair(pair: Comparison, policy: Policy = DEFAULT_POLICY) -> Decision:
    """Decide of two runs that are compared already; see `decide`.

    What is shown is what the comparison shows, corrected for all runs and metrics in it.
    """
    pair = pair.under(policy)
    name, run, primary = pair.baseline, pair.pairing.b, pair.primary
    contrasts = [c for c in pair.contrasts if c.metric.direction != "neither"]
    left_out = {i.spec for i in pair.pairing.a.metrics} - {i.spec for i in pair.pairing.metrics}
    refused = _refused(pair, contrasts, policy)
    limits = limit_checks(
        run, policy, primary=primary, baseline=pair.pairing.a, left_out=left_out
    ) + ratio_checks(pair.resources, policy, name)
    compared = metric_checks(pair, contrasts, primary, policy)
    outcome = _outcome(refused, limits, compared)
    checks = (*refused, *([] if outcome == "not comparable" else compared), *limits)
    undecided = Undecided()
    if outcome == "cannot tell":
        undecided = what_would_tell(pair, compared, policy.questions)
    known = reasons_of(pair, refused, limits, compared)
    reasons = tuple(filter(None, (undecided.why, *known)))
    return Decision(
        pair.names[1],
        outcome,
        VERDICTS[outcome] == "ship" or (bool(compared) and all(check.held for check in checks)),
        checks,
        reasons,
        undecided.detail or _detail(outcome, refused, limits, compared),
        _many_wrong(run, pair) if VERDICTS[outcome] == "ship" else "",
        undecided.more,
        tuple(note for note in pair.notes if note not in " ".join(reasons)),
        how_computed(compared),
        pair.by_people,
    )


def _outcome(
    refused: Sequence[Check], limits: Sequence[Check], compared: Sequence[Check]
) -> Outcome:
    if not all(check.held for check in refused):
        return "not comparable"
    if any(check.outcome == "fails" for check in compared):
        return "worse"
    if any(check.outcome == "fails" for check in limits):
        return "limit missed"
    if not compared or any(check.outcome == "cannot tell" for check in (compared[0], *limits)):
        return "cannot tell"
    return "better" if compared[0].finding == "better" else "not worse"


def _refused(pair: Comparison, contrasts: Sequence[Contrast], policy: Policy) -> list[Check]:
    """Return a check for each thing in which the runs differ beside the pipelines."""
    pairing, name, allow = pair.pairing, pair.baseline, policy.allow
    judge = [*pairing.discrepancies]
    missing = [f"The metric {spec} is not in {pairing.b.name!r}." for spec in pairing.uncompared]
    missing += [
        f"No question has a score of {c.spec} in both runs. It is missing for {c.missing_a} in "
        f"{pairing.names[0]}, {c.missing_b} in {pairing.names[1]}, {c.not_applicable} in both."
        for c in contrasts
        if c.difference is None and (c.missing_a or c.missing_b or c.spec == pair.primary)
    ]
    checks = (
        (f"the questions and references must be those of {name}", pairing.notes, allow.other_data),
        (f"metrics must be judged as in {name}", judge, allow.other_judge),
        (f"every metric of {name} must be compared", missing, allow.uncompared),
    )
    return [
        Check(rule, "fails", " ".join(sentences), accepted=accepted)
        for rule, sentences, accepted in checks
        if sentences
    ]


def _detail(
    outcome: Outcome, refused: Sequence[Check], limits: Sequence[Check], compared: Sequence[Check]
) -> str:
    """Return what the headline adds to the verdict."""
    if outcome == "not comparable":
        first = next(check.message for check in refused if not check.held).split(". ")[0]
        return first[:1].lower() + first[1:].rstrip(".")
    if outcome == "worse":
        return f"worse on {named([c.metric for c in compared if c.outcome == 'fails'])}"
    if outcome == "limit missed":
        return _missed(limits)
    if outcome == "cannot tell":
        return next((check.message for check in limits if check.outcome == outcome), "")
    if all(check.finding == UNCHANGED for check in compared):
        return UNCHANGED
    if compared[0].finding == WITHIN:
        return f"{WITHIN} on {compared[0].metric}"
    return f"{outcome} on {compared[0].metric}"


def _missed(limits: Sequence[Check]) -> str:
    first = next(check for check in limits if check.outcome == "fails")
    return first.rule


def _many_wrong(run: Run, pair: Comparison | None = None) -> str:
    """Return how many answers are wrong, if they are many; where people decide, their mean."""
    for entry in (pair and pair.by_people) or ():
        mean = entry.means[-1].mean.value
        if entry.labels and pair and entry.metric.spec == pair.primary and mean is not None:
            return f"people score its answers {mean:.2f}" if mean < 1 - MANY_WRONG else ""
    for info in run.metrics:
        if parse_spec(info.spec)[0] == PRIMARY:
            verdicts = [row.verdict for row in run.rows.of(info.spec) if row.score is not None]
            share = verdicts.count("wrong") / max(1, len(verdicts))
            return f"{share:.0%} of its answers are wrong" if share > MANY_WRONG else ""
    return ""
