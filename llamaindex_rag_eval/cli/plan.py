"""`rag-eval more plan`: how many questions does it take to show a difference?"""

from typing import Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from llamaindex_rag_eval.cli import library
from llamaindex_rag_eval.cli.console import printer
from llamaindex_rag_eval.cli.options import Clustered, Metrics
from llamaindex_rag_eval.cli.stored import Stored


def plan_command(
    pilot: Annotated[list[str] | None, Parameter(metavar="RUN")] = None,
    *,
    metrics: Metrics = Metrics(),
    effect: float = 0.05,
    size: Annotated[int | None, Parameter(alias="-n", validator=Number(gte=2))] = None,
    power: Annotated[float, Parameter(validator=Number(gte=0.1, lte=0.99))] = 0.8,
    how: Clustered = Clustered(),
    stored: Stored = Stored(),
) -> None:
    """Say how many questions a comparison needs.

    It also says how many documents, how many questions a gate with that margin needs to pass an
    equally good pipeline, and which difference a given number of questions shows. The test of
    `compare` is simulated, corrected for all metrics. Two runs as a pilot tell how much the scores
    change between pipelines and how similar questions on one document are.

    Args:
        pilot: One run, or two of different pipelines, to plan from: files (.jsonl) or stored runs.
        effect: The difference to be shown, and the margin of a gate, in the unit of the metrics.
        size: Also print the difference that this number of questions shows.
        power: The chance to show the difference.
    """
    planned = library.plan(
        metrics.names,
        effect=effect,
        pilot=[stored.run(reference) for reference in pilot or ()],
        size=size,
        power=power,
        clusters=how.clusters,
    )
    printer.show(_table(planned), *planned.notes)
    printer.data(planned.as_json())


def _table(plan: "library.Plan") -> "library.Table":
    columns = ["to show it", "in documents", "to rule out a loss of it"]
    columns += [] if plan.size is None else [f"shown by {plan.size} questions"]
    notes = (
        f"to show it: if the difference is {plan.effect:g}",
        "to rule out a loss of it, as a gate with this margin does: if both are as good",
    )
    rows = []
    for metric in plan.metrics:
        cells = (
            "over 20,000" if metric.questions is None else f"{metric.questions:,}",
            "–" if metric.documents is None else f"{metric.documents:,}",
            "over 20,000" if metric.rules_out is None else f"{metric.rules_out:,}",
            "nothing" if metric.shown is None else f"{metric.shown:.3f} or more",
        )
        rows.append((metric.metric, *cells[: len(columns)]))
    title = f"Questions it takes for a difference of {plan.effect:g}, in {plan.power:.0%} of cases"
    title += f", where {plan.primary} decides" if len(plan.metrics) > 1 and plan.primary else ""
    return library.text_table(title, ["metric"], columns, rows=rows, notes=notes)
