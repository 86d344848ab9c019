"""`rag-eval gate`: check a run against thresholds, for CI."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from typer import Option

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.errors import Exit
from llamaindex_rag_eval.cli.inputs import run_at

if TYPE_CHECKING:
    from llamaindex_rag_eval.gates.gate import GateResult

AtLeast = Annotated[
    list[str] | None, Option("--min", metavar="METRIC=X", help="The mean is X or more.")
]
AtMost = Annotated[
    list[str] | None, Option("--max", metavar="METRIC=X", help="The mean is X or less.")
]
LowAtLeast = Annotated[
    list[str] | None,
    Option("--min-lower-bound", metavar="METRIC=X", help="The interval's low end is X or more."),
]
HighAtMost = Annotated[
    list[str] | None,
    Option("--max-upper-bound", metavar="METRIC=X", help="The interval's top end is X or less."),
]
NoWorseThan = Annotated[
    str | None,
    Option(
        "--no-worse-than",
        metavar="RUN",
        help="Every metric is shown not to be worse than in this run by the margin or more.",
    ),
]
MaxUndefined = Annotated[
    float,
    Option("--max-undefined", help="Greatest share of a metric's results that may be undefined."),
]
MinScored = Annotated[
    int, Option("--min-scored", help="Fewest scores of which a mean is held to a threshold.")
]
AllowInconclusive = Annotated[
    bool, Option("--allow-inconclusive", help="Accept too few questions to tell.")
]
AllowOtherData = Annotated[
    bool, Option("--allow-other-data", help="Accept other questions or references than before.")
]
AllowOtherJudge = Annotated[
    bool, Option("--allow-other-judge", help="Accept another judge, direction or bounds.")
]
AllowUncompared = Annotated[
    bool, Option("--allow-uncompared", help="Accept metrics that cannot be compared.")
]
MaxMissing = Annotated[
    float | None,
    Option("--max-missing", help="Greatest share of a metric's results that may be missing; 0."),
]
MaxFailed = Annotated[
    int | None, Option("--max-failed", help="Greatest number of results that failed.")
]
JUnit = Annotated[Path | None, Option("--junit", help="Write the outcome as JUnit XML.")]
Summary = Annotated[Path | None, Option("--summary", help="Write the outcome as Markdown.")]

MARKS = {"holds": "holds", "fails": "FAILS", "too few questions": "TOO FEW"}
"""Outcome of a check -> its word in the table."""


def gate_command(
    run: options.StoredRun,
    least: AtLeast = None,
    most: AtMost = None,
    lower: LowAtLeast = None,
    upper: HighAtMost = None,
    no_worse_than: NoWorseThan = None,
    margin: options.Margin = None,
    max_missing: MaxMissing = None,
    max_failed: MaxFailed = None,
    max_undefined: MaxUndefined = 0.1,
    min_scored: MinScored = 5,
    allow_inconclusive: AllowInconclusive = False,
    allow_other_data: AllowOtherData = False,
    allow_other_judge: AllowOtherJudge = False,
    allow_uncompared: AllowUncompared = False,
    clusters: options.Clusters = "documents",
    junit: JUnit = None,
    summary: Summary = None,
    store: options.Store = options.STORE,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Check a run against thresholds, or against another run.

    The exit code is 0 if all hold, 3 if one fails, and 5 if there are too few questions to tell.
    Results that failed, many undefined ones, other questions and another judge fail by default.
    """
    from llamaindex_rag_eval.gates.formats import write_junit, write_summary
    from llamaindex_rag_eval.gates.gate import Gate
    from llamaindex_rag_eval.gates.regression import Allowances

    gate = Gate.parse(
        min=least or (),
        max=most or (),
        min_lower_bound=lower or (),
        max_upper_bound=upper or (),
        no_worse_than=no_worse_than is not None,
        margin=margin or None,
        max_missing=max_missing,
        max_failed=max_failed,
        max_undefined=max_undefined,
        min_scored=min_scored,
        allow=Allowances(allow_inconclusive, allow_other_data, allow_other_judge, allow_uncompared),
        clusters=clusters,
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
        style = {"holds": "green", "fails": "red"}.get(check.outcome, "yellow")
        table.add_row(Text(MARKS[check.outcome], style), Text(check.rule), Text(check.message))
    printer.show(table, *outcome.notes)
    printer.data(outcome.as_json())
    failed = sum(not check.held for check in outcome.checks)
    if outcome.outcome == "fails":
        printer.note(f"the gate does not hold: {failed} of {len(outcome.checks)} checks fail")
        raise typer.Exit(Exit.GATE)
    if outcome.outcome == "too few questions":
        printer.note(f"too few questions to tell on {failed} of {len(outcome.checks)} checks")
        raise typer.Exit(Exit.TOO_FEW)
