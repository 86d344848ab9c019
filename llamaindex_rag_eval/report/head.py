"""The head of a report: what may be decided, and the figures, answers and changes behind it."""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.gates.decision import Decision, decide
from llamaindex_rag_eval.gates.margins import NO_MARGINS, Margins
from llamaindex_rag_eval.metrics.registry import metric_class
from llamaindex_rag_eval.metrics.spec import parse_spec
from llamaindex_rag_eval.report.change import Change, change_between
from llamaindex_rag_eval.report.figures import Axis
from llamaindex_rag_eval.report.numbers import percent
from llamaindex_rag_eval.report.sweep_figure import PlotPoint, PricePlot, plot_of
from llamaindex_rag_eval.report.view import View
from llamaindex_rag_eval.report.worst import WorstAnswer, worst_answers
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.resources import (
    RESOURCES,
    ResourceSummary,
    resource_text,
    resources_of,
)
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.summary import MetricSummary

MOST_ROWS = 5
"""Metrics in a figure of the head; the table of scores has all."""

PRICES = ("cost", "latency", "tokens")
"""What quality is held against: the first that is known of every pipeline."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean or share: its value, the ends of its 95% interval, and both as text."""

    value: float
    low: float | None
    high: float | None
    text: str
    reach: str


@dataclass(frozen=True, slots=True)
class EstimateRow:
    """One line of a figure: what is measured, its axis, and an estimate for each run."""

    label: str
    axis: Axis
    estimates: tuple[Estimate | None, ...]


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
    plot: PricePlot


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
                Axis(0.0, 1.0),
                tuple(_share(run, quality.spec, verdict, view) for run in view.runs),
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
    found = mean_estimate(values, clusters=labels, bounds=(0.0, 1.0))
    return None if found.value is None else _estimate(found.value, found.low, found.high, percent)


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
        found = [_summary(run, info.spec, view) for run in view.runs]
        estimates = tuple(
            None if s is None or s.mean is None else _estimate(s.mean, s.low, s.high, _digits)
            for s in found
        )
        rows.append(EstimateRow(info.spec, _axis(info.bounds, estimates), estimates))
    return tuple(rows)


def _taken(view: View) -> Panel:
    of_runs = [_resources(run, view) for run in view.runs]
    rows = []
    for name, unit in RESOURCES.items():
        found = [taken.get(name) for taken in of_runs]
        if any(found):
            estimates = tuple(
                None if one is None else _estimate(one.mean, one.low, one.high, resource_text)
                for one in found
            )
            label = name if name == unit else f"{name.replace('_', ' ')}, {unit}"
            rows.append(EstimateRow(label, _axis((0.0, float("inf")), estimates), estimates))
    lacking = () if rows else ("Not known: these answers say neither their time nor their cost.",)
    return Panel("Latency and cost", tuple(rows), lacking)


def _resources(run: Run, view: View) -> dict[str, ResourceSummary]:
    return {one.name: one for one in resources_of(run.samples, view.clusters)}


def _axis(bounds: tuple[float, float], estimates: Sequence[Estimate | None]) -> Axis:
    """Return an axis from the bounds, or to the end of the longest interval."""
    ends = [end for e in estimates if e for end in (e.value, e.low, e.high) if end is not None]
    low, high = (end if abs(end) < float("inf") else None for end in bounds)
    left = min(ends, default=0.0) if low is None else low
    right = max(ends, default=1.0) if high is None else high
    return Axis(left, right if right > left else left + 1.0)


def _estimate(
    value: float, low: float | None, high: float | None, text: Callable[[float], str]
) -> Estimate:
    reach = "no interval" if low is None or high is None else f"{text(low)} to {text(high)}"
    return Estimate(value, low, high, text(value), reach)


def _digits(value: float) -> str:
    return f"{value:.2f}"


def _trade_off(view: View, quality: MetricInfo | None) -> TradeOff | None:
    taken = [_resources(run, view) for run in view.runs]
    price = next((name for name in PRICES if all(name in found for found in taken)), None)
    if quality is None or price is None or len(view.runs) < 2:
        return None
    points = []
    for number, (run, found) in enumerate(zip(view.runs, taken, strict=True), start=1):
        mean, one = _summary(run, quality.spec, view), found[price]
        if mean is None or mean.mean is None:
            continue
        points.append(
            PlotPoint(
                number=number,
                name=view.names[number - 1],
                state="a" if number == 1 else "b",
                score=mean.mean,
                scores=None if mean.low is None or mean.high is None else (mean.low, mean.high),
                price=one.mean,
                prices=None if one.low is None or one.high is None else (one.low, one.high),
            )
        )
    plot = plot_of(points)
    return None if plot is None else TradeOff(quality.spec, price, RESOURCES[price], plot)
