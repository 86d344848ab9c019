"""The judge against people: one HTML page, and tables for the terminal.

The plot has a dot for each bin of samples that the judge scored alike: at the mean of the judge and
the mean of people, with the 95 % interval of the latter. On its diagonal both means are the same.
"""

from collections.abc import Iterator
from pathlib import Path

from rich.console import RenderableType
from rich.table import Table

from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.decisions.calibration import Calibration, MetricCalibration
from llamaindex_rag_eval.report.console import text_table
from llamaindex_rag_eval.report.numbers import interval, number
from llamaindex_rag_eval.report.templates import render
from llamaindex_rag_eval.stats.interval import Estimate


def calibration_html(calibration: Calibration) -> str:
    """Return the page; it loads nothing and runs no script."""
    return render(
        "calibration.html.j2",
        calibration=calibration,
        measures=calibration_measures,
    )


def write_calibration(calibration: Calibration, path: str | Path) -> Path:
    """Write the page to a file.

    Raises:
        OutputError: The file cannot be written.
    """
    return write_whole(path, [calibration_html(calibration)])


def calibration_measures(metric: MetricCalibration) -> Iterator[tuple[str, Estimate]]:
    """Yield each measure of agreement, and the means of the judge and of people, with its name."""
    agreement = metric.agreement
    yield f"accuracy at {agreement.threshold:g}", agreement.accuracy
    yield "kappa", agreement.kappa
    yield "AUC", agreement.auc
    yield "Spearman", agreement.spearman
    yield "mean by the judge", metric.judged
    if metric.corrected is not None:
        yield "mean by people", metric.corrected


INTERVAL = "95% interval"

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


def _numbers(estimate: Estimate) -> tuple[str, str]:
    return number(estimate.value), interval(estimate.low, estimate.high)


def _agreement(metric: MetricCalibration) -> Table:
    title = f"{metric.spec}: judge and people on {metric.agreement.n} samples labelled at random"
    rows = [(name, *_numbers(estimate)) for name, estimate in calibration_measures(metric)]
    return text_table(title, [""], ["value", INTERVAL], rows=rows)


def _sentences(metric: MetricCalibration) -> Iterator[str]:
    counts = metric.agreement.confusion
    yield (
        f"Both say yes {counts.both_yes}, only the judge {counts.only_judge}, only people "
        f"{counts.only_people}, both no {counts.both_no}."
    )
    if metric.corrected is None:
        yield "No mean by people: it needs samples that were chosen at random."
    if metric.width:
        yield f"Mean by people: {metric.width}"
    if metric.changed:
        yield metric.changed
    if metric.unjudged:
        yield f"Labelled, but without a score: {_some(metric.unjudged)}."


def _reliability(metric: MetricCalibration) -> Table:
    rows = [
        (f"{bin_.low:.2f} to {bin_.high:.2f}", bin_.n, number(bin_.judged), *_numbers(bin_.people))
        for bin_ in metric.reliability
    ]
    columns = ("samples", "judge's mean", "people's mean", INTERVAL)
    return text_table("What people say of scores", ["scores"], columns, rows=rows)


def _misses(metric: MetricCalibration) -> Table:
    rows = [
        (miss.sample_id, number(miss.score), number(miss.label), miss.feedback)
        for miss in metric.misses
    ]
    left, right, last = ["sample"], ["judge", "people"], "the judge says"
    return text_table("Furthest apart", left, right, last, rows=rows)


def _left_out(calibration: Calibration) -> Iterator[str]:
    if calibration.unmatched:
        names = _some(calibration.unmatched)
        yield f"Labels of samples or answers that the run does not have: {names}."
    if calibration.unknown:
        yield f"Labels of metrics that the run does not have: {_some(calibration.unknown)}."
    if calibration.unbounded:
        yield f"Not compared, for want of bounds: {_some(calibration.unbounded)}."


def _some(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - PRINTED} more" if len(names) > PRINTED else ""
    return ", ".join(map(repr, names[:PRINTED])) + more
