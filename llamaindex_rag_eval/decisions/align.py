"""Alignment: from people's labels to a judge that agrees with them better.

    aligned = align(run, read_labels("labels.jsonl"), judge=judge)
    aligned.alignment.write("judge.toml")

Three changes are proposed, in this order: another threshold; labelled misses as examples, of which
the nearest go with each case; house rules, which the model distils from the reasons. Each is
cross-validated, and accepted only if the interval of the rise in agreement lies above 0.
"""

import asyncio
import difflib
import hashlib
import json
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from llamaindex_rag_eval import errors
from llamaindex_rag_eval._sync import synced
from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.decisions.agreement import FOLDS
from llamaindex_rag_eval.decisions.calibration import labels_of, matched_labels
from llamaindex_rag_eval.decisions.cross_validation import (
    CrossValidation,
    Labelled,
    Proposal,
    Scores,
    labelled_in,
)
from llamaindex_rag_eval.decisions.labels import HumanLabel
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.judge.aligned_prompt import NEAREST, AlignedPrompt, LabelledCase
from llamaindex_rag_eval.judge.alignment import Alignment, answerer_in
from llamaindex_rag_eval.judge.answer_verdict import SCORES
from llamaindex_rag_eval.judge.house_rules import HouseRulesOf, ReasonedLabel
from llamaindex_rag_eval.judge.prompts import prompts_by, with_prompts
from llamaindex_rag_eval.metrics.base import BaseMetric
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.models import Oracle, Prompt, Usage
from llamaindex_rag_eval.models.dry_run import dry_run_of
from llamaindex_rag_eval.models.prompt import as_input
from llamaindex_rag_eval.models.request import ReplyT, Request
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.replies import keeping_replies
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.interval import Estimate

LEVEL = 0.9
"""Of the interval of a rise: one change in twenty that is worth nothing is accepted."""

LONGEST_CASE = 4000
"""Characters of a labelled case: three longer ones would leave little room for what is judged."""


@dataclass(frozen=True, slots=True)
class Aligned(JsonFields):
    """What came of aligning a judge.

    Attributes:
        alignment: The judge; `None` if no change was taken.
        before: The share of labels that it agreed with before, in [0, 1].
        proposals: The changes, in the order in which they were tried.
        diff: What accepted rules change in the prompt.
    """

    _json = "alignment before proposals diff"

    alignment: Alignment | None
    before: Estimate
    proposals: tuple[Proposal, ...]
    diff: str


@dataclass(frozen=True)
class Fit:
    """How far a judge is fitted.

    Attributes:
        threshold: From which score on an answer passes.
        thresholds: The same for each fold, fitted to the others.
        agreement: 1 for each measured sample on which judge and people agree, else 0.
        proposals: What was tried.
        cases: The labelled cases that were accepted.
        rules: The house rules that were accepted, and taken.
        diff: What accepted rules change in the prompt.
    """

    threshold: float
    thresholds: tuple[float, ...]
    agreement: Sequence[float]
    proposals: tuple[Proposal, ...] = ()
    cases: tuple[LabelledCase, ...] = ()
    rules: tuple[str, ...] = ()
    diff: str = ""

    def after(self, proposal: Proposal, **changes: Any) -> "Fit":
        """Return this with a proposal, and with its changes if it is accepted."""
        accepted = changes if proposal.accepted else {}
        return replace(self, proposals=(*self.proposals, proposal), **accepted)


