"""`rag-eval gate`: hold a run against limits, for CI."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from llamaindex_rag_eval.cli.exits import Exit
from llamaindex_rag_eval.cli.options import AsJson, Quiet
from llamaindex_rag_eval.cli.screen import Screen
from llamaindex_rag_eval.cli.stored import Store, run_at
from llamaindex_rag_eval.runs.store import DEFAULT_STORE

if TYPE_CHECKING:
    from llamaindex_rag_eval.gates.gate import GateOutcome

__all__ = ["gate_command"]

Limited = Annotated[
    str, typer.Argument(metavar="RUN", help="A file, last, last~1, a name, a tag or an id.")
]
Least = Annotated[
    list[str] | None,
    typer.Option("--min", metavar="METRIC=X", help="The mean is X or more."),
]
Most = Annotated[
    list[str] | None,
    typer.Option("--max", metavar="METRIC=X", help="The mean is X or less."),
]
Lower = Annotated[
    list[str] | None,
    typer.Option("--min-lower-bound", metavar="METRIC=X", help="So is its interval's low end."),
]
Upper = Annotated[
    list[str] | None,
    typer.Option("--max-upper-bound", metavar="METRIC=X", help="So is its interval's top end."),
]
Baseline = Annotated[
    str | None,
    typer.Option(
        "--no-worse-than", metavar="RUN", help="No metric is significantly worse than in this run."
    ),
]
Tolerance = Annotated[
    float | None,
    typer.Option(help="How much worse a mean may be, instead of the test of significance."),
]
MaxMissing = Annotated[
    float | None, typer.Option(help="Greatest share of a metric's results that may be missing.")
]
MaxFailed = Annotated[int | None, typer.Option(help="Greatest number of results that failed.")]
JUnit = Annotated[Path | None, typer.Option("--junit", help="Write the outcome as JUnit XML.")]
Summary = Annotated[Path | None, typer.Option("--summary", help="Write the outcome as Markdown.")]


def gate_command(
    run: Limited,
    least: Least = None,
    most: Most = None,
    lower: Lower = None,
    upper: Upper = None,
    no_worse_than: Baseline = None,
    tolerance: Tolerance = None,
    max_missing: MaxMissing = None,
    max_failed: MaxFailed = None,
    junit: JUnit = None,
    summary: Summary = None,
    store: Store = str(DEFAULT_STORE),
    as_json: AsJson = False,
    quiet: Quiet = False,
) -> None:
    """Hold a run against limits; the exit code is 0 if all hold and 3 if not."""
    from llamaindex_rag_eval.gates.gate import Gate

    gate = Gate.parse(
        min=least or (),
        max=most or (),
        min_lower_bound=lower or (),
        max_upper_bound=upper or (),
        no_worse_than=no_worse_than is not None,
        tolerance=tolerance,
        max_missing=max_missing,
        max_failed=max_failed,
    )
    baseline = None if no_worse_than is None else run_at(no_worse_than, store)
    outcome = gate.check(run_at(run, store), baseline=baseline)
    _write(outcome, junit, summary)
    _show(outcome, Screen(quiet=quiet, as_json=as_json))


def _write(outcome: "GateOutcome", junit: Path | None, summary: Path | None) -> None:
    from llamaindex_rag_eval.gates.formats import write_junit, write_summary

    if junit is not None:
        write_junit(outcome, junit)
    if summary is not None:
        write_summary(outcome, summary)


def _show(outcome: "GateOutcome", screen: Screen) -> None:
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for column in ("", "check", "found"):
        table.add_column(column)
    for check in outcome.checks:
        mark = Text("holds", "green") if check.held else Text("FAILS", "red")
        table.add_row(mark, Text(check.rule), Text(check.message))
    screen.show(table, *outcome.notes)
    screen.data(outcome.as_json())
    if not outcome.held:
        failed = sum(not check.held for check in outcome.checks)
        screen.note(f"the gate does not hold: {failed} of {len(outcome.checks)} checks fail")
        raise typer.Exit(Exit.GATE)
