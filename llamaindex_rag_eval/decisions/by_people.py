"""By people: means and differences of runs, corrected by people's labels.

    for entry in by_people({"main": a, "new": b}, labels, clusters, ids):
        print(*entry.sentences)

The means are those of prediction-powered inference (`stats/ppi.py`), which takes the judge's bias
out. The difference is that of both means over the same questions: what their labels and scores
share cancels. Intervals have 95 %, each by itself. No decision reads any of it.

Labels must be a random choice of the answers. Those of an earlier run still count where an answer
is the same, and then answers that did not change have too many. Where the other run is that earlier
one, each label therefore stands for as many answers as it does among those that are the same in
both runs, or among the others; else nothing is corrected.
"""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from pydantic import JsonValue

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.decisions.calibration import digest_of, labels_of, matched_labels
from llamaindex_rag_eval.decisions.labels import OVERALL, HumanLabel, read_labels
from llamaindex_rag_eval.runs.clusters import Clustering, SampleClusters
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.stats.interval import Estimate
from llamaindex_rag_eval.stats.ppi import FEWEST_LABELS, PPIMean, ppi_difference, ppi_mean

Labels = str | Path | Sequence[HumanLabel]
"""Labels by people, or the file that they are in."""

RUN_DIGITS = 16
"""Of the fingerprint of a run's answers, in a file of labels."""

NO_LABEL = "No label is about an answer and a metric that is compared."


@dataclass(frozen=True, slots=True)
class MeanByPeople(JsonFields):
    """The mean of a metric over the answers of one run, as people would score them.

    Attributes:
        run: The name of the run.
        judged: The judge's mean over the same questions.
        mean: The corrected mean; without a value where the labels allow none.
        note: Why nothing is corrected, or what to know of the judge; empty for nothing.
    """

    _json = "run judged value=mean.value low=mean.low high=mean.high labels=mean.n note"

    run: str
    judged: float
    mean: Estimate
    note: str = ""


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
    difference: Estimate | None = None

    @property
    def sentences(self) -> tuple[str, ...]:
        """The figures of the judge and by people, and what stands in their way."""
        spec, sentences = self.metric.spec, list[str]()
        for entry in self.means:
            if entry.mean.value is not None:
                ends = f"{entry.mean.low:.2f} to {entry.mean.high:.2f}"
                sentences.append(
                    f"{spec} of {entry.run} {entry.judged:.2f}, by people about "
                    f"{entry.mean.value:.2f} ({ends}), {entry.mean.n} labels."
                )
            if entry.note:
                sentences.append(f"{spec} of {entry.run}: {entry.note}.")
        if self.difference is not None and self.difference.value is not None:
            first, second = self.means
            ends = f"{self.difference.low:+.2f} to {self.difference.high:+.2f}"
            sentences.append(
                f"{spec}, {second.run} less {first.run}: {second.judged - first.judged:+.2f}, by "
                f"people about {self.difference.value:+.2f} ({ends})."
            )
        return tuple(sentences)


def people_sentences(entries: Sequence[ByPeople] | None) -> tuple[str, ...]:
    """Return what there is to say by people; nothing where no labels were passed (`None`)."""
    if entries is None:
        return ()
    return tuple(line for entry in entries for line in entry.sentences) or (NO_LABEL,)


def people_json(entries: Sequence[ByPeople] | None) -> dict[str, JsonValue]:
    """Return the key `by_people` with its entries; nothing where no labels were passed."""
    return {} if entries is None else {"by_people": [entry.as_json() for entry in entries]}


def labels_for(labels: Labels, runs: Sequence[Run]) -> tuple[HumanLabel, ...]:
    """Return labels, read from their file if it is named.

    Raises:
        DatasetError: The file cannot be read; see `read_labels`.
    """
    if isinstance(labels, str | Path):
        specs = dict.fromkeys(info.spec for run in runs for info in run.metrics)
        return read_labels(labels, metrics=[*specs])
    return tuple(labels)


def run_by_people(
    run: Run, labels: Labels | None, clusters: Clustering = "documents"
) -> tuple[ByPeople, ...] | None:
    """Return the metrics of one run that have labels, corrected by them; `None` without labels."""
    if labels is None:
        return None
    known = labels_for(labels, [run])
    return by_people({run.name or "Run": run}, known, run.clusters(clusters), run.ids)


