"""`rag-eval gate`: check a run against thresholds, for CI."""

from typing import TYPE_CHECKING

import typer

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.errors import Exit
from llamaindex_rag_eval.cli.inputs import run_at

if TYPE_CHECKING:
    from llamaindex_rag_eval.gates.gate import GateResult

__all__ = ["gate_command"]


def gate_command(
    run: options.StoredRun,
    least: options.AtLeast = None,
    most: options.AtMost = None,
    lower: options.LowAtLeast = None,
    upper: options.HighAtMost = None,
    no_worse_than: options.NoWorseThan = None,
    tolerance: options.Tolerance = None,
    max_missing: options.MaxMissing = None,
    max_failed: options.MaxFailed = None,
    junit: options.JUnit = None,
    summary: options.Summary = None,
    store: options.Store = options.STORE,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Check a run against thresholds; the exit code is 0 if all hold and 3 if not."""
    from llamaindex_rag_eval.gates.formats import write_junit, write_summary
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
    if junit is not None:
        write_junit(outcome, junit)
    if summary is not None:
        write_summary(outcome, summary)
    _print_outcome(outcome, Printer(quiet=quiet, as_json=as_json))


def _print_outcome(outcome: "GateResult", printer: Printer) -> None:
    """Print the checks, and leave with the exit code of a gate that does not hold."""
    from rich.table import Table
    from rich.text import Text

    table = Table()
    for column in ("", "check", "found"):
        table.add_column(column)
    for check in outcome.checks:
        mark = Text("holds", "green") if check.held else Text("FAILS", "red")
        table.add_row(mark, Text(check.rule), Text(check.message))
    printer.show(table, *outcome.notes)
    printer.data(outcome.as_json())
    if not outcome.held:
        failed = sum(not check.held for check in outcome.checks)
        printer.note(f"the gate does not hold: {failed} of {len(outcome.checks)} checks fail")
        raise typer.Exit(Exit.GATE)
