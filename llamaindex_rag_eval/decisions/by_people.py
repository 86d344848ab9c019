"""By people: means and differences of runs, corrected by people's labels.

    for entry in by_people({"main": a, "new": b}, labels, clusters, ids):
        print(*entry.sentences)

The means are those of prediction-powered inference (`stats/ppi.py`), which takes the judge's bias
out. The difference is that of both means over the same questions: what their labels and scores
share cancels. Intervals have 95 %, each by itself. The difference on the metric that decides is
what a comparison shows of it (`contrast.labelled`).

Labels must be a random choice of the answers. Those of an earlier run still count where an answer
is the same, and then answers that did not change have too many. Where the other run is that earlier
one, each label therefore stands for as many answers as it does among those that are the same in
both runs, or among the others; else nothing is corrected.
"""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean

from pydantic import JsonValue

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.decisions.calibration import (
    all_labelled,
    changes_since,
    corrected_mean,
    digest_of,
    drawn_at_random,
    judged_by,
    labels_of,
    matched_labels,
)
from llamaindex_rag_eval.decisions.labels import OVERALL, HumanLabel, read_labels
from llamaindex_rag_eval.runs.clusters import Clustering, SampleClusters
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.interval import Estimate
from llamaindex_rag_eval.stats.ppi import FEWEST_LABELS, PPIMean, ppi_difference

Labels = str | Path | Sequence[HumanLabel]
"""Labels by people, or the file that they are in."""

RUN_DIGITS = 16
"""Of the fingerprint of a run's answers, in a file of labels."""

NOT_RANDOM = (
    "its labels are no random choice of its answers: some are of other answers to these questions, "
    "or do not say of which"
)
NO_LABEL = "No label is about an answer and a metric that is compared."


@dataclass(frozen=True, slots=True)
class MeanByPeople(JsonFields):
    """The mean of a metric over the answers of one run, as people would score them.

    Attributes:
        run: The name of the run.
        judged: The judge's mean over the same questions.
        mean: The corrected mean; without a value where the labels allow none.
        note: Why nothing is corrected, or what to know of the judge; empty for nothing.
        labels: Question id -> label, in the unit of the metric; empty unless every answer has one.
    """

    _json = "run judged value=mean.value low=mean.low high=mean.high labels=mean.n note"

    run: str
    judged: float
    mean: Estimate
    note: str = ""
    labels: Mapping[str, float] = field(default_factory=dict, repr=False)


@dataclass(frozen=True, slots=True)
class ByPeople(JsonFields):
    """One metric of a run, or of two over the questions that both have a score for.

    Attributes:
        metric: The metric.
        means: One for each run, the baseline first.
        difference: The second mean less the first; `None` unless both are corrected.
    """

    _json = "metric=metric.spec means difference sentences"

    metric: MetricInfo
    means: tuple[MeanByPeople, ...]
    difference: PPIMean | None = None

    @property
    def labels(self) -> tuple[int, ...]:
        """How many labels the difference rests on, of each run; none without a difference."""
        known = self.difference is not None and self.difference.interval is not None
        return tuple(entry.mean.n for entry in self.means) if known else ()

    @property
    def sentences(self) -> tuple[str, ...]:
        """The means of the judge and by people, and what stands in their way."""
        spec, sentences = self.metric.spec, list[str]()
        for entry in self.means:
            if entry.mean.value is not None:
                sentences.append(
                    f"{spec} of {entry.run}: {entry.judged:.3f} by the judge, "
                    f"{entry.mean.text()} as people would score it, by {entry.mean.n} labels."
                )
            if entry.note:
                sentences.append(f"{spec} of {entry.run}: {entry.note}.")
        return tuple(sentences)


def people_sentences(entries: Sequence[ByPeople] | None) -> tuple[str, ...]:
    """Return what there is to say by people; nothing where no labels were passed (`None`)."""
    if entries is None:
        return ()
    return tuple(line for entry in entries for line in entry.sentences) or (NO_LABEL,)


def people_json(entries: Sequence[ByPeople] | None) -> dict[str, JsonValue]:
    """Return the key `by_people` with its entries; nothing where no labels were passed."""
    return {} if entries is None else {"by_people": [entry.as_json() for entry in entries]}


def run_by_people(
    run: Run, labels: Labels | None, how: Clustering = "documents"
) -> tuple[ByPeople, ...] | None:
    """Return the metrics of one run that have labels, corrected; `None` without labels."""
    named = {run.name or "Run": run}
    return by_people(named, labels, run.metrics, run.clusters(how), run.ids)