def by_people(
    runs: Mapping[str, Run],
    labels: Sequence[HumanLabel],
    clusters: SampleClusters,
    ids: Sequence[str],
) -> tuple[ByPeople, ...]:
    """Return the metrics of a run, or of two, that have labels, corrected by them.

    Args:
        runs: One run or two by name, the baseline first.
        labels: As `calibrate` takes them; overall ones count for metrics that read answers.
        clusters: Of the questions.
        ids: The questions.
    """
    entries = []
    for info in next(iter(runs.values())).metrics:
        reads = info.direction != "neither" and (not info.needs or "response" in info.needs)
        own = [x for x in labels if x.metric == info.spec or (reads and x.metric == OVERALL)]
        scores = [run.values(info.spec) for run in runs.values()]
        shared = [key for key in ids if all(key in of_run for of_run in scores)]
        known = {x.sample_id for x in own}
        if not known.intersection(shared) or not all(map(math.isfinite, info.bounds)):
            continue
        of_runs = zip(runs, scores, strict=True)
        means = [
            _mean(info, runs, name, {key: of_run[key] for key in shared}, own, clusters)
            for name, of_run in of_runs
        ]
        corrected = [entry.mean for entry in means if isinstance(entry.mean, PPIMean)]
        both = len(corrected) == 2
        difference = ppi_difference(*corrected, bounds=info.bounds) if both else None
        entries.append(ByPeople(info, tuple(means), difference))
    return tuple(entries)


def _mean(
    info: MetricInfo,
    runs: Mapping[str, Run],
    name: str,
    scores: Mapping[str, float],
    labels: Sequence[HumanLabel],
    clusters: SampleClusters,
) -> MeanByPeople:
    run, judged = runs[name], fmean(scores.values())
    others = [run_ for key, run_ in runs.items() if key != name]
    typical = [x for x in labels if x.chosen == "random" and x.sample_id in scores]
    matched, unmatched = matched_labels(run, typical)
    own = {label.sample_id: label for label in labels_of(info, matched)}
    if len(own) < FEWEST_LABELS:
        why = (
            f"not corrected by people, it has {len(own)} labels drawn at random, and "
            f"{FEWEST_LABELS} are needed"
        )
        return MeanByPeople(name, judged, Estimate(None, n=len(own)), why)
    weights = _weights(run, others, scores, own, [x for x in unmatched if x.sample_id not in own])
    unlabelled = [key for key in scores if key not in own]
    mean = weights and ppi_mean(
        [label.value for label in own.values()],
        [scores[key] for key in own],
        [scores[key] for key in unlabelled],
        bounds=info.bounds,
        clusters=clusters.of([*own, *unlabelled]),
        weights=weights,
    )
    if not mean or mean.low is None:
        why = (
            "not corrected by people, its labels are no random choice of its answers: some were "
            "given to other answers to these questions; label more of its own"
            if not mean
            else "not corrected by people, its labels are all on one document"
        )
        return MeanByPeople(name, judged, Estimate(None, n=len(own)), why)
    now = judged_by(run, info.spec)
    before = sorted({x.judged for x in own.values() if x.judged} - {now})
    note = (
        f"its labels were given when {' or '.join(before)} judged, now {now} does; the corrected "
        "mean holds, agreement that was measured then does not"
    )
    return MeanByPeople(name, judged, mean, note if before and now else "")


def _weights(
    run: Run,
    others: Sequence[Run],
    scores: Mapping[str, float],
    own: Mapping[str, HumanLabel],
    elsewhere: Sequence[HumanLabel],
) -> list[float] | None:
    """Return for how many answers each label stands; `None` where they are no random choice."""
    if not elsewhere or all(x.run == run_digest(run) != "" for x in own.values()):
        return [1.0] * len(own)
    answers, *of_others = ({x.id: digest_of(x) for x in r.samples} for r in (run, *others))
    if not of_others or any(x.answer != of_others[0].get(x.sample_id) for x in elsewhere):
        return None
    same = {key: answers[key] == of_others[0].get(key) for key in scores}
    drawn, every = Counter(same[key] for key in own), Counter(same.values())
    if len(drawn) < len(every):
        return None
    return [every[same[key]] / drawn[same[key]] for key in own]


def run_digest(run: Run) -> str:
    """Return what stands for the answers of a run in a file of labels."""
    return run.provenance.dataset[:RUN_DIGITS]


def judged_by(run: Run, metric: str) -> str:
    """Return who judged a metric of a run, as fingerprints; empty if nobody did."""
    judged = run.provenance.judged.get(metric, {})
    return ", ".join(sorted({who for counts in judged.values() for who in counts}))
