"""`rag-eval gate`: check a run against thresholds, for CI."""

from collections.abc import Mapping
from dataclasses import asdict, fields
from pathlib import Path
from typing import Annotated

from cyclopts import Group, Parameter

from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import Printer, printer
from llamaindex_rag_eval.cli.errors import Exit
from llamaindex_rag_eval.cli.options import Clustered, DecidedBy, options
from llamaindex_rag_eval.cli.stored import RUN_HELP, Stored

MARKS = {"holds": "holds", "fails": "FAILS", "cannot tell": "OPEN"}
"""Outcome of a check -> its word in the table."""

STYLES = {"holds": "", "fails": "red", "cannot tell": "yellow"}
"""Outcome of a check -> how its row looks."""

Bounds = Annotated[tuple[str, ...], Parameter(metavar="METRIC=X")]


@options()
class Thresholds(Clustered):
    """What a run is held to by itself, as `Policy.parse` takes it."""

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
    """Accept too few questions to tell; never a shown loss, nor a mean worse by the margin."""
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
    decided_by: DecidedBy = DecidedBy(),
    no_worse_than: Annotated[str | None, Parameter(metavar="RUN")] = None,
    accepted: Accepted = Accepted(),
    junit: Path | None = None,
    summary: Path | None = None,
    stored: Stored = Stored(),
) -> None:
    """Check a run against thresholds, or against another run.

    The exit code is 0 if it may pass: better, not worse, or every limit kept. Else it is 3: worse,
    or a limit is missed; 5: too few questions to tell; 7: not comparable, as with other questions
    or another judge. Results that failed and many undefined ones miss a limit by default; against
    another run those that failed count as the worst there can be.
    Against another run the decision is that of `compare`. The same answers as before pass.

    Args:
        no_worse_than: The metric that decides is shown not to be worse than in this run by the
            margin or more, and no other metric is shown to be worse.
        junit: Write the outcome as JUnit XML.
        summary: Write the outcome as Markdown.
    """
    limits = {f.name: getattr(thresholds, f.name) for f in fields(thresholds)}
    policy = decided_by.policy(allow=library.Allowances(**asdict(accepted)), **limits)
    baseline = None if no_worse_than is None else stored.run(no_worse_than)
    decision = library.decide(baseline, stored.run(run), policy)
    if junit is not None:
        library.write_junit(decision, junit)
    if summary is not None:
        library.write_summary(decision, summary)
    _print_decision(decision, printer)


EXITS: "Mapping[library.Outcome, Exit]" = {
    "worse": Exit.GATE,
    "limit missed": Exit.GATE,
    "cannot tell": Exit.TOO_FEW,
    "not comparable": Exit.NOT_COMPARABLE,
}
"""Outcome that does not pass -> exit code."""


def _print_decision(decision: "library.Decision", printer: Printer) -> None:
    """Print the decision and its checks, and leave with the exit code of one that does not pass."""
    rows = [(MARKS[check.outcome], check.rule, check.message) for check in decision.checks]
    styles = [STYLES[check.outcome] for check in decision.checks]
    table = library.text_table("", ["", "check"], last="found", rows=rows, styles=styles)
    printer.show(table, f"{decision.headline}.", *decision.reasons, *decision.notes)
    printer.data(decision.as_json())
    if not decision.held:
        printer.note(f"the gate does not hold: {decision.headline}")
        raise SystemExit(EXITS[decision.outcome])
