"""`rag-eval runs show`: one run, its scores and its provenance."""

from typing import Annotated

from cyclopts import Parameter

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.options import OptionalOut
from llamaindex_rag_eval.cli.stored import RUN_HELP, Stored


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
