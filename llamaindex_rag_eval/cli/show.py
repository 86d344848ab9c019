"""`rag-eval show`: one run, its scores and its provenance."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Option

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.inputs import run_at

if TYPE_CHECKING:
    from llamaindex_rag_eval.runs.run import Run

RunOut = Annotated[
    Path | None, Option("--out", "-o", help="Write the whole run to this .jsonl file.")
]


def show_command(
    run: options.StoredRun = "last",
    out: RunOut = None,
    store: options.Store = options.STORE,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Show a run: its metrics, why results failed, and how it was made."""
    from llamaindex_rag_eval.report.resources import resources_table
    from llamaindex_rag_eval.report.tables import run_table, why_without_score

    printer = Printer(quiet=quiet, as_json=as_json)
    found = run_at(run, store)
    taken = filter(None, [resources_table(found)])
    printer.show(run_table(found), *taken, *why_without_score(found), *_provenance_lines(found))
    printer.data(
        {
            "name": found.name,
            "samples": len(found),
            "metrics": [summary.as_json() for summary in found.summary()],
            "provenance": found.provenance.model_dump(mode="json"),
        }
    )
    if out is not None:
        printer.note(f"written to {found.to_jsonl(out)}")


def _provenance_lines(run: "Run") -> list[str]:
    provenance = run.provenance
    lines = [f"{len(run)} samples, started {provenance.started}, {provenance.seconds:.1f} s"]
    lines += [f"{package} {version}" for package, version in provenance.versions.items()]
    lines += [f"{kind}: {name}" for kind, name in provenance.answered_by.items()]
    lines += [f"{spec}: judgements {who}" for spec, who in provenance.shares.items()]
    lines += [f"{name}: {value}" for name, value in provenance.usage.items() if value]
    return [*lines, *provenance.notes]
