"""`rag-eval show`: one run, its scores and what made it."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from llamaindex_rag_eval.cli.options import AsJson, Quiet
from llamaindex_rag_eval.cli.screen import Screen
from llamaindex_rag_eval.cli.stored import Store, run_at
from llamaindex_rag_eval.runs.store import DEFAULT_STORE

if TYPE_CHECKING:
    from pydantic import JsonValue

    from llamaindex_rag_eval.runs.run import Run

__all__ = ["show_command"]


def show_command(
    run: Annotated[
        str, typer.Argument(metavar="RUN", help="A file, last, last~1, a name, a tag or an id.")
    ] = "last",
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Write the whole run to this .jsonl file.")
    ] = None,
    store: Store = str(DEFAULT_STORE),
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Show a run: its metrics, why results failed, and what made it."""
    from llamaindex_rag_eval.report.tables import run_table, why_without_score

    screen = Screen(quiet=quiet, as_json=as_json)
    found = run_at(run, store)
    screen.show(run_table(found), *why_without_score(found), *_made(found))
    screen.data(_data(found))
    if out is not None:
        screen.note(f"written to {found.to_jsonl(out)}")


def _made(run: "Run") -> list[str]:
    made = run.provenance
    lines = [f"{len(run)} samples, started {made.started}, {made.seconds:.1f} s"]
    lines += [f"{package} {version}" for package, version in made.versions.items()]
    lines += [f"{kind}: {who}" for kind, who in made.answered_by.items()]
    lines += [f"{name}: {value}" for name, value in made.usage.items() if value]
    return [*lines, *made.notes]


def _data(run: "Run") -> "JsonValue":
    metrics: list[JsonValue] = [summary.as_json() for summary in run.summary()]
    provenance: JsonValue = run.provenance.model_dump(mode="json")
    return {"name": run.name, "samples": len(run), "metrics": metrics, "provenance": provenance}
