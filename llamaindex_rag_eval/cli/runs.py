"""`rag-eval runs`: list the stored runs, store more, delete some."""

from pathlib import Path
from typing import Annotated

from typer import Option

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer

AddRuns = Annotated[
    list[Path] | None,
    Option("--add", metavar="FILE", help="Store this run, under --name and --tag."),
]
DeleteRuns = Annotated[list[str] | None, Option("--delete", metavar="RUN", help="Delete this run.")]


def runs_command(
    add: AddRuns = None,
    delete: DeleteRuns = None,
    name: options.RunName = "",
    tag: options.RunTag = "",
    last: options.LastRuns = 20,
    store: options.Store = options.STORE,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """List the stored runs, the newest first; or store a run, or delete one."""
    from llamaindex_rag_eval.report.run_tables import runs_table
    from llamaindex_rag_eval.runs.run import Run
    from llamaindex_rag_eval.runs.store.run_store import RunStore

    printer = Printer(quiet=quiet, as_json=as_json)
    stored_runs = RunStore(store)
    for path in add or ():
        stored = stored_runs.add(Run.read(path), name=name, tags=[tag] if tag else [])
        printer.note(f"stored {stored.name!r} as {stored.id}")
    for reference in delete or ():
        deleted = stored_runs.delete(reference)
        printer.note(f"deleted {deleted.name!r}, {deleted.id}")
    found = stored_runs.runs(name=name, tag=tag)
    printer.show(runs_table(found[:last]) if found else "No runs yet: rag-eval runs --add FILE")
    if len(found) > last:
        printer.show(f"{len(found) - last} older runs are not shown; see --last.")
    printer.data([run.as_json() for run in found[:last]])