async def aalign(
    run: Run,
    labels: Sequence[HumanLabel],
    *,
    metric: str = "answer_verdict",
    judge: Judge | None = None,
    take_rules: bool = False,
    level: float = LEVEL,
    seed: int = 0,
    usage: Usage | None = None,
) -> Aligned:
    """Fit a judge to people's labels of the answers of a run.

    A label is a yes of people from the metric's default threshold on: of `answer_verdict`, if they
    say right.

    Args:
        run: The answers, with the scores of the metric.
        labels: See `read_labels`; at least 20 drawn at random. Others teach, and measure nothing.
        metric: What was labelled; higher is better.
        judge: An LLM, which is asked. Without one, the threshold alone is fitted, to the run.
        take_rules: Whether house rules that are accepted are taken; read `diff` before.
        level: Of the intervals, in (0, 1).
        seed: The same seed gives the same folds.
        usage: Counts what would be asked at most; nothing is asked then.

    Raises:
        InputError: The metric cannot be aligned, or the labels are too few.
        PendingError: Replies are asked for in batch files and not there yet.
    """
    info, measured = _metric(run, metric)
    kind, recorded = measured.requests[-1], run.values(metric)
    own = [x for x in labels_of(info, matched_labels(run, labels)[0]) if x.sample_id in recorded]
    cut = measured.default_threshold
    cut = sum(info.bounds) / 2 if cut is None else cut
    validation = CrossValidation(labelled_in(run, own, seed), cut, level)
    threshold = cut if info.threshold is None else info.threshold
    fingerprint = "" if judge is None else judge.oracle.fingerprint(kind)
    who = answerer_in(fingerprint)
    if judge is None or not who[0].startswith("llm/"):
        who = _answerer(run, metric, kind)
        start, fit = _by_threshold(validation, recorded, threshold)
    elif judge.alignment is not None:
        raise errors.InputError("the judge is aligned already; expected the plain one")
    else:
        asking = Asking(measured, kind, judge, validation, usage)
        async with keeping_replies([measured.replace_judge(judge)], None):
            plain = await asking.scores([asking.aligned((), ())] * FOLDS)
            start, fit = _by_threshold(validation, plain, threshold)
            fit = await _by_prompt(asking, fit, plain, take_rules=take_rules)
    before, after = (validation.mean(each.agreement) for each in (start, fit))
    new = {"rules": fit.rules, "examples": fit.cases}
    new |= {"threshold": fit.threshold} if fit.threshold != threshold else {}
    alignment = Alignment(
        metric=metric,
        judgement=kind.__name__,
        judge=who[0],
        prompt=who[1],
        labels=len(validation.labelled),
        digest=_digest(validation.labelled),
        before=_figures(before),
        after=_figures(after),
        **new,
    )
    return Aligned(alignment if any(new.values()) else None, before, fit.proposals, fit.diff)


align = synced(aalign)


def _metric(run: Run, metric: str) -> tuple[MetricInfo, BaseMetric]:
    info = next((entry for entry in run.metrics if entry.spec == metric), None)
    if info is None or info.direction != "higher":
        known = ", ".join(repr(entry.spec) for entry in run.metrics if entry.direction == "higher")
        raise errors.InputError(f"{metric!r} cannot be aligned; the run has {known or 'nothing'}")
    measured = metric_of(metric)
    if not measured.requests:
        raise errors.InputError(f"{metric!r} asks no judge of its own, and cannot be aligned")
    return info, measured


def _by_threshold(validation: CrossValidation, scores: Scores, own: float) -> tuple[Fit, Fit]:
    """Return the judge as it is, and with the threshold that agrees with most labels if it pays."""
    plain = validation.agreement(scores, [own] * FOLDS)
    fit = Fit(own, (own,) * FOLDS, plain)
    best = validation.best_threshold(scores, None, own)
    if best == own:
        note = f"{own:g} agrees with most labels already"
        return fit, fit.after(Proposal("threshold", False, note))
    thresholds = tuple(validation.best_threshold(scores, fold, own) for fold in range(FOLDS))
    agreement = validation.agreement(scores, thresholds)
    proposal = validation.proposal("threshold", f"{own:g} to {best:g}", plain, agreement)
    return fit, fit.after(proposal, agreement=agreement, threshold=best, thresholds=thresholds)


