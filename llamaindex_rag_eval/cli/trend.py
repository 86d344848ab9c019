"""`rag-eval trend`: one metric over the runs that are kept."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from llamaindex_rag_eval.cli.options import AsJson, Quiet
from llamaindex_rag_eval.cli.screen import Screen
from llamaindex_rag_eval.cli.stored import Store
from llamaindex_rag_eval.runs.store import DEFAULT_STORE

if TYPE_CHECKING:
    from pydantic import JsonValue
    from rich.table import Table

    from llamaindex_rag_eval.runs.store.tables import TrendPoint

__all__ = ["trend_command"]


def trend_command(
    metric: Annotated[str, typer.Argument(help="Which metric, as 'faithfulness' or 'ndcg@10'.")],
    name: Annotated[str, typer.Option("--name", "-n", help="Only runs of this name.")] = "",
    tag: Annotated[str, typer.Option("--tag", "-t", help="Only runs with this tag.")] = "",
    last: Annotated[int, typer.Option("--last", min=1, help="How many of the newest runs.")] = 20,
    store: Store = str(DEFAULT_STORE),
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Show a metric over the runs that are kept, the oldest first."""
    from llamaindex_rag_eval.runs.store.run_store import RunStore

    screen = Screen(quiet=quiet, as_json=as_json)
    points = RunStore(store).trend(metric, name=name, tag=tag, last=last)
    screen.show(_table(metric, points))
    if any(point.same_questions is False for point in points):
        screen.show("* other questions than the run before: the change may come of that alone")
    screen.data([_row(point) for point in points])


def _table(metric: str, points: "Sequence[TrendPoint]") -> "Table":
    from rich.table import Table
    from rich.text import Text

    from llamaindex_rag_eval.report.numbers import interval, number, signed

    table = Table(title=Text(metric), title_justify="left")
    for column in ("started", "run", "id"):
        table.add_column(column)
    for column in ("mean", "95% interval", "scored", "change"):
        table.add_column(column, justify="right")
    for point in points:
        run, mean = point.run, point.mean
        mark = "*" if point.same_questions is False else ""
        table.add_row(
            *map(Text, (run.started[:16], run.name, run.id[:8])),
            number(mean.mean),
            interval(mean.low, mean.high),
            str(mean.scored),
            signed(point.change) + mark,
        )
    return table


def _row(point: "TrendPoint") -> "JsonValue":
    return {
        "id": point.run.id,
        "name": point.run.name,
        "started": point.run.started,
        "mean": point.mean.mean,
        "low": point.mean.low,
        "high": point.mean.high,
        "scored": point.mean.scored,
        "change": point.change,
        "same_questions": point.same_questions,
    }
