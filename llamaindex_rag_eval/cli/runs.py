"""`rag-eval runs`: list the stored runs, store more, delete some; or one metric over them."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.options import StoredRuns

if TYPE_CHECKING:
    from llamaindex_rag_eval.runs.store.run_store import RunStore


def runs_command(
    *,
    add: Annotated[list[Path] | None, Parameter(metavar="FILE")] = None,
    delete: Annotated[list[str] | None, Parameter(metavar="RUN")] = None,
    metric: Annotated[str, Parameter(alias="-m")] = "",
    which: StoredRuns = StoredRuns(),
    printer: Printer = Printer(),
) -> None:
    """List the stored runs, the newest first; or store a run, or delete one.

    With --metric, show that metric over the runs, the oldest first, and which changes are real:
    each run is compared with the one before it, question by question, corrected for all of them.

    Args:
        add: Store this run, under --name and --tag.
        delete: Delete this run.
        metric: Show this metric over the runs, as 'faithfulness' or 'ndcg@10'.
    """
    from llamaindex_rag_eval.report.run_tables import runs_table
    from llamaindex_rag_eval.runs.store.run_store import RunStore

    stored_runs, name, tag = RunStore(which.store), which.name, which.tag
    for path in add or ():
        stored = stored_runs.add(rag.Run.read(path), name=name, tags=[tag] if tag else [])
        printer.note(f"stored {stored.name!r} as {stored.id}")
    for reference in delete or ():
        deleted = stored_runs.delete(reference)
        printer.note(f"deleted {deleted.name!r}, {deleted.id}")
    if metric:
        return _print_metric(stored_runs, metric, which, printer)
    runs = stored_runs.runs(name=name, tag=tag)
    shown = runs[: which.last]
    printer.show(runs_table(shown) if runs else "No runs yet: rag-eval runs --add FILE")
    if len(runs) > which.last:
        printer.show(f"{len(runs) - which.last} older runs are not shown; see --last.")
    return printer.data([run.as_json() for run in shown])


def _print_metric(runs: "RunStore", metric: str, which: StoredRuns, printer: Printer) -> None:
    from llamaindex_rag_eval.decisions.comparisons import changes
    from llamaindex_rag_eval.report.run_tables import trend_table

    points = runs.trend(metric, name=which.name, tag=which.tag, last=which.last)
    contrasts = changes([runs.get(point.run.id) for point in points], metric)
    findings = [None if contrast is None else contrast.finding for contrast in contrasts]
    printer.show(trend_table(metric, points, [finding or "" for finding in findings]))
    if any(point.same_questions is False for point in points):
        printer.show("* other questions than the run before, which alone may explain the change")
    rows = zip(points, findings, strict=True)
    printer.data([{**point.as_json(), "finding": finding} for point, finding in rows])