async def _by_prompt(asking: "Asking", fit: Fit, plain: Scores, *, take_rules: bool) -> Fit:
    """Return the judge with examples and with house rules in its prompt, if they pay.

    All that does not wait for one another is asked at once: of batch files it is one round.
    """
    validation = asking.validation
    misses = [asking.misses(plain, fold, at) for fold, at in enumerate(fit.thresholds)]
    cases = asking.misses(plain, None, fit.threshold)
    judges = [asking.aligned((), near) for near in misses]
    scores, *rules = await _all(
        [asking.scores(judges), *(asking.rules(plain, fold) for fold in (*range(FOLDS), None))]
    )
    proposal = Proposal("examples", False, "the judge agrees with every label")
    agreement = validation.agreement(scores, fit.thresholds)
    if cases:
        note = f"{len(cases)} labelled cases; the nearest {NEAREST} go with each case"
        proposal = validation.proposal("examples", note, fit.agreement, agreement)
    fit = fit.after(proposal, agreement=agreement, cases=cases)
    if not rules[-1]:
        reasons = any(entry.label.why for entry in validation.labelled)
        note = "the reasons show no rule" if reasons else "no label has a reason"
        return fit.after(Proposal("rules", False, note))
    shown = misses if fit.cases or asking.usage is not None else [()] * FOLDS
    judges = [asking.aligned(*both) for both in zip(rules, shown, strict=False)]
    agreement = validation.agreement(await asking.scores(judges), fit.thresholds)
    note = f"{len(rules[-1])} house rules"
    proposal = validation.proposal("rules", note, fit.agreement, agreement)
    if not take_rules:
        proposal = replace(proposal, note=f"{note}; read them, then take them by --take-rules")
        return replace(fit.after(proposal), diff=asking.diff(rules[-1]) * proposal.accepted)
    return fit.after(proposal, agreement=agreement, rules=rules[-1], diff=asking.diff(rules[-1]))


async def _all(work: Sequence[Coroutine[Any, Any, Any]]) -> list[Any]:
    """Return all results; what is pending is raised only after everything was asked."""
    results = await asyncio.gather(*work, return_exceptions=True)
    failures = [result for result in results if isinstance(result, BaseException)]
    for error in sorted(failures, key=lambda error: isinstance(error, errors.PendingError)):
        raise error
    return results


