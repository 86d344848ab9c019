"""Alignment: from people's labels to a judge that agrees with them better.

    aligned = align(run, read_labels("labels.jsonl"), judge=judge)
    aligned.alignment.write("judge.toml")

Three changes are proposed, in this order: another threshold; labelled misses as examples, of which
the nearest go with each case; house rules, which the model distils from the reasons. Each is
cross-validated, and accepted only if the interval of the rise in agreement lies above 0.
"""

import difflib
import hashlib
import json
from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from llamaindex_rag_eval import errors
from llamaindex_rag_eval._sync import synced
from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.decisions.calibration import labels_of, matched_labels
from llamaindex_rag_eval.decisions.folds import (
    FOLDS,
    CrossValidation,
    Labelled,
    Proposal,
    Scores,
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
from llamaindex_rag_eval.models import CachedOracle, Oracle, Prompt, Usage
from llamaindex_rag_eval.models.ask_ahead import gather_all
from llamaindex_rag_eval.models.dry_run import dry_run_of
from llamaindex_rag_eval.models.prompt import as_input
from llamaindex_rag_eval.models.request import ReplyT, Request
from llamaindex_rag_eval.runs.replies import keeping_replies
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.interval import Estimate

EACH = (*range(FOLDS), None)
"""The folds that a judge is not fitted to: each in turn, then none."""

LONGEST_CASE = 4000
"""Characters of a labelled case: three longer ones would leave little room for what is judged."""


@dataclass(frozen=True)
class Aligned(JsonFields):
    """What came of aligning a judge.

    Attributes:
        alignment: The judge; it has no `changes` if none was taken.
        before: The share of labels that it agreed with before, in [0, 1].
        thresholds: From which score on an answer passes: fitted to the other folds of each, and to
            all of them.
        agreement: 1 for each measured sample on which judge and people agree, else 0.
        proposals: The changes, in the order in which they were tried.
        diff: What accepted rules change in the prompt.
    """

    _json = "alignment before proposals diff"

    alignment: Alignment
    before: Estimate
    thresholds: tuple[float, ...]
    agreement: Sequence[float]
    proposals: tuple[Proposal, ...] = ()
    diff: str = ""

    def after(self, proposal: Proposal, **changes: Any) -> "Aligned":
        """Return this with a proposal, and with its changes if it is accepted."""
        accepted = changes if proposal.accepted else {}
        return replace(self, proposals=(*self.proposals, proposal), **accepted)

    def fitted(self, proposal: Proposal, **changes: Any) -> Alignment:
        """Return the judge with the changes of a proposal."""
        after = (proposal.agreement or self.before).text()
        return self.alignment.model_copy(update={**changes, "after": after})


async def aalign(
    run: Run,
    labels: Sequence[HumanLabel],
    *,
    metric: str = "answer_verdict",
    judge: Judge | None = None,
    take_rules: bool = False,
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
        usage: Counts what would be asked at most; nothing is asked then.

    Raises:
        InputError: The metric cannot be aligned, or the labels are too few.
        PendingError: Replies are asked for in batch files and not there yet.
    """
    info = next((entry for entry in run.metrics if entry.spec == metric), None)
    measured = metric_of(metric)
    cut, recorded = measured.default_threshold, run.values(metric)
    if info is None or info.direction != "higher" or not measured.requests or cut is None:
        needed = "a metric of the run that asks a judge, and of which higher is better"
        raise errors.InputError(f"{metric!r} cannot be aligned; expected {needed}")
    if judge is not None and judge.alignment is not None:
        raise errors.InputError("the judge is aligned already; expected the plain one")
    own = [x for x in labels_of(info, matched_labels(run, labels)[0]) if x.sample_id in recorded]
    validation = CrossValidation.of(run, own, cut)
    threshold = cut if info.threshold is None else info.threshold
    kind = measured.requests[-1]
    who = answerer_in("" if judge is None else judge.oracle.fingerprint(kind))
    if judge is None or not who[0].startswith("llm/"):
        plain = _plain(metric, kind.__name__, _answerer(run, metric, kind), validation.labelled)
        return _by_threshold(plain, validation, recorded, threshold)
    plain = _plain(metric, kind.__name__, who, validation.labelled)
    asking = Asking(measured, kind, judge, validation, usage)
    async with keeping_replies([measured.replace_judge(judge)], None):
        scores = await asking.scores([asking.aligned((), ())] * FOLDS)
        fit = _by_threshold(plain, validation, scores, threshold)
        return await _by_prompt(asking, fit, scores, take_rules=take_rules)


align = synced(aalign)


def _plain(metric: str, kind: str, who: tuple[str, str], own: Sequence[Labelled]) -> Alignment:
    """Return the judge as it is, and what stands for the labels."""
    rows = [[entry.sample.id, entry.label.value, entry.label.why] for entry in own]
    digest = hashlib.sha256(json.dumps(rows).encode()).hexdigest()[:16]
    names = {"metric": metric, "judgement": kind, "judge": who[0], "prompt": who[1]}
    return Alignment.model_validate({**names, "labels": len(own), "digest": digest})


def _by_threshold(plain: Alignment, folds: CrossValidation, scores: Scores, own: float) -> Aligned:
    """Return the judge with the threshold that agrees with most labels, if that pays."""
    agreement = folds.agreement(scores, [own] * FOLDS)
    before = folds.mean(agreement)
    plain = plain.model_copy(update={"before": before.text()})
    fit = Aligned(plain, before, (own,) * len(EACH), agreement)
    thresholds = tuple(folds.best_threshold(scores, fold, own) for fold in EACH)
    best = thresholds[-1]
    if best == own:
        return fit.after(Proposal("threshold", False, f"{own:g} agrees with most labels already"))
    agreement = folds.agreement(scores, thresholds)
    proposal = folds.proposal("threshold", f"{own:g} to {best:g}", fit.agreement, agreement)
    alignment = fit.fitted(proposal, threshold=best)
    return fit.after(proposal, agreement=agreement, thresholds=thresholds, alignment=alignment)


async def _by_prompt(asking: "Asking", fit: Aligned, plain: Scores, *, take_rules: bool) -> Aligned:
    """Return the judge with examples and with house rules in its prompt, if they pay.

    All that does not wait for one another is asked at once: of batch files it is one round. Where
    a judge without a miss would show no rise, nothing is asked.
    """
    validation, start = asking.validation, fit.agreement
    misses = [asking.misses(plain, *each) for each in zip(EACH, fit.thresholds, strict=True)]
    if asking.usage is None and not validation.proposal("", "", start, [1.0] * len(start)).accepted:
        few = f"{start.count(0.0)} misses in {len(start)} labels are too few to show a rise"
        return fit.after(Proposal("examples", False, few)).after(Proposal("rules", False, few))
    judges = [asking.aligned((), near) for near in misses]
    by_rules = [asking.rules(plain, fold) for fold in EACH]
    work: list[Awaitable[Any]] = [asking.scores(judges), *by_rules]
    scores, *rules = await gather_all(*work)
    agreement = validation.agreement(scores, fit.thresholds)
    note = f"{len(misses[-1])} labelled cases; the nearest {NEAREST} go with each case"
    proposal = validation.proposal("examples", note, start, agreement)
    alignment = fit.fitted(proposal, examples=misses[-1])
    fit = fit.after(proposal, agreement=agreement, alignment=alignment)
    if not rules[-1]:
        return fit.after(Proposal("rules", False, "the reasons of the labels show none"))
    near = misses if fit.alignment.examples or asking.usage is not None else [()] * len(EACH)
    judges = [asking.aligned(*both) for both in zip(rules, near, strict=True)]
    agreement = validation.agreement(await asking.scores(judges), fit.thresholds)
    note = f"{len(rules[-1])} house rules{'' if take_rules else '; --take-rules takes them'}"
    proposal = validation.proposal("rules", note, fit.agreement, agreement)
    fit = fit.after(proposal, diff=asking.diff(rules[-1]))
    if not (proposal.accepted and take_rules):
        return fit
    return replace(fit, agreement=agreement, alignment=fit.fitted(proposal, rules=rules[-1]))


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
            count = len(self.validation.labelled)
            aligned = AlignedPrompt.of(self.prompt, rules=rules, cases=cases, labels=count)
            oracle = with_prompts(oracle, {self.kind: aligned})
        return Judge(oracle if self.usage is None else dry_run_of(oracle, self.usage))

    async def scores(self, judges: Sequence[Judge]) -> Scores:
        """Return the scores of all samples, each by the judge of its fold."""
        entries = self.validation.labelled
        scores = await gather_all(*(self._score(entry, judges[entry.fold]) for entry in entries))
        return {entry.sample.id: score for entry, score in zip(entries, scores, strict=True)}

    async def _score(self, entry: Labelled, judge: Judge) -> float | None:
        listening = _Listening(judge.oracle)
        try:
            metric = self.metric.replace_judge(Judge(listening))
            return (await metric.score(entry.sample)).value
        except errors.ReplyError:
            return None
        finally:
            for request in listening.requests:
                if isinstance(request, self.kind):
                    self.cases.setdefault(entry.sample.id, as_input(request.to_prompt()))

    async def rules(self, scores: Scores, fold: int | None) -> tuple[str, ...]:
        """Return the house rules that the reasons outside of a fold show."""
        labels = tuple(
            ReasonedLabel(
                case=self.cases.get(entry.sample.id, "")[:LONGEST_CASE],
                judge=self.word(score),
                people=self.word(entry.label.value),
                why=entry.label.why,
            )
            for entry in self.validation.outside(fold)
            if entry.label.why and (score := scores[entry.sample.id]) is not None
        )
        if not labels:
            return ()
        request = HouseRulesOf(instruction=self.prompt.instruction, labels=labels)
        return (await self.aligned((), ()).ask(request)).rules

    def misses(self, scores: Scores, fold: int | None, at: float) -> tuple[LabelledCase, ...]:
        """Return the cases outside of a fold on which judge and people differ; in a dry run all."""
        return tuple(
            LabelledCase(case=case, people=self.word(entry.label.value), why=entry.label.why)
            for entry in self.validation.outside(fold)
            if self.usage is not None
            or not self.validation.agrees(entry, scores[entry.sample.id], at)
            if 0 < len(case := self.cases.get(entry.sample.id, "")) <= LONGEST_CASE
        )

    def diff(self, rules: Sequence[str]) -> str:
        """Return what rules change in the instruction, as a unified diff."""
        plain = self.prompt.instruction.strip().splitlines()
        ruled = AlignedPrompt.of(self.prompt, rules=rules).instruction.splitlines()
        return "\n".join(difflib.unified_diff(plain, ruled, "now", "aligned", lineterm="", n=1))

    def word(self, score: float) -> str:
        """Return what a model reads of a score: the nearest verdict, or a number with its range."""
        if self.metric.verdicts != tuple(SCORES):
            low, high = self.metric.bounds
            return f"{score:.2g} on a scale from {low:g} to {high:g}"
        nearest = min(SCORES.values(), key=lambda value: abs(value - score))
        return " or ".join(name for name, value in SCORES.items() if value == nearest)


class _Listening(CachedOracle):
    """Answers as another oracle, and remembers what it was asked."""

    requests: tuple[Request[Any], ...] = ()

    async def ask(self, request: Request[ReplyT]) -> ReplyT:
        self.requests += (request,)
        return await super().ask(request)


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
