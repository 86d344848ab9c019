"""`rag-eval runs`: list the runs that are kept, keep more, forget some."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from llamaindex_rag_eval.cli.options import AsJson, Quiet
from llamaindex_rag_eval.cli.screen import Screen
from llamaindex_rag_eval.cli.stored import Store
from llamaindex_rag_eval.runs.store import DEFAULT_STORE

if TYPE_CHECKING:
    from pydantic import JsonValue
    from rich.table import Table

    from llamaindex_rag_eval.runs.store.tables import StoredRun

__all__ = ["runs_command"]

MEANS_SHOWN = 4
"""Metrics in a line of the table; `rag-eval show` has all of them."""


def runs_command(
    add: Annotated[
        list[Path] | None,
        typer.Option("--add", metavar="FILE", help="Keep this run, under --name and --tag."),
    ] = None,
    delete: Annotated[
        list[str] | None, typer.Option("--delete", metavar="RUN", help="Forget this run.")
    ] = None,
    name: Annotated[str, typer.Option("--name", "-n", help="Only runs of this name.")] = "",
    tag: Annotated[str, typer.Option("--tag", "-t", help="Only runs with this tag.")] = "",
    last: Annotated[int, typer.Option("--last", min=1, help="How many are listed.")] = 20,
    store: Store = str(DEFAULT_STORE),
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """List the runs that are kept, the newest first; or keep a run, or forget one."""
    from llamaindex_rag_eval.runs.run import Run
    from llamaindex_rag_eval.runs.store.run_store import RunStore

    screen = Screen(quiet=quiet, as_json=as_json)
    runs = RunStore(store)
    for path in add or ():
        kept = runs.add(Run.read(path), name=name, tags=[tag] if tag else [])
        screen.note(f"kept {kept.name!r} as {kept.id}")
    for reference in delete or ():
        gone = runs.delete(reference)
        screen.note(f"forgot {gone.name!r}, {gone.id}")
    found = runs.runs(name=name, tag=tag)
    screen.show(_table(found[:last]) if found else "No runs yet: rag-eval runs --add FILE")
    if len(found) > last:
        screen.show(f"{len(found) - last} older runs are not shown; see --last.")
    screen.data([_row(run) for run in found[:last]])


def _table(runs: "tuple[StoredRun, ...]") -> "Table":
    from rich.table import Table
    from rich.text import Text

    from llamaindex_rag_eval.report.numbers import number

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


def _row(run: "StoredRun") -> "JsonValue":
    means: dict[str, JsonValue] = {mean.metric.spec: mean.mean for mean in run.means}
    return {
        "id": run.id,
        "name": run.name,
        "tags": list(run.tags),
        "started": run.started,
        "kept": run.kept,
        "questions": run.questions,
        "samples": run.samples,
        "means": means,
    }
