"""The head of a report: what may be decided, and the figures and changes behind it."""

import math
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress

from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.decision import Decision, decide_pair
from llamaindex_rag_eval.decisions.policy import DEFAULT_POLICY, Policy
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.judge.answer_verdict import SCORES
from llamaindex_rag_eval.metrics.registry import metric_class
from llamaindex_rag_eval.metrics.spec import parse_spec
from llamaindex_rag_eval.report.figures import estimate_of, scale_of
from llamaindex_rag_eval.report.numbers import percent
from llamaindex_rag_eval.report.resources import resource_label
from llamaindex_rag_eval.report.view import Shown, View
from llamaindex_rag_eval.runs.clusters import Clustering
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.resources import (
    RESOURCES,
    UNBOUNDED,
    ResourceSummary,
    resource_text,
)
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.summary import MetricSummary
from llamaindex_rag_eval.stats.inference import mean_estimate
from llamaindex_rag_eval.stats.interval import Estimate

BY_PEOPLE = ("wrong or not attempted", "partly right", "right")
"""What labels of 0, a half and 1 say; one between them counts as the nearest, or the lower."""

MOST_ROWS = 5
"""Metrics that a figure shows; the table below it has all."""


def head_of(view: View, before: Run | None = None, policy: Policy = DEFAULT_POLICY) -> Shown:
    """Return the head of a report.

    Args:
        view: What the report shows.
        before: An earlier run of the same pipeline as the last run.
        policy: What is decided by.

    Returns:
        `decisions`, one for each pipeline beside the baseline, and one for a run alone; `panels` of
        answers, retrieval, latency and cost; what changed since the run before, as `change`, `None`
        where none is stored.
    """
    quality = quality_of(view.metrics)
    change, against = None, None
    if before:
        change, against = _change(before, view.runs[-1], view.clusters, policy)
    pairs = view.pairs or ((against,) if against else ())
    return {
        "decisions": [decide_pair(pair, policy) for pair in pairs] or [_undecided(view)],
        "panels": [_answers(view, quality), _retrieval(view), _taken(view)],
        "change": change,
    }


def _change(
    before: Run, run: Run, clusters: Clustering, policy: Policy
) -> tuple[Shown, Comparison | None]:
    """Return what changed from one run to a later one, and the comparison behind it, if any."""
    since = f"{before.name}, {before.provenance.started[:16].replace('T', ' ')}"
    try:
        comparison = Comparison.of(before.named(since), run, clusters=clusters).under(policy)
    except InputError as error:
        sentences: tuple[str, ...] = (f"Not comparable: {error}",)
        return {"since": since, "sentences": sentences, "contrasts": ()}, None
    sentences = (*comparison.verdict, *comparison.pairing.notes)
    shown = {"since": since, "sentences": sentences, "contrasts": comparison.contrasts}
    return shown, comparison


def _undecided(view: View) -> Decision:
    why = "There is nothing to compare it with: this report has no baseline and no earlier run."
    return Decision(view.names[0], "cannot tell", reasons=(why,))


def quality_of(metrics: Sequence[MetricInfo]) -> MetricInfo | None:
    """Return the metric that speaks for the quality of answers: one with verdicts, if any."""
    directed = [info for info in metrics if info.direction != "neither"]
    of_answers = [info for info in directed if "response" in info.needs]
    preferred = [info for info in directed if info.verdicts] or of_answers or directed
    return preferred[0] if preferred else None


def shown_run(view: View, quality: MetricInfo | None) -> int:
    """Return the number of the run whose answers are shown: of several, the best."""
    last = len(view.runs) - 1
    if quality is None or last < 2:
        return last
    sign = -1 if quality.direction == "lower" else 1
    means = [_mean(known.get(quality.spec)) for known in view.summaries[1:]]
    ranks = [sign * mean.value if mean and mean.value is not None else -math.inf for mean in means]
    return 1 + ranks.index(max(ranks))


def _panel(title: str, rows: Sequence[Shown], *notes: str) -> Shown:
    return {"title": title, "rows": rows, "notes": notes}


