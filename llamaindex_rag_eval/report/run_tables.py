"""Stored runs as tables for the terminal: a list of them, and one metric over them."""

from collections.abc import Sequence

from rich.table import Table

from llamaindex_rag_eval.report.console import text_table
from llamaindex_rag_eval.report.numbers import interval, number, signed
from llamaindex_rag_eval.runs.store.tables import StoredRun, TrendPoint

MEANS_SHOWN = 4
"""Metrics in a row of the list; `rag-eval runs show` has all of them."""


def runs_table(runs: Sequence[StoredRun]) -> Table:
    """Return a list of runs, a row each, with the means of their first metrics."""
    rows = []
    for run in runs:
        means = ", ".join(f"{m.metric.spec} {number(m.mean)}" for m in run.means[:MEANS_SHOWN])
        more = f", … {len(run.means)} in all" if len(run.means) > MEANS_SHOWN else ""
        about = (run.id[:8], run.name, ", ".join(run.tags), run.started[:16])
        rows.append((*about, run.samples, means + more))
    return text_table("", ("id", "name", "tags", "started"), ["samples"], "means", rows=rows)


def trend_table(metric: str, points: Sequence[TrendPoint], findings: Sequence[str]) -> Table:
    """Return a metric over runs, a row each, with what each change from the run before shows.

    `*` marks other questions than the run before.
    """
    rows = []
    for point, finding in zip(points, findings, strict=True):
        run, mean = point.run, point.mean
        change = signed(point.change) + ("*" if point.same_questions is False else "")
        about = (run.started[:16], run.name, run.id[:8])
        numbers = (number(mean.mean), interval(mean.low, mean.high), mean.scored, change)
        rows.append((*about, *numbers, finding))
    columns = ("mean", "95% interval", "scored", "change")
    return text_table(metric, ("started", "run", "id"), columns, "shown", rows=rows)