def by_people(
    runs: Mapping[str, Run],
    labels: Labels | None,
    metrics: Sequence[MetricInfo],
    clusters: SampleClusters,
    ids: Sequence[str],
) -> tuple[ByPeople, ...] | None:
    """Return the metrics of a run, or of two, that have labels, corrected; `None` without labels.

    Args:
        runs: One run or two by name, the baseline first.
        labels: As `calibrate` takes them, or their file; overall ones count for metrics that read
            answers.
        metrics: Those to look at.
        clusters: Of the questions.
        ids: The questions.

    Raises:
        DatasetError: The file cannot be read; see `read_labels`.
    """
    if labels is None:
        return None
    if isinstance(labels, str | Path):
        labels = read_labels(labels, metrics=[info.spec for info in metrics])
    entries = []
    for info in metrics:
        reads = info.direction != "neither" and (not info.needs or "response" in info.needs)
        own = [x for x in labels if x.metric == info.spec or (reads and x.metric == OVERALL)]
        values = [run.values(info.spec) for run in runs.values()]
        shared = [key for key in ids if all(key in scores for scores in values)]
        if {x.sample_id for x in own}.isdisjoint(shared) or not math.isfinite(sum(info.bounds)):
            continue
        means = tuple(_mean(info, runs, name, shared, own, clusters) for name in runs)
        known = [entry.mean for entry in means if isinstance(entry.mean, PPIMean)]
        both = ppi_difference(*known) if len(known) == 2 else None
        entries.append(ByPeople(info, means, both))
    return tuple(entries)


def _mean(
    info: MetricInfo,
    runs: Mapping[str, Run],
    name: str,
    ids: Sequence[str],
    labels: Sequence[HumanLabel],
    clusters: SampleClusters,
) -> MeanByPeople:
    run, scores = runs[name], runs[name].values(info.spec)
    judged = fmean(scores[key] for key in ids)
    partner = next((runs[key] for key in runs if key != name), run)
    answers, others = ({x.id: digest_of(x) for x in each.samples} for each in (run, partner))
    # A conversation has no digest of its own: nobody knows which of two a label is about.
    talks = {x.id for x in run.samples if not isinstance(x, SingleTurnSample)}
    same = {
        key: partner is run or (answers[key] == others[key] and key not in talks) for key in ids
    }
    known = [label for label in labels if label.sample_id in same]
    whole = all_labelled(same, matched_labels(run, known)[0])
    drawn = known if whole else drawn_at_random(known)
    matched = [
        label
        for label in matched_labels(run, drawn)[0]
        if same[label.sample_id] or (label.answer and label.sample_id not in talks)
    ]
    own = {label.sample_id: label for label in labels_of(info, matched)}
    elsewhere = [x for x in drawn if x.sample_id not in own]
    weights = dict.fromkeys(own, 1.0)
    if elsewhere and not all(x.run == run_digest(run) != "" for x in own.values()):
        weights = _weights(own, same, {x.answer != others[x.sample_id] for x in elsewhere})
    if len(own) < FEWEST_LABELS or not weights:
        few = f"it has {len(own)} labels drawn at random, and {FEWEST_LABELS} are needed"
        why = few if len(own) < FEWEST_LABELS else NOT_RANDOM
        note = f"not corrected by people, because {why}"
        return MeanByPeople(name, judged, Estimate(None, n=len(own)), note)
    people = {key: label.value for key, label in own.items()}
    shared = {key: scores[key] for key in ids}
    mean = corrected_mean(shared, people, info, clusters, weights=weights)
    now = judged_by(run, info.spec)
    changes = changes_since(own.values(), now)
    note = (
        f"its judge has changed since its labels were given ({'; '.join(changes)}): the corrected "
        "mean is valid, an agreement measured then is not"
    )
    every, note = people if people.keys() >= shared.keys() else {}, note if changes else ""
    return MeanByPeople(name, judged, mean or Estimate(None), note, every)


def _weights(
    own: Iterable[str], same: Mapping[str, bool], others: Collection[bool]
) -> dict[str, float]:
    """Return for how many answers each label stands; {} where they are no random choice.

    Args:
        own: The samples with a label.
        same: Whether the answer to each sample is the same in the other run.
        others: Whether labels of other answers to these questions are not of the other run's.
    """
    drawn, every = Counter(same[key] for key in own), Counter(same.values())
    if True in others or len(drawn) < len(every):
        return {}
    return {key: every[same[key]] / drawn[same[key]] for key in own}


def run_digest(run: Run) -> str:
    """Return what stands for the answers of a run in a file of labels."""
    return run.provenance.dataset[:RUN_DIGITS]
