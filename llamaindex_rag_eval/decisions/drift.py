"""Drift: whether a judge still says what it said when people labelled its answers.

    again = ask_again(run, labels, judge=judge)
    for drift in judge_drift(run, again, labels):
        print(*drift.sentences)

Some labelled answers are judged anew, nothing is read from a cache. A changed model or prompt is
named; agreement with people has changed if the interval of its difference, paired by answer, does
not contain 0.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.decisions.calibration import judged_by, labels_of, matched_labels
from llamaindex_rag_eval.decisions.labels import HumanLabel
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge import JudgeLike, judge_of
from llamaindex_rag_eval.judge.answerers import judge_changes
from llamaindex_rag_eval.metrics.registry import metric_of
from llamaindex_rag_eval.runs.evaluate import evaluate
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.inference import mean_estimate
from llamaindex_rag_eval.stats.interval import Estimate
from llamaindex_rag_eval.stats.paired import paired_test

COUNT = 20
"""Answers that are judged anew: cheap, and enough to see a judge that turns a fifth of them."""


@dataclass(frozen=True, slots=True)
class Drift(JsonFields):
    """A judge that was asked again about labelled answers.

    Attributes:
        metric: The spec of the metric.
        changes: What of the judge is another, in words.
        flips: Answers that are now on the other side of the threshold.
        before: The share of answers on which judge and people agreed, in [0, 1].
        after: The same now.
        difference: `after - before`, in [-1, 1].
    """

    _json = "metric changes answers=before.n flips before after difference sentences"

    metric: str
    changes: tuple[str, ...]
    flips: int
    before: Estimate
    after: Estimate
    difference: Estimate

    @property
    def sentences(self) -> tuple[str, ...]:
        """What changed, and whether the judge agrees with people as it did."""
        changed = f"has changed: {'; '.join(self.changes)}" if self.changes else "is the same"
        ends = self.difference.interval
        shown = ends is not None and 0 not in ends
        figures = (each.text(".2f") for each in (self.before, self.after, self.difference))
        before, after, difference = figures
        return (
            f"{self.metric}: the judge {changed}.",
            f"{self.metric}: of {self.before.n} labelled answers that were judged again, "
            f"{self.flips} {'has' if self.flips == 1 else 'have'} another verdict.",
            f"{self.metric}: agreement with people {before} before, "
            f"{after} now; it {'has' if shown else 'is not shown to have'} changed "
            f"({difference}).",
        )


def ask_again(
    run: Run,
    labels: Sequence[HumanLabel],
    *,
    judge: JudgeLike | None = None,
    count: int = COUNT,
    seed: int = 0,
) -> Run:
    """Return a run of labelled answers that are judged anew, without a cache.

    Args:
        run: The answers, with the scores before.
        labels: See `read_labels`. Those drawn at random count.
        judge: Who judges now.
        count: How many answers; fewer if fewer are labelled.
        seed: The same seed draws the same answers.

    Raises:
        InputError: No label drawn at random is of an answer and a metric of the run that a judge
            scores.
    """
    own = _random(run, labels)
    specs = [info.spec for info in run.metrics if labels_of(info, own)]
    metrics = [metric_of(spec) for spec in specs if spec in run.provenance.judged]
    ids = dict.fromkeys(label.sample_id for label in own)
    drawn = sorted(ids, key=lambda key: hashlib.sha256(f"{seed}\n{key}".encode()).digest())
    samples = [sample for sample in run.samples if sample.id in drawn[:count]]
    if not samples or not metrics:
        raise InputError(
            "nothing can be judged again: expected labels drawn at random, of answers and metrics "
            "of the run that a judge scored"
        )
    fresh = judge_of(judge)
    fresh = fresh.over(fresh.oracle.inner)  # a reply from the cache would show no drift
    return evaluate(EvaluationDataset(samples), metrics=metrics, judge=fresh)


def judge_drift(run: Run, again: Run, labels: Sequence[HumanLabel]) -> tuple[Drift, ...]:
    """Return how far a judge has changed, for each metric with labels of answers scored again.

    Args:
        run: The answers, with the scores before.
        again: Some of the answers, judged again.
        labels: See `read_labels`. Those drawn at random count.
    """
    own, infos = _random(run, labels), {info.spec: info for info in again.metrics}
    drifts = []
    for info in run.metrics:
        old, new = run.values(info.spec), again.values(info.spec)
        people = [x for x in labels_of(info, own) if x.sample_id in old and x.sample_id in new]
        if not people:
            continue
        middle, right = sum(info.bounds) / 2, []
        for scores, judged in ((old, info), (new, infos[info.spec])):
            at = middle if judged.threshold is None else judged.threshold
            right.append([(scores[x.sample_id] >= at) == (x.value >= middle) for x in people])
        clusters = run.clusters().of(x.sample_id for x in people)
        gaps = [float(after) - before for before, after in zip(*right, strict=True)]
        ends = paired_test(gaps, clusters=clusters, width=1.0).interval()
        before, after = (
            mean_estimate(each, clusters=clusters, bounds=(0.0, 1.0)) for each in right
        )
        changes = judge_changes(judged_by(run, info.spec), judged_by(again, info.spec))
        flips, difference = len(gaps) - gaps.count(0), Estimate.of(fmean(gaps), ends)
        drifts.append(Drift(info.spec, changes, flips, before, after, difference))
    return tuple(drifts)


def _random(run: Run, labels: Iterable[HumanLabel]) -> list[HumanLabel]:
    return [label for label in matched_labels(run, [*labels])[0] if label.chosen == "random"]
