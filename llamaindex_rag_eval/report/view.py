"""The view model of a report: what its page shows of a run, or of runs compared, as plain values.

A `View` names the runs and pairs; `ScoreRow` is a metric's line, `SliceRow` the questions of one
kind, `DiagnosisRow` one of the reasons for which answers fail.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

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
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.summary import MetricSummary

MEANINGS: Mapping[str, str] = {
    "correct": "nothing went wrong",
    "retrieval_miss": "what the right answer says was not retrieved",
    "retrieval_noise": "the answer took something wrong from an irrelevant context",
    "contradiction": "the answer says the opposite of a context",
    "hallucination": "the answer says what no context says",
    "generation_miss": "it was retrieved, and the answer does not say it",
    "refusal": "the pipeline refused to answer",
}
"""What each finding of the metric `diagnosis` means, in the order of the pipeline's steps."""


@dataclass(frozen=True, slots=True)
class View:
    """What a report shows.

    Attributes:
        runs: The baseline first, if there is one.
        names: The name of each run.
        metrics: In the order of the first run.
        pairs: The baseline with each other run; none for a run alone.
        questions: How many questions the scores are about.
        verdict: In sentences; none for a run alone.
        notes: What a reader must know about the questions.
        clusters: What is not independent.
    """

    runs: tuple[Run, ...]
    names: tuple[str, ...]
    metrics: tuple[MetricInfo, ...]
    pairs: tuple[Comparison, ...]
    questions: int
    verdict: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    clusters: Clustering = "documents"


def view_of(about: Run | Comparison | Comparisons, clusters: Clustering = "documents") -> View:
    """Return the view of a run, of two compared, or of several against a baseline.

    Args:
        about: What to show.
        clusters: What is not independent in a run; runs compared have said so already.
    """
    if isinstance(about, Run):
        names, notes = (about.name or "Run",), about.cluster_notes(clusters)
        return View((about,), names, about.metrics, (), len(about), (), notes, clusters)
    if isinstance(about, Comparisons) and len(about.pairs) == 1:
        about = about.pairs[0]
    if isinstance(about, Comparison):
        pairing = about.pairing
        runs, metrics, count = (pairing.a, pairing.b), pairing.metrics, len(pairing.ids)
        how = about.clusters.how
        return View(runs, about.names, metrics, (about,), count, about.verdict, about.notes, how)
    return View(
        about.runs,
        about.names,
        about.metrics,
        about.pairs,
        about.questions,
        about.verdict,
        about.notes,
        about.clusters,
    )


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One metric's line of the table of scores.

    Attributes:
        metric: The metric.
        question: The question that it answers; empty for a metric that is not in the registry.
        summaries: One for each run; `None` for a run that lacks the metric.
        values: The scores of each run.
        scale: Of its figures.
        contrasts: The difference of each further run from the first; `None` for a run that lacks
            the metric.
    """

    metric: MetricInfo
    question: str
    summaries: tuple[MetricSummary | None, ...]
    values: tuple[tuple[float, ...], ...]
    scale: Scale
    contrasts: tuple[Contrast | None, ...] = ()

    @property
    def contrast(self) -> Contrast | None:
        """The difference if two runs are compared, else `None`."""
        return self.contrasts[0] if len(self.contrasts) == 1 else None


def score_rows(
    runs: Sequence[Run],
    metrics: Sequence[MetricInfo],
    pairs: Sequence[Comparison] = (),
    clusters: Clustering = "documents",
) -> tuple[ScoreRow, ...]:
    """Return a line for each metric."""
    summaries = [{one.metric.spec: one for one in run.summary(clusters)} for run in runs]
    return tuple(
        _score_row(info, [found.get(info.spec) for found in summaries], runs, pairs)
        for info in metrics
    )


def difference_scale(contrasts: Sequence[Contrast]) -> Scale:
    """Return one scale around 0 for all differences and intervals, so that figures compare."""
    return signed_scale([end for contrast in contrasts for end in contrast.estimate.ends])


def _score_row(
    info: MetricInfo,
    summaries: Sequence[MetricSummary | None],
    runs: Sequence[Run],
    pairs: Sequence[Comparison],
) -> ScoreRow:
    values = tuple(tuple(run.values(info.spec).values()) for run in runs)
    return ScoreRow(
        metric=info,
        question=_metric_question(info.spec),
        summaries=tuple(summaries),
        values=values,
        scale=scale_of((value for of_run in values for value in of_run), info.bounds),
        contrasts=tuple(pair.contrast(info.spec) for pair in pairs),
    )


def _metric_question(spec: str) -> str:
    try:
        return metric_page(parse_spec(spec)[0]).question
    except InputError:  # not in the registry
        return ""


@dataclass(frozen=True, slots=True)
class SliceRow:
    """The questions with one value of one key of their metadata.

    Attributes:
        key: The key.
        value: Its value, as text.
        n: Questions that have it.
        means: One for each metric, over those with a score; `None` where there is none.
    """

    key: str
    value: str
    n: int
    means: tuple[float | None, ...]


def slice_rows(run: Run, metrics: Sequence[MetricInfo]) -> tuple[SliceRow, ...]:
    """Return the means of a run over each kind of question that it has."""
    scores = [run.values(info.spec) for info in metrics]
    return tuple(
        SliceRow(
            key=key,
            value=value,
            n=len(ids),
            means=tuple(_mean([known[i] for i in ids if i in known]) for known in scores),
        )
        for key, value, ids in question_slices(run.samples)
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None


@dataclass(frozen=True, slots=True)
class DiagnosisRow:
    """How often each run has one finding of the metric `diagnosis`.

    Attributes:
        finding: As the metric names it.
        meaning: The same in words.
        counts: Questions, for each run.
        shares: Of the questions that were diagnosed, in [0, 1]; 0 where none was.
    """

    finding: str
    meaning: str
    counts: tuple[int, ...]
    shares: tuple[float, ...]


def diagnosis_rows(runs: Sequence[Run]) -> tuple[DiagnosisRow, ...]:
    """Return a row for each finding that any run has; none if no run was diagnosed."""
    counted = [Counter(_findings(run)) for run in runs]
    totals = [sum(counts.values()) for counts in counted]
    return tuple(
        DiagnosisRow(
            finding=finding,
            meaning=meaning,
            counts=tuple(counts[finding] for counts in counted),
            shares=tuple(
                counts[finding] / total if total else 0.0
                for counts, total in zip(counted, totals, strict=True)
            ),
        )
        for finding, meaning in MEANINGS.items()
        if any(counts[finding] for counts in counted)
    )


def _findings(run: Run) -> list[str]:
    scored = [result.evidence for result in run.of("diagnosis") if result.status == "scored"]
    named = [entry.get("diagnosis") for entry in scored if isinstance(entry, Mapping)]
    return [name for name in named if isinstance(name, str) and name in MEANINGS]