@dataclass(frozen=True)
class Asking:
    """A judge that is asked by several prompts, one for each fold.

    Attributes:
        metric: What is measured.
        kind: The judgement that decides it.
        judge: Who is asked.
        validation: The samples.
        usage: Counts what would be asked, in a dry run; `None` where it is asked.
        cases: Sample id -> what the judge was sent; filled by `scores`.
    """

    metric: BaseMetric
    kind: type[Request[Any]]
    judge: Judge
    validation: CrossValidation
    usage: Usage | None
    cases: dict[str, str] = field(default_factory=dict)

    @property
    def prompt(self) -> Prompt[Any, Any]:
        """The prompt as it is."""
        return prompts_by(self.judge, (self.kind,))[self.kind]

    def aligned(self, rules: Sequence[str], cases: Sequence[LabelledCase]) -> Judge:
        """Return the judge with these rules and labelled cases; in a dry run it only counts."""
        oracle: Oracle = self.judge.oracle
        if rules or cases:
            labels = len(self.validation.labelled)
            aligned = AlignedPrompt.of(self.prompt, rules=rules, cases=cases, labels=labels)
            oracle = with_prompts(oracle, {self.kind: aligned})
        return Judge(oracle if self.usage is None else dry_run_of(oracle, self.usage))

    async def scores(self, judges: Sequence[Judge]) -> Scores:
        """Return the scores of all samples, each by the judge of its fold."""
        entries = self.validation.labelled
        scores = await _all([self._score(entry, judges[entry.fold]) for entry in entries])
        return {entry.id: score for entry, score in zip(entries, scores, strict=True)}

    async def _score(self, entry: Labelled, judge: Judge) -> float | None:
        listening = _Listening(judge.oracle, self.kind)
        try:
            metric = self.metric.replace_judge(Judge(listening))
            return (await metric.score(entry.sample)).value
        except (errors.PendingError, errors.BudgetError, errors.EndpointError):
            raise
        except errors.OracleError:
            return None
        finally:
            for request in listening.requests[:1]:
                self.cases.setdefault(entry.id, as_input(request.to_prompt()))

    async def rules(self, scores: Scores, fold: int | None) -> tuple[str, ...]:
        """Return the house rules that the reasons outside of a fold show."""
        labels = tuple(
            ReasonedLabel(
                case=self.cases.get(entry.id, "")[:LONGEST_CASE],
                judge=self.word(scores[entry.id]),
                people=self.word(entry.label.value),
                why=entry.label.why,
            )
            for entry in self.validation.outside(fold)
            if entry.label.why
        )
        if not labels:
            return ()
        request = HouseRulesOf(instruction=self.prompt.instruction, labels=labels)
        return (await self.aligned((), ()).ask(request)).rules

    def misses(
        self, scores: Scores, fold: int | None, threshold: float
    ) -> tuple[LabelledCase, ...]:
        """Return the cases outside of a fold on which judge and people differ; in a dry run all."""
        return tuple(
            LabelledCase(case=case, people=self.word(entry.label.value), why=entry.label.why)
            for entry in self.validation.outside(fold)
            if self.usage is not None
            or not self.validation.agrees(entry, scores[entry.id], threshold)
            if 0 < len(case := self.cases.get(entry.id, "")) <= LONGEST_CASE
        )

    def diff(self, rules: Sequence[str]) -> str:
        """Return what rules change in the instruction, as a unified diff."""
        name, plain = self.prompt.name, self.prompt.instruction.strip().splitlines()
        ruled = AlignedPrompt.of(self.prompt, rules=rules).instruction.splitlines()
        lines = difflib.unified_diff(plain, ruled, name, f"{name}, aligned", lineterm="", n=1)
        return "\n".join(lines)

    def word(self, score: float | None) -> str:
        """Return what a model reads of a score: the nearest verdict, or a number with its range."""
        if score is None:
            return "no verdict"
        if self.metric.verdicts != tuple(SCORES):
            low, high = self.metric.bounds
            return f"{score:.2g} on a scale from {low:g} to {high:g}"
        nearest = min(SCORES.values(), key=lambda value: abs(score - value))
        return " or ".join(name for name, value in SCORES.items() if value == nearest)


class _Listening:
    """Leaves each request to another oracle, and remembers those of one kind."""

    def __init__(self, inner: Oracle, kind: type[Request[Any]]) -> None:
        self.inner, self.kind = inner, kind
        self.fingerprint, self.answers = inner.fingerprint, inner.answers
        self.requests: list[Request[Any]] = []

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        if isinstance(request, self.kind):
            self.requests.append(request)
        return await self.inner.ask(request)


def _answerer(run: Run, metric: str, kind: type[Request[Any]]) -> tuple[str, str]:
    """Return who judged a run, and the fingerprint of the prompt.

    Raises:
        InputError: It does not say, or several did.
    """
    judged = run.provenance.judged.get(metric, {}).get(kind.__name__, {})
    answerers = {answerer_in(who) for who in judged}
    if len(answerers) != 1:
        raise errors.InputError(f"the run does not name one judge of {metric!r}; give --llm")
    return answerers.pop()


def _digest(labelled: Sequence[Labelled]) -> str:
    rows = [[entry.id, entry.label.value, entry.label.why] for entry in labelled]
    return hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]


def _figures(estimate: Estimate) -> tuple[float, ...]:
    ends = (estimate.value, estimate.low, estimate.high)
    return tuple(round(end, 4) for end in ends if end is not None)
