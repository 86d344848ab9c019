"""`rag-eval runs`: list the stored runs, store, show or delete some."""

from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.options import OptionalOut
from llamaindex_rag_eval.cli.stored import RUN_HELP, Stored, StoredRuns
from llamaindex_rag_eval.cli.wordings import print_wordings


def runs_command(
    *,
    add: Annotated[list[Path] | None, Parameter(metavar="FILE")] = None,
    delete: Annotated[list[str] | None, Parameter(metavar="RUN")] = None,
    which: StoredRuns = StoredRuns(),
) -> None:
    """List the stored runs, the newest first; or store or delete some.

    `rag-eval ui` shows each metric over them.

    Args:
        add: Store this run, under --name and --tag.
        delete: Delete this run.
    """
    database = which.runs
    for path in add or ():
        tags = [which.tag] if which.tag else []
        stored = database.add(rag.Run.read(path), name=which.name, tags=tags)
        printer.note(f"stored {stored.name!r} as {stored.id}")
    for reference in delete or ():
        deleted = database.delete(reference)
        printer.note(f"deleted {deleted.name!r}, {deleted.id}")
    runs = database.runs(name=which.name, tag=which.tag)
    shown = runs[: which.last]
    printer.show(library.runs_table(shown) if runs else "No runs yet: rag-eval runs --add FILE")
    if len(runs) > which.last:
        printer.show(f"{len(runs) - which.last} older runs are not shown; see --last.")
    printer.data([run.as_json() for run in shown])


def show_command(
    run: Annotated[str, Parameter(help=RUN_HELP)] = "last",
    /,
    *,
    out: OptionalOut = None,
    stored: Stored = Stored(),
) -> None:
    """Show a run: its metrics, failures, and how it was made.

    Args:
        out: Write the whole run to this .jsonl file.
    """
    shown = stored.run(run)
    printer.show(
        library.run_table(shown),
        *filter(None, [library.resources_table(shown)]),
        *library.why_without_score(shown),
        *_provenance_lines(shown),
    )
    printer.data(
        {
            "name": shown.name,
            "samples": len(shown),
            "metrics": [summary.as_json() for summary in shown.summary()],
            "provenance": shown.provenance.model_dump(mode="json"),
            **print_wordings(shown),
        }
    )
    if out is not None:
        printer.note(f"written to {shown.to_jsonl(out)}")


def _provenance_lines(run: "rag.Run") -> list[str]:
    provenance = run.provenance
    lines = [f"{len(run)} samples, started {provenance.started}, {provenance.seconds:.1f} s"]
    lines += [f"{package} {version}" for package, version in provenance.versions.items()]
    lines += [f"{kind}: {name}" for kind, name in provenance.answered_by.items()]
    lines += [f"{spec}: judgements {who}" for spec, who in provenance.shares.items()]
    lines += [f"{name}: {value}" for name, value in provenance.usage.items() if value]
    return [*lines, *provenance.notes]
