"""A judge against people, and against itself, as tables for the terminal."""

from collections.abc import Iterator, Sequence

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from llamaindex_rag_eval.decisions.calibration import Calibration, MetricCalibration
from llamaindex_rag_eval.decisions.repeats import Stability
from llamaindex_rag_eval.report.calibration import calibration_measures
from llamaindex_rag_eval.report.numbers import interval, number

PRINTED = 10
"""Ids printed of a list; the rest is counted."""


def calibration_tables(calibration: Calibration) -> Iterator[RenderableType]:
    """Yield tables and sentences on each metric, then what was left out."""
    for metric in calibration.metrics:
        yield _agreement(metric)
        yield from _sentences(metric)
        yield _reliability(metric)
        if metric.misses:
            yield _misses(metric)
    yield from _left_out(calibration)


def stability_table(found: Sequence[Stability]) -> Table:
    """Return how far a judge agrees with itself, a row a metric."""
    table = Table(caption="judge share: how much of the variance of scores comes from the judge")
    table.add_column("metric")
    columns = ("samples", "flip rate", "95% interval", "spread of means", "judge share", "partly")
    for column in columns:
        table.add_column(column, justify="right")
    for one in found:
        table.add_row(
            Text(one.metric.spec),
            str(one.n),
            number(one.flip_rate.value),
            interval(one.flip_rate.low, one.flip_rate.high),
            number(one.spread),
            number(one.judge_share),
            str(one.incomplete),
        )
    return table


def _agreement(metric: MetricCalibration) -> Table:
    found = metric.agreement
    title = f"{metric.spec}: judge and people on {found.n} samples labelled at random"
    table = Table(title=Text(title), title_justify="left")
    table.add_column("")
    table.add_column("value", justify="right")
    table.add_column("95% interval", justify="right")
    for name, one in calibration_measures(metric):
        table.add_row(name, number(one.value), interval(one.low, one.high))
    return table


def _sentences(metric: MetricCalibration) -> Iterator[str]:
    counts = metric.agreement.confusion
    yield (
        f"Both say yes {counts.both_yes}, only the judge {counts.only_judge}, only people "
        f"{counts.only_people}, both no {counts.both_no}."
    )
    yield from filter(None, [metric.agreement.best_sentence])
    if metric.corrected is None:
        yield "No mean by people: it needs samples that were chosen at random."
    if metric.unjudged:
        yield f"Labelled, but without a score: {_some(metric.unjudged)}."


def _reliability(metric: MetricCalibration) -> Table:
    table = Table(title="What people say of scores", title_justify="left")
    for column in ("scores", "samples", "judge's mean", "people's mean", "95% interval"):
        table.add_column(column, justify="right")
    for one in metric.reliability:
        table.add_row(
            f"{one.low:.2f} to {one.high:.2f}",
            str(one.n),
            number(one.judged),
            number(one.people.value),
            interval(one.people.low, one.people.high),
        )
    return table


def _misses(metric: MetricCalibration) -> Table:
    table = Table(title="Furthest apart", title_justify="left")
    table.add_column("sample")
    table.add_column("judge", justify="right")
    table.add_column("people", justify="right")
    table.add_column("the judge says")
    for miss in metric.misses:
        table.add_row(
            Text(miss.sample_id), number(miss.score), number(miss.label), Text(miss.feedback)
        )
    return table


def _left_out(calibration: Calibration) -> Iterator[str]:
    if calibration.unmatched:
        yield f"Labels of samples that the run does not have: {_some(calibration.unmatched)}."
    if calibration.unknown:
        yield f"Labels of metrics that the run does not have: {_some(calibration.unknown)}."
    if calibration.unbounded:
        yield f"Not compared, for want of bounds: {_some(calibration.unbounded)}."


def _some(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - PRINTED} more" if len(names) > PRINTED else ""
    return ", ".join(map(repr, names[:PRINTED])) + more
