"""Decision: may a candidate take the place of its baseline? The only place where that is decided.

    decision = decide(main, new, Policy(primary="answer_verdict", margin=0.03))
    decision.outcome, decision.headline, decision.reasons

In this order:

1. Both must have answered the same questions, judged alike: else they are *not comparable*.
2. The primary metric is *worse* if its mean falls and that is shown, and a fall smaller than the
   margin is not; or if a fall greater than the margin is shown. Any other metric that is shown to
   be worse, corrected for the number of them, stops the candidate, too.
3. The primary metric is *better* if a rise is shown, *not worse* if a fall by the margin is ruled
   out: a test of non-inferiority, at a level of 5 %. Scores that are missing on one side count as
   the worst there can be.
4. Otherwise nobody *can tell*.

`tests/benchmarks/decisions.py` prints how often that is wrong.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.decisions.limits import (
    Check,
    limit_checks,
    ratio_checks,
    result_of,
)
from llamaindex_rag_eval.decisions.policy import DEFAULT_POLICY, PRIMARY, Policy
from llamaindex_rag_eval.decisions.verdict import listed
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.answerers import by_rules
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

LEVEL = 0.05
"""The chance that a candidate that is worse by the margin passes."""

MOST_NAMED = 5
"""Of more metrics only the number is said."""

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
            baseline; `None` where no number of questions is known to tell.
        notes: What a reader must know about the questions.
        how: How it was computed, for those who want to know.
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

    @property
    def verdict(self) -> Verdict:
        """The outcome as the headline calls it."""
        return VERDICTS[self.outcome]

    @property
    def headline(self) -> str:
        """The verdict in one line.

        Example:
            >>> Decision("new", "cannot tell", more=1200).headline
            'Cannot tell yet: ask about 1,200 more questions'
        """
        more = self.detail if self.more is None else f"ask about {self.more:,} more questions"
        text = f"{self.verdict.capitalize()}{f': {more}' if more else ''}"
        return f"{text}, but {self.warning}" if self.warning else text


UNCHANGED = "no answer changed"
"""What is said of a metric where both runs gave the same answers: no question can fall."""


def decide(baseline: Run | None, candidate: Run, policy: Policy = DEFAULT_POLICY) -> Decision:
    """Decide whether a run may take the place of its baseline.

    Args:
        baseline: The run it is compared with; `None` holds it to limits only.
        candidate: The run.
        policy: What it must reach.

    Raises:
        InputError: The candidate has no samples or lacks a metric that the policy names; there is
            neither a baseline nor a limit; the runs share no question or metric.
    """
    if baseline is None:
        return _alone(candidate, policy)
    if not len(candidate):
        raise InputError(f"the run {candidate.name!r} has no samples; a gate over nothing is open")
    return decide_pair(Comparison.of(baseline, candidate, clusters=policy.clusters), policy)


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
    return Decision(
        run.name,
        "not worse" if held else "limit missed",
        held,
        checks,
        tuple(_unmet(check) for check in checks if not check.held),
        "every limit is kept" if held else "a limit is missed",
        _many_wrong(run),
        notes=run.cluster_notes(policy.clusters),
    )


def decide_pair(pair: Comparison, policy: Policy = DEFAULT_POLICY) -> Decision:
    """Decide of two runs that are compared already; see `decide`."""
    name, run = pair.pairing.a.name or "the baseline", pair.pairing.b
    contrasts = [c for c in pair.contrasts if c.metric.direction != "neither"]
    primary = policy.primary_of([c.metric.spec for c in contrasts], name)
    left_out = {i.spec for i in pair.pairing.a.metrics} - {i.spec for i in pair.pairing.metrics}
    refused = _refused(pair, contrasts, name, policy)
    limits = limit_checks(
        run, policy, primary=primary, baseline=pair.pairing.a, left_out=left_out
    ) + ratio_checks(pair.resources, policy, name)
    compared = _compared(pair, contrasts, primary, policy)
    outcome = _outcome(refused, limits, compared)
    checks = (*refused, *compared, *limits)
    more, why = _more(pair, compared) if outcome == "cannot tell" else (None, "")
    return Decision(
        pair.names[1],
        outcome,
        VERDICTS[outcome] == "ship" or (bool(compared) and all(check.held for check in checks)),
        checks,
        tuple(filter(None, (*_reasons(pair.names, refused, limits, compared), why))),
        _detail(outcome, refused, compared),
        _many_wrong(run) if VERDICTS[outcome] == "ship" else "",
        more,
        pair.notes,
        _how(compared),
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
    return "better" if compared[0].contrast and _is_better(compared[0].contrast) else "not worse"


def _refused(
    pair: Comparison, contrasts: Sequence[Contrast], name: str, policy: Policy
) -> list[Check]:
    """Return a check for each thing in which the runs differ beside the pipelines."""
    pairing, allow = pair.pairing, policy.allow
    judge = [entry.sentence for entry in pairing.discrepancies if entry.metrics]
    missing = [f"{spec} is not in {pairing.b.name!r}." for spec in pairing.uncompared]
    missing += [
        f"No question has both scores of {c.metric.spec}, {c.not_applicable} are undefined."
        for c in contrasts
        if c.difference is None
    ]
    checks = (
        (f"the questions and references are those of {name}", pairing.notes, allow.other_data),
        (f"metrics are judged as in {name}", judge, allow.other_judge),
        (f"every metric of {name} is compared", missing, allow.uncompared),
    )
    return [
        Check(rule, "fails", " ".join(sentences), accepted=accepted)
        for rule, sentences, accepted in checks
        if sentences
    ]


def _compared(
    pair: Comparison, contrasts: Sequence[Contrast], primary: str, policy: Policy
) -> list[Check]:
    """Return a check of each metric, the primary one first."""
    name, run = pair.pairing.a.name or "the baseline", pair.pairing.b
    margins = policy.margins_of(contrasts, name)
    measured = [c for c in contrasts if c.difference is not None]
    others = [c for c in measured if c.metric.spec != primary]
    adjusted = _adjusted(others)
    checks = []
    for contrast in sorted(measured, key=lambda c: c.metric.spec != primary):
        spec = contrast.metric.spec
        margin = margins[spec]
        if pair.pairing.unchanged and _same_scores(contrast, run):
            rule = f"{spec} is not worse than {name} by {margin:.3g} or more"
            checks.append(Check(rule, "holds", UNCHANGED, spec, 0.0, margin, contrast=contrast))
        elif spec == primary:
            checks.append(_primary_check(contrast, margin, name, policy))
        else:
            level = LEVEL / max(1, len(others))
            worse = _is_worse(contrast, adjusted.get(spec), margin, level)
            message = _measured("worse" if worse else "no loss is shown", contrast)
            rule = f"{spec} is not shown to be worse than {name}"
            outcome = result_of(held=not worse)
            gap = contrast.difference
            checks.append(Check(rule, outcome, message, spec, gap, margin, contrast=contrast))
    return checks


def _adjusted(contrasts: Sequence[Contrast]) -> dict[str, float]:
    """Return the p-value of each metric, corrected for the others of them."""
    from llamaindex_rag_eval.stats.paired import family

    tested = {c.metric.spec: c.test for c in contrasts if c.test and c.p_value is not None}
    if not tested:
        return {}
    return dict(zip(tested, family([*tested.values()], LEVEL)[0], strict=True))


def _primary_check(contrast: Contrast, margin: float, name: str, policy: Policy) -> Check:
    """Return whether the candidate is not worse on the primary metric."""
    spec, gain = contrast.metric.spec, contrast.sign * (contrast.difference or 0.0)
    rule = f"{spec} is not worse than {name} by {margin:.3g} or more"
    lost = _lost(contrast)
    outcome: Literal["holds", "fails", "cannot tell"] = "cannot tell"
    finding, needed = "too few questions to tell", None
    documents = contrast.test is not None and len(contrast.test.sums) >= policy.documents
    if _is_worse(contrast, contrast.p_value, margin, LEVEL):
        outcome, finding = "fails", "worse"
    elif contrast.n < policy.questions:
        finding = f"{contrast.n} of the {policy.questions} questions it takes"
    elif not documents:
        finding = f"fewer than {policy.documents} documents"
    elif _is_better(contrast):
        outcome, finding = "holds", "better"
    elif _rules_out(contrast, margin):
        finding = "too many scores are missing to tell"
        if lost < margin and _rules_out(contrast, margin - lost):
            outcome, finding = "holds", "not worse"
    if outcome == "cannot tell" and contrast.n < policy.questions:
        needed = policy.questions
    elif outcome == "cannot tell" and contrast.test is not None and lost < margin:
        from llamaindex_rag_eval.stats.planning import Planner

        needed = Planner(contrast.test).needed(margin, to="rule out")
    return Check(
        rule,
        outcome,
        _measured(finding, contrast),
        spec,
        contrast.difference,
        margin,
        needed=needed,
        accepted=outcome == "cannot tell" and policy.allow.inconclusive and gain > -margin,
        contrast=contrast,
    )


def _rules_out(contrast: Contrast, fall: float) -> bool:
    """Return whether a fall as large as this is ruled out, at `LEVEL` on one side."""
    test = contrast.test
    if test is None or contrast.p_value is None or fall <= 0:
        return False
    gain = contrast.sign * (contrast.difference or 0.0)
    # Of a metric that is better when lower, a fall is a rise.
    return gain > -fall and float(test.p_value(-contrast.sign * fall)) / 2 <= LEVEL


def _is_worse(contrast: Contrast, p: float | None, margin: float, level: float) -> bool:
    """Return whether a loss is shown: any that is not within the margin, or one beyond it."""
    gain = contrast.sign * (contrast.difference or 0.0)
    if p is None or contrast.test is None or _rules_out(contrast, margin):
        return False
    beyond = gain < -margin < 0
    beyond = beyond and float(contrast.test.p_value(-contrast.sign * margin)) / 2 <= level
    return (gain < 0 and p <= LEVEL) or beyond


def _is_better(contrast: Contrast) -> bool:
    """Return whether a rise is shown that missing scores cannot undo."""
    gain = contrast.sign * (contrast.difference or 0.0)
    shown = gain > 0 and contrast.p_value is not None and contrast.p_value <= LEVEL
    return shown and _lost(contrast) < gain


def _lost(contrast: Contrast) -> float:
    """Return by how much the gain falls if each missing score is the worst for the candidate."""
    if not (contrast.missing_a or contrast.missing_b):
        return 0.0
    if contrast.bounds is None or contrast.difference is None:
        return math.inf
    sign = contrast.sign
    return sign * contrast.difference - min(sign * end for end in contrast.bounds)


def _same_scores(contrast: Contrast, run: Run) -> bool:
    """Return whether the same answers have the same scores, but for the noise of a model."""
    judged = run.provenance.judged.get(contrast.metric.spec, {})
    by_model = any(not by_rules(who) for counts in judged.values() for who in counts)
    return by_model or (contrast.ties == contrast.n and contrast.missing_a == contrast.missing_b)


def _measured(finding: str, contrast: Contrast) -> str:
    """Return what was measured, in words."""
    missing = contrast.missing_a + contrast.missing_b
    risk = _risk(contrast)
    parts = (
        f"{finding}: {contrast.difference:+.3f} on {contrast.n} question",
        "" if contrast.n == 1 else "s",
        "" if risk is None else f", it may be worse by {risk:.3f}",
        f"; {missing} without one of the scores" if missing else "",
    )
    return "".join(parts)


def _risk(contrast: Contrast) -> float | None:
    """Return by how much the candidate may still be worse, without the missing scores."""
    interval = contrast.test.interval(1 - 2 * LEVEL) if contrast.test else None
    if interval is None:
        return None
    return max(0.0, -min(contrast.sign * interval.low, contrast.sign * interval.high))


def _reasons(
    names: tuple[str, str],
    refused: Sequence[Check],
    limits: Sequence[Check],
    compared: Sequence[Check],
) -> list[str]:
    """Return what stands in the way first, then what is known of the metrics."""
    a, b = names
    reasons = [_unmet(check) for check in (*refused, *limits) if not check.held]
    if any(not check.held for check in refused):  # what differs beside the pipelines may be why
        return reasons
    by: dict[str, list[Contrast]] = {}
    for check in compared:
        if check.contrast is not None and check.message != UNCHANGED:
            better = check is compared[0] and _is_better(check.contrast)
            better = better or check.contrast.finding == "better"
            finding = "better" if better else check.outcome
            by.setdefault(finding, []).append(check.contrast)
    if compared and all(check.message == UNCHANGED for check in compared):
        return [f"{b} gave the answers of {a}.", *reasons]
    if "fails" in by:
        reasons.insert(0, f"{b} is worse than {a} on {_gaps(by['fails'])}.")
    if "better" in by:
        reasons.append(f"{b} is better than {a} on {_gaps(by['better'])}.")
    if compared and compared[0].message.startswith("not worse"):
        worse = f"If {b} is worse than {a} on {compared[0].metric}, then by less than"
        reasons.append(f"{worse} {compared[0].bound:.3g}.")
    held = [check.metric for check in compared[1:] if check.outcome == "holds"]
    if held:
        metrics = listed(held) if len(held) < MOST_NAMED else f"{len(held)} other metrics"
        reasons.append(f"No loss is shown on {metrics}.")
    return reasons


def _unmet(check: Check) -> str:
    """Return what is not met, and what was measured, in sentences."""
    message = check.message.rstrip(".")
    return f"Not met: {check.rule}. {message[:1].upper()}{message[1:]}."


def _gaps(contrasts: Sequence[Contrast]) -> str:
    return listed([f"{c.metric.spec} ({c.difference or 0.0:+.3f})" for c in contrasts])


def _more(pair: Comparison, compared: Sequence[Check]) -> tuple[int | None, str]:
    """Return how many more questions would tell, and what that rests on.

    Some questions have no score in both runs; as large a share is taken to have none of the others.
    """
    if not compared:
        return None, "No metric says which way is better."
    (_, b), check, questions = pair.names, compared[0], len(pair.pairing.ids)
    contrast = check.contrast
    if contrast is None or check.outcome != "cannot tell":
        return None, ""
    risk = _risk(contrast)
    may = f"{b} may still be worse by {risk:.3g}" if risk is not None else f"{b} may be worse"
    accepted = f"{may} on {check.metric}; less than {check.bound:.3g} is accepted."
    lost = contrast.missing_a + contrast.missing_b
    if lost:
        accepted += f" {lost} questions lack one of the scores and count as the worst there can be."
    if contrast.not_applicable:
        accepted += f" {contrast.not_applicable} lack both and say nothing."
    if check.needed is None:
        return None, f"{accepted} How many questions would tell is not known."
    more = math.ceil(check.needed * questions / contrast.n) - questions
    if more <= 0:
        return None, (
            f"{accepted} So many questions would have told if both were alike: the "
            "difference is near what is accepted, and more of this kind may not settle it."
        )
    unit = 10 ** max(0, len(str(more)) - 2)
    rounded = math.ceil(more / unit) * unit
    if check.message.startswith(f"{contrast.n} of the"):
        return rounded, f"It takes {check.needed} questions to say anything but that it is worse."
    return rounded, (
        f"{accepted} The number of questions holds if both are alike; it then tells in 8 of 10 "
        "cases."
    )


def _detail(outcome: Outcome, refused: Sequence[Check], compared: Sequence[Check]) -> str:
    """Return what the headline adds to the verdict."""
    if outcome == "not comparable":
        return next(check.message for check in refused if not check.held).split(". ")[0].rstrip(".")
    if outcome == "worse":
        return f"worse on {listed([c.metric for c in compared if c.outcome == 'fails'])}"
    if outcome == "limit missed":
        return "a limit is missed"
    if outcome == "cannot tell":
        return "" if compared else "no metric says which way is better"
    if all(check.message == UNCHANGED for check in compared):
        return UNCHANGED
    return f"{outcome} on {compared[0].metric}"


def _many_wrong(run: Run) -> str:
    """Return how many answers are wrong, if they are many."""
    for info in run.metrics:
        if parse_spec(info.spec)[0] == PRIMARY:
            verdicts = [row.verdict for row in run.rows.of(info.spec) if row.score is not None]
            share = verdicts.count("wrong") / max(1, len(verdicts))
            return f"{share:.0%} of its answers are wrong" if share > MANY_WRONG else ""
    return ""


def _how(compared: Sequence[Check]) -> tuple[str, ...]:
    """Return how it was computed, in the words of statistics."""
    from llamaindex_rag_eval.stats.clusters import PRIOR_ICC

    contrast = compared[0].contrast if compared else None
    if contrast is None or contrast.test is None:
        return ()
    spec, test = contrast.metric.spec, contrast.test
    p = "" if contrast.p_value is None else f" p {contrast.p_value:.3g} that nothing differs;"
    sentences = [
        f"{spec}:{p} paired differences, whole documents changing their sign, with Tango's score "
        f"test of a fall by the margin at a level of {LEVEL:.0%}.",
        "Other metrics are corrected for one another by the greatest statistic of all.",
    ]
    if contrast.icc is not None:
        weight = float(test.resemblance.weight)
        sentences.append(
            f"Questions on one document correlate by {contrast.icc:.2f}: estimated with a weight "
            f"of {weight:.0%}, else taken to be {PRIOR_ICC:g}; {contrast.n} questions are as "
            f"certain as {float(test.resemblance.size):.0f} independent ones."
        )
    return tuple(sentences)
