"""The judge against people, as tables for the terminal."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table

from llamaindex_rag_eval.decisions.calibration import Calibration, MetricCalibration
from llamaindex_rag_eval.report.console import text_table
from llamaindex_rag_eval.report.numbers import interval, number
from llamaindex_rag_eval.stats.interval import Estimate


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
        yield f"Left out, labels of other questions or answers, as those of another run: {names}."
    if calibration.unknown:
        yield f"Labels of metrics that the run does not have: {_some(calibration.unknown)}."
    if calibration.unbounded:
        yield f"Not compared, for want of bounds: {_some(calibration.unbounded)}."


def _some(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - PRINTED} more" if len(names) > PRINTED else ""
    return ", ".join(map(repr, names[:PRINTED])) + more
