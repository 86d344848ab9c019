"""Stored runs as tables for the terminal: a list of them, and one metric over them."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from llamaindex_rag_eval.report.numbers import interval, number, signed
from llamaindex_rag_eval.runs.store.tables import StoredRun, TrendPoint

MEANS_SHOWN = 4
"""Metrics in a row of the list; `rag-eval show` has all of them."""


def runs_table(runs: Sequence[StoredRun]) -> Table:
    """Return a list of runs, a row each, with the means of their first metrics."""
    table = Table()
    for column in ("id", "name", "tags", "started"):
        table.add_column(column)
    table.add_column("samples", justify="right")
    table.add_column("means")
    for run in runs:
        means = ", ".join(f"{m.metric.spec} {number(m.mean)}" for m in run.means[:MEANS_SHOWN])
        more = f", … {len(run.means)} in all" if len(run.means) > MEANS_SHOWN else ""
        cells = (run.id[:8], run.name, ", ".join(run.tags), run.started[:16], str(run.samples))
        table.add_row(*map(Text, cells), Text(means + more))
    return table


def trend_table(metric: str, points: Sequence[TrendPoint], findings: Sequence[str]) -> Table:
    """Return a metric over runs, a row each, with what each change from the run before shows.

    `*` marks other questions than the run before.
    """
    table = Table(title=Text(metric), title_justify="left")
    for column in ("started", "run", "id"):
        table.add_column(column)
    for column in ("mean", "95% interval", "scored", "change"):
        table.add_column(column, justify="right")
    table.add_column("shown")
    for point, finding in zip(points, findings, strict=True):
        run, mean = point.run, point.mean
        mark = "*" if point.same_questions is False else ""
        table.add_row(
            *map(Text, (run.started[:16], run.name, run.id[:8])),
            number(mean.mean),
            interval(mean.low, mean.high),
            str(mean.scored),
            signed(point.change) + mark,
            finding,
        )
    return table
