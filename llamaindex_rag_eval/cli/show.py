"""`rag-eval show`: one run, its scores and its provenance."""

from typing import Annotated

from cyclopts import Parameter

import llamaindex_rag_eval as rag
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.inputs import run_at
from llamaindex_rag_eval.cli.options import RUN_HELP, STORE, OptionalOut, Store


def show_command(
    run: Annotated[str, Parameter(help=RUN_HELP)] = "last",
    /,
    *,
    out: OptionalOut = None,
    store: Store = STORE,
    printer: Printer = Printer(),
) -> None:
    """Show a run: its metrics, why results failed, and how it was made.

    Args:
        out: Write the whole run to this .jsonl file.
    """
    from llamaindex_rag_eval.report.resources import resources_table
    from llamaindex_rag_eval.report.tables import run_table, why_without_score

    shown = run_at(run, store)
    taken = filter(None, [resources_table(shown)])
    printer.show(run_table(shown), *taken, *why_without_score(shown), *_provenance_lines(shown))
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