def _answers(view: View, quality: MetricInfo | None) -> Shown:
    labelled = any(entries is not None for entries in view.people)
    whose = " These are the judge's, not people's." if labelled else ""
    if quality is not None and quality.verdicts:
        people = view.labels(quality.spec)
        if len(people) == len(view.runs) and quality.verdicts == tuple(SCORES):
            verdicts = [
                {key: BY_PEOPLE[math.ceil(2 * label - 0.5)] for key, label in each.items()}
                for each in people
            ]
            note = "Shares by people, who labelled every answer."
            return _panel("Answers", _shares(view, BY_PEOPLE[::-1], verdicts), note)
        rows = [run.rows.of(quality.spec) for run in view.runs]
        verdicts = [{x.sample_id: x.verdict for x in each if x.score is not None} for each in rows]
        notes = (f"Shares by {quality.spec}.{whose}", *_lacking(view, quality.spec))
        return _panel("Answers", _shares(view, quality.verdicts, verdicts), *notes)
    of_answers = [info for info in view.metrics if "response" in info.needs]
    if not of_answers:
        return _panel("Answers", (), "Not measured: no metric here looks at answers.")
    note = f"Shares of right answers: add answer_verdict.{whose}"
    return _panel("Answers", _rows(view, of_answers), note)


def _shares(
    view: View, verdicts: Sequence[str], of_runs: Sequence[Mapping[str, str]]
) -> list[Shown]:
    """Return a line for each verdict: its share of the answers of each run.

    Args:
        view: What the report shows.
        verdicts: In the order of the lines.
        of_runs: Question id -> verdict, for each run.
    """

    def share(run: Run, known: Mapping[str, str], verdict: str) -> Estimate | None:
        values = [float(of_sample == verdict) for of_sample in known.values()]
        labels = run.clusters(view.clusters).of(known)
        return mean_estimate(values, clusters=labels, bounds=(0.0, 1.0)) if values else None

    runs = list(zip(view.runs, of_runs, strict=True))
    lines = {verdict: [share(*run, verdict) for run in runs] for verdict in verdicts}
    return [_row(v.replace("_", " "), line, (0.0, 1.0), percent) for v, line in lines.items()]


def _lacking(view: View, spec: str) -> list[str]:
    """Return how many answers have no score, which no share speaks of."""
    notes = []
    for run, name, known in zip(view.runs, view.names, view.summaries, strict=True):
        summary = known.get(spec)
        if summary is not None and summary.scored < len(run):
            lost = summary.failed + summary.missing
            notes.append(f"{name}: {summary.undefined} undefined, {lost} failed, in no share.")
    return notes


def _retrieval(view: View) -> Shown:
    rows = _rows(view, [info for info in view.metrics if _of_retrieval(info)])
    lacking = () if rows else ("Not measured: no metric here looks at retrieval.",)
    return _panel("Retrieval", rows, *lacking)


def _of_retrieval(info: MetricInfo) -> bool:
    fields = set(info.needs)
    with suppress(InputError):  # a metric that is not in the registry
        fields |= {
            field for way in metric_class(parse_spec(info.spec)[0]).needs_one_of for field in way
        }
    return "contexts" in fields and "response" not in fields


def _rows(view: View, metrics: Sequence[MetricInfo]) -> list[Shown]:
    return [
        _row(
            info.spec,
            [_mean(known.get(info.spec)) for known in view.summaries],
            info.bounds,
            "{:.2f}".format,
        )
        for info in metrics[:MOST_ROWS]
    ]


def _mean(summary: MetricSummary | ResourceSummary | None) -> Estimate | None:
    return None if summary is None or summary.mean is None else estimate_of(summary)


def _row(
    label: str,
    means: Sequence[Estimate | None],
    bounds: tuple[float, float],
    text: Callable[[float], str],
) -> Shown:
    """Return a line of a figure: an estimate for each run, `None` where it has none."""
    scale = scale_of((end for mean in means if mean for end in mean.ends), bounds)
    return {"label": label, "estimates": means, "scale": scale, "text": text}


def _taken(view: View) -> Shown:
    rows = []
    for name in RESOURCES:
        means = [_mean(known.get(name)) for known in view.resources]
        if any(means):
            rows.append(_row(resource_label(name), means, UNBOUNDED, resource_text))
    lacking = () if rows else ("Not known: these answers say neither their time nor their cost.",)
    return _panel("Latency and cost", rows, *lacking)
