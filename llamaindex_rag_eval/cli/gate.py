"""`rag-eval gate`: check a run against thresholds, for CI."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import Group, Parameter

from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import Printer, printer
from llamaindex_rag_eval.cli.errors import Exit
from llamaindex_rag_eval.cli.options import Clustered, Margin, options
from llamaindex_rag_eval.cli.stored import RUN_HELP, Stored

MARKS = {"holds": "holds", "fails": "FAILS", "too few questions": "TOO FEW"}
"""Outcome of a check -> its word in the table."""

STYLES = {"holds": "", "fails": "red", "too few questions": "yellow"}
"""Outcome of a check -> how its row looks."""

Bounds = Annotated[tuple[str, ...], Parameter(metavar="METRIC=X")]


@options()
class Thresholds(Clustered, Margin):
    """What a run is held to, as `Gate.parse` takes it."""

    min: Bounds = ()
    """The mean is X or more."""
    max: Bounds = ()
    """The mean is X or less."""
    min_lower_bound: Bounds = ()
    """The interval's low end is X or more."""
    max_upper_bound: Bounds = ()
    """The interval's top end is X or less."""
    max_missing: float | None = None
    """Greatest share of a metric's results that may be missing; 0."""
    max_failed: int | None = None
    """Greatest number of results that failed."""
    max_undefined: float = 0.1
    """Greatest share of a metric's results that may be undefined."""
    min_scored: int = 5
    """Fewest scores of which a mean is held to a threshold."""


@options(group=Group("Accept", sort_key=1))
class Accepted:
    """What is accepted though it leaves a verdict open, as `Allowances` has it."""

    inconclusive: Annotated[bool, Parameter(name="--allow-inconclusive")] = False
    """Accept too few questions to tell; no shown loss."""
    other_data: Annotated[bool, Parameter(name="--allow-other-data")] = False
    """Accept other questions or references than before."""
    other_judge: Annotated[bool, Parameter(name="--allow-other-judge")] = False
    """Accept another judge, direction or bounds."""
    uncompared: Annotated[bool, Parameter(name="--allow-uncompared")] = False
    """Accept metrics that cannot be compared."""


def gate_command(
    run: Annotated[str, Parameter(help=RUN_HELP)],
    /,
    *,
    thresholds: Thresholds = Thresholds(),
    no_worse_than: Annotated[str | None, Parameter(metavar="RUN")] = None,
    accepted: Accepted = Accepted(),
    junit: Path | None = None,
    summary: Path | None = None,
    stored: Stored = Stored(),
) -> None:
    """Check a run against thresholds, or against another run.

    The exit code is 0 if all hold, 3 if one fails, and 5 if there are too few questions to tell.
    Results that failed, many undefined ones, other questions and another judge fail by default.
    Against another run it is the verdict of `compare`: ship (0), do not ship (3), or cannot tell
    yet (5), which is all that fewer than 20 questions with both scores can say beside a loss. The
    same answers as before pass.

    Args:
        no_worse_than: Every metric is shown not to be worse than in this run by the margin or more.
        junit: Write the outcome as JUnit XML.
        summary: Write the outcome as Markdown.
    """
    gate = library.Gate.parse(
        no_worse_than=no_worse_than is not None,
        allow=library.Allowances(**asdict(accepted)),
        **asdict(thresholds),
    )
    baseline = None if no_worse_than is None else stored.run(no_worse_than)
    outcome = gate.check(stored.run(run), baseline=baseline)
    if junit is not None:
        library.write_junit(outcome, junit)
    if summary is not None:
        library.write_summary(outcome, summary)
    _print_outcome(outcome, printer)


def _print_outcome(outcome: "library.GateResult", printer: Printer) -> None:
    """Print the checks, and leave with the exit code of a gate that does not hold."""
    rows = [(MARKS[check.outcome], check.rule, check.message) for check in outcome.checks]
    styles = [STYLES[check.outcome] for check in outcome.checks]
    table = library.text_table("", ["", "check"], last="found", rows=rows, styles=styles)
    printer.show(table, *outcome.notes)
    printer.data(outcome.as_json())
    failed = sum(not check.held for check in outcome.checks)
    if outcome.outcome == "fails":
        printer.note(f"the gate does not hold: {failed} of {len(outcome.checks)} checks fail")
        raise SystemExit(Exit.GATE)
    if outcome.outcome == "too few questions":
        printer.note(f"too few questions to tell on {failed} of {len(outcome.checks)} checks")
        raise SystemExit(Exit.TOO_FEW)
