"""Calibration for the terminal and for scripts."""

from collections.abc import Iterator

from pydantic import JsonValue
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from llamaindex_rag_eval.calibration.agreement import Estimate
from llamaindex_rag_eval.calibration.calibration import Calibration, MetricCalibration
from llamaindex_rag_eval.report.calibration import calibration_measures
from llamaindex_rag_eval.report.numbers import interval, number
from llamaindex_rag_eval.stats.interval import Interval

__all__ = ["as_json_of", "tables_of"]

NAMED = 10
"""Ids named of a list; the rest is counted."""


def tables_of(calibration: Calibration) -> Iterator[RenderableType]:
    """Yield what a person reads, metric by metric."""
    for metric in calibration.metrics:
        yield _agreement(metric)
        yield from _sentences(metric)
        yield _reliability(metric)
        if metric.misses:
            yield _misses(metric)
    yield from _left_out(calibration)


def as_json_of(calibration: Calibration) -> JsonValue:
    """Return everything as plain data."""
    return {
        "metrics": [_row(metric) for metric in calibration.metrics],
        "unmatched": list(calibration.unmatched),
        "unknown": list(calibration.unknown),
        "unbounded": list(calibration.unbounded),
    }


def _agreement(metric: MetricCalibration) -> Table:
    found = metric.agreement
    title = f"{metric.spec}: judge and people on {found.n} samples labelled at random"
    table = Table(title=Text(title), title_justify="left")
    table.add_column("")
    table.add_column("value", justify="right")
    table.add_column("95% interval", justify="right")
    for name, one in calibration_measures(metric):
        table.add_row(name, number(one.value), _ends(one.interval))
    return table


def _sentences(metric: MetricCalibration) -> Iterator[str]:
    counts = metric.agreement.confusion
    yield (
        f"Both say yes {counts.both_yes}, only the judge {counts.only_judge}, only people "
        f"{counts.only_people}, both no {counts.both_no}."
    )
    best = metric.agreement
    if best.best is not None:
        again = best.best_expected
        expected = "" if again is None else f"; {again:.3f} to be expected on other samples"
        yield (
            f"The best threshold is {best.best:.3f}: balanced accuracy "
            f"{number(best.best_apparent)} on these{expected}."
        )
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
            _ends(one.people.interval),
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


def _row(metric: MetricCalibration) -> JsonValue:
    found, corrected = metric.agreement, metric.corrected
    counts = found.confusion
    return {
        "metric": metric.spec,
        "labels": found.n,
        "threshold": found.threshold,
        "accuracy": _measured(found.accuracy),
        "kappa": _measured(found.kappa),
        "auc": _measured(found.auc),
        "spearman": _measured(found.spearman),
        "confusion": {
            "both_yes": counts.both_yes,
            "only_judge": counts.only_judge,
            "only_people": counts.only_people,
            "both_no": counts.both_no,
        },
        "best_threshold": found.best,
        "best_threshold_expected": found.best_expected,
        "judged": _measured(metric.judged),
        "corrected": None
        if corrected is None
        else _measured(Estimate(corrected.value, corrected.interval)),
        "unjudged": list(metric.unjudged),
    }


def _measured(one: Estimate) -> JsonValue:
    ends = one.interval
    return {
        "value": one.value,
        "low": None if ends is None else ends.low,
        "high": None if ends is None else ends.high,
    }


def _ends(ends: Interval | None) -> str:
    return interval(None, None) if ends is None else interval(ends.low, ends.high)


def _some(names: tuple[str, ...]) -> str:
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(map(repr, names[:NAMED])) + more
