"""`rag-eval runs`: list the stored runs, store more, delete some."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.options import StoredRuns


def runs_command(
    *,
    add: Annotated[list[Path] | None, Parameter(metavar="FILE")] = None,
    delete: Annotated[list[str] | None, Parameter(metavar="RUN")] = None,
    which: StoredRuns = StoredRuns(),
    printer: Printer = Printer(),
) -> None:
    """List the stored runs, the newest first; or store a run, or delete one.

    Args:
        add: Store this run, under --name and --tag.
        delete: Delete this run.
    """
    from llamaindex_rag_eval.report.run_tables import runs_table
    from llamaindex_rag_eval.runs.run import Run
    from llamaindex_rag_eval.runs.store.run_store import RunStore

    stored_runs, name, tag = RunStore(which.store), which.name, which.tag
    for path in add or ():
        stored = stored_runs.add(Run.read(path), name=name, tags=[tag] if tag else [])
        printer.note(f"stored {stored.name!r} as {stored.id}")
    for reference in delete or ():
        deleted = stored_runs.delete(reference)
        printer.note(f"deleted {deleted.name!r}, {deleted.id}")
    found = stored_runs.runs(name=name, tag=tag)
    printer.show(
        runs_table(found[: which.last]) if found else "No runs yet: rag-eval runs --add FILE"
    )
    if len(found) > which.last:
        printer.show(f"{len(found) - which.last} older runs are not shown; see --last.")
    printer.data([run.as_json() for run in found[: which.last]])
