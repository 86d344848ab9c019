"""The view model of a report: what its page shows of a run, or of runs compared, as plain values.

A `View` names the runs and pairs; rows of tables are names with values, as the templates read them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from llamaindex_rag_eval.decisions.by_people import ByPeople
from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.comparisons import Comparisons
from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.decisions.slices import question_slices
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.pages import metric_page
from llamaindex_rag_eval.metrics.spec import parse_spec
from llamaindex_rag_eval.report.figures import Scale, scale_of, signed_scale
from llamaindex_rag_eval.runs.clusters import Clustering
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.resources import ResourceSummary, resources_of
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.summary import MetricSummary

Shown = dict[str, Any]
"""What a template shows: names with values."""


@dataclass(frozen=True)
class View:
    """What a report shows.

    Attributes:
        runs: The baseline first, if there is one.
        names: The name of each run.
        metrics: In the order of the first run.
        pairs: The baseline with each other run; none for a run alone.
        questions: How many questions the scores are about.
        notes: What a reader must know about the questions.
        clusters: What is not independent.
        alone: What labels say of a run alone; `None` where none were passed.
    """

    runs: tuple[Run, ...]
    names: tuple[str, ...]
    metrics: tuple[MetricInfo, ...]
    pairs: tuple[Comparison, ...]
    questions: int
    notes: tuple[str, ...]
    clusters: Clustering
    alone: Sequence[ByPeople] | None = None

    @property
    def people(self) -> list[Sequence[ByPeople] | None]:
        """What labels say of each pair, or of a run alone; `None` where none were passed."""
        return [pair.by_people for pair in self.pairs] or [self.alone]

    def labels(self, spec: str) -> list[Mapping[str, float]]:
        """Return question id -> label for a metric, of each run in which every answer has one."""
        known = [{x.metric.spec: x.means for x in entries or ()} for entries in self.people]
        first, *_ = means = [entries.get(spec, ()) for entries in known]
        of_runs = (*first[:-1], *(mean for of_pair in means for mean in of_pair[-1:]))
        return [mean.labels for mean in of_runs if mean.labels]

    @cached_property
    def summaries(self) -> tuple[Mapping[str, MetricSummary], ...]:
        """The summaries of each run, by metric."""
        return tuple({s.metric.spec: s for s in run.summary(self.clusters)} for run in self.runs)

    @cached_property
    def resources(self) -> tuple[Mapping[str, ResourceSummary], ...]:
        """What the answers of each run take, by resource."""
        of_runs = (resources_of(run.samples, self.clusters) for run in self.runs)
        return tuple({summary.name: summary for summary in of_run} for of_run in of_runs)


def view_of(about: Run | Comparison | Comparisons, clusters: Clustering = "documents") -> View:
    """Return the view of a run, of a comparison, or of several runs against a baseline."""
    if isinstance(about, Run):
        names, notes = (about.name or "Run",), about.cluster_notes(clusters)
        return View((about,), names, about.metrics, (), len(about), notes, clusters)
    if isinstance(about, Comparison):
        pairing, how = about.pairing, about.clusters.how
        runs, count = (pairing.a, pairing.b), len(pairing.ids)
        return View(runs, about.names, pairing.metrics, (about,), count, about.notes, how)
    if len(about.pairs) == 1:
        return view_of(about.pairs[0])
    named = (about.runs, about.names, about.metrics, about.pairs, about.questions)
    return View(*named, about.notes, about.clusters)


def score_rows(view: View) -> list[Shown]:
    """Return a row for each metric: its summaries and scores of each run, and their contrasts."""
    rows = []
    for info in view.metrics:
        scores = [tuple(run.values(info.spec).values()) for run in view.runs]
        contrasts = [pair.contrast(info.spec) for pair in view.pairs]
        rows.append(
            {
                "metric": info,
                "question": metric_question(info.spec),
                "summaries": [known.get(info.spec) for known in view.summaries],
                "scores": scores,
                "scale": scale_of((value for of_run in scores for value in of_run), info.bounds),
                "contrasts": contrasts,
                "contrast": contrasts[0] if len(contrasts) == 1 else None,
            }
        )
    return rows


def difference_scale(contrasts: Sequence[Contrast]) -> Scale:
    """Return the scale of the intervals of differences, the same for all metrics."""
    return signed_scale([end for contrast in contrasts for end in contrast.estimate.ends])


def metric_question(spec: str) -> str:
    """Return what a metric asks; empty for a metric of the user's own."""
    try:
        return metric_page(parse_spec(spec)[0]).question
    except InputError:  # not in the registry
        return ""


def slice_rows(run: Run, metrics: Sequence[MetricInfo]) -> list[Shown]:
    """Return the mean of each metric over the questions of each kind that have a score."""
    by_metric = [run.values(info.spec) for info in metrics]
    rows = []
    for key, value, ids in question_slices(run.samples):
        scores = [[known[i] for i in ids if i in known] for known in by_metric]
        means = [sum(part) / len(part) if part else None for part in scores]
        rows.append({"key": key, "value": value, "n": len(ids), "means": means})
    return rows
