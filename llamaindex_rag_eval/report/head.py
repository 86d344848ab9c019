"""The head of a report: what may be decided, and the figures, answers and changes behind it."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from llamaindex_rag_eval.decisions.decision import Decision, decide
from llamaindex_rag_eval.decisions.margins import NO_MARGINS, Margins
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.registry import metric_class
from llamaindex_rag_eval.metrics.spec import parse_spec
from llamaindex_rag_eval.report.change import Change, change_between
from llamaindex_rag_eval.report.figures import (
    Plot,
    PlotPoint,
    Scale,
    estimate_of,
    plot_of,
    scale_of,
)
from llamaindex_rag_eval.report.numbers import percent
from llamaindex_rag_eval.report.view import View
from llamaindex_rag_eval.report.worst import WorstAnswer, worst_answers
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.resources import (
    RESOURCES,
    UNBOUNDED,
    ResourceSummary,
    resource_text,
    resources_of,
)
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.summary import MetricSummary
from llamaindex_rag_eval.stats.interval import Estimate

MOST_ROWS = 5
"""Metrics in a figure of the head; the table of scores has all."""

PRICES = ("cost", "latency", "tokens")
"""What quality is held against: the first that is known of every pipeline."""


@dataclass(frozen=True, slots=True)
class EstimateRow:
    """One line of a figure: an estimate for each run, with their scale and how they are written."""

    label: str
    estimates: tuple[Estimate | None, ...]
    scale: Scale
    text: Callable[[float], str]


@dataclass(frozen=True, slots=True)
class Panel:
    """One figure of the head: a title, its lines, and what a reader must know about it."""

    title: str
    rows: tuple[EstimateRow, ...]
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TradeOff:
    """Quality against a price, a dot for each pipeline."""

    metric: str
    price: str
    unit: str
    plot: Plot


@dataclass(frozen=True, slots=True)
class Head:
    """What a report begins with.

    Attributes:
        decisions: One for each pipeline beside the baseline; one for a run alone.
        panels: Answers, retrieval, latency and cost.
        trade_off: `None` where there is one run, or where no price is known of all.
        worst_of: The name of the run whose answers are shown.
        worst: Its worst answers.
        change: What changed since the run before; `None` where none is stored.
    """

    decisions: tuple[Decision, ...]
    panels: tuple[Panel, ...]
    trade_off: TradeOff | None
    worst_of: str
    worst: tuple[WorstAnswer, ...]
    change: Change | None


def head_of(view: View, before: Run | None = None, margins: Margins = NO_MARGINS) -> Head:
    """Return the head of a report.

    Args:
        view: What the report shows.
        before: An earlier run of the same pipeline as the last run.
        margins: The falls that a decision accepts.
    """
    quality = _quality(view.metrics)
    last = _shown_run(view, quality)
    change, against = (
        (None, None) if before is None else change_between(before, view.runs[-1], view.clusters)
    )
    pairs = view.pairs or ((against,) if against else ())
    return Head(
        decisions=tuple(decide(pair, margins) for pair in pairs) or (_undecided(view),),
        panels=(_answers(view, quality), _retrieval(view), _taken(view)),
        trade_off=_trade_off(view, quality),
        worst_of=view.names[view.runs.index(last)],
        worst=worst_answers(last, quality),
        change=change,
    )


def _undecided(view: View) -> Decision:
    why = "There is nothing to compare it with: no baseline is in this report, and no earlier run."
    return Decision(view.names[0], "cannot tell yet", reasons=(why,))


def _quality(metrics: Sequence[MetricInfo]) -> MetricInfo | None:
    """Return the metric that speaks for the quality of answers: one with verdicts, if any."""
    directed = [info for info in metrics if info.direction != "neither"]
    of_answers = [info for info in directed if "response" in info.needs]
    preferred = [info for info in directed if info.verdicts] or of_answers or directed
    return preferred[0] if preferred else None


def _shown_run(view: View, quality: MetricInfo | None) -> Run:
    """Return the run whose answers are shown: of several against a baseline, the best."""
    if quality is None or len(view.runs) < 3:
        return view.runs[-1]
    sign = -1 if quality.direction == "lower" else 1
    means = [_summary(run, quality.spec, view) for run in view.runs[1:]]
    ranks = [float("-inf") if s is None or s.mean is None else sign * s.mean for s in means]
    return view.runs[1 + ranks.index(max(ranks))]


def _summary(run: Run, spec: str, view: View) -> MetricSummary | None:
    return next((s for s in run.summary(view.clusters) if s.metric.spec == spec), None)


def _answers(view: View, quality: MetricInfo | None) -> Panel:
    title = "Answers"
    if quality is not None and quality.verdicts:
        rows = tuple(
            EstimateRow(
                verdict.replace("_", " "),
                tuple(_share(run, quality.spec, verdict, view) for run in view.runs),
                Scale(0.0, 1.0),
                percent,
            )
            for verdict in quality.verdicts
        )
        return Panel(title, rows, (f"Shares by {quality.spec}.", *_lacking(view, quality.spec)))
    found = [info for info in view.metrics if "response" in info.needs][:MOST_ROWS]
    if not found:
        return Panel(title, (), ("Not measured: no metric here looks at answers.",))
    return Panel(title, _rows(view, found), ("Shares of right answers: add answer_verdict.",))


def _share(run: Run, spec: str, verdict: str, view: View) -> Estimate | None:
    from llamaindex_rag_eval.stats.inference import mean_estimate

    verdicts = {row.sample_id: row.verdict for row in run.rows.of(spec) if row.score is not None}
    values = [float(found == verdict) for found in verdicts.values()]
    labels = run.clusters(view.clusters).of(verdicts)
    share = mean_estimate(values, clusters=labels, bounds=(0.0, 1.0))
    return share if values else None


def _lacking(view: View, spec: str) -> tuple[str, ...]:
    """Return how many answers have no score, which no share speaks of."""
    notes = []
    for run, name in zip(view.runs, view.names, strict=True):
        found = _summary(run, spec, view)
        if found is not None and found.scored < len(run):
            lost = found.failed + found.missing
            notes.append(f"{name}: {found.undefined} undefined, {lost} failed, in no share.")
    return tuple(notes)


def _retrieval(view: View) -> Panel:
    found = [info for info in view.metrics if _of_retrieval(info)][:MOST_ROWS]
    lacking = () if found else ("Not measured: no metric here looks at retrieval.",)
    return Panel("Retrieval", _rows(view, found), lacking)


def _of_retrieval(info: MetricInfo) -> bool:
    fields = set(info.needs)
    with suppress(InputError):  # a metric that is not in the registry
        fields |= {
            field for way in metric_class(parse_spec(info.spec)[0]).needs_one_of for field in way
        }
    return "contexts" in fields and "response" not in fields


def _rows(view: View, metrics: Iterable[MetricInfo]) -> tuple[EstimateRow, ...]:
    rows = []
    for info in metrics:
        means = [_mean(_summary(run, info.spec, view)) for run in view.runs]
        rows.append(_row(info.spec, means, info.bounds, _digits))
    return tuple(rows)


def _mean(summary: MetricSummary | ResourceSummary | None) -> Estimate | None:
    return None if summary is None or summary.mean is None else estimate_of(summary)


def _row(
    label: str,
    means: Sequence[Estimate | None],
    bounds: tuple[float, float],
    text: Callable[[float], str],
) -> EstimateRow:
    ends = (end for mean in means if mean for end in mean.ends)
    return EstimateRow(label, tuple(means), scale_of(ends, bounds), text)


def _taken(view: View) -> Panel:
    of_runs = [_resources(run, view) for run in view.runs]
    rows = []
    for name, unit in RESOURCES.items():
        means = [_mean(taken.get(name)) for taken in of_runs]
        if any(means):
            label = name if name == unit else f"{name.replace('_', ' ')}, {unit}"
            rows.append(_row(label, means, UNBOUNDED, resource_text))
    lacking = () if rows else ("Not known: these answers say neither their time nor their cost.",)
    return Panel("Latency and cost", tuple(rows), lacking)


def _resources(run: Run, view: View) -> dict[str, ResourceSummary]:
    return {one.name: one for one in resources_of(run.samples, view.clusters)}


def _digits(value: float) -> str:
    return f"{value:.2f}"


def _trade_off(view: View, quality: MetricInfo | None) -> TradeOff | None:
    taken = [_resources(run, view) for run in view.runs]
    price = next((name for name in PRICES if all(name in found for found in taken)), None)
    if quality is None or price is None or len(view.runs) < 2:
        return None
    points = [
        PlotPoint(
            number=number,
            name=name,
            state="a" if number == 1 else "b",
            score=_mean(_summary(run, quality.spec, view)) or Estimate(None),
            price=estimate_of(of_run[price]),
        )
        for number, (run, name, of_run) in enumerate(
            zip(view.runs, view.names, taken, strict=True), start=1
        )
    ]
    plot = plot_of(points)
    return None if plot is None else TradeOff(quality.spec, price, RESOURCES[price], plot)
