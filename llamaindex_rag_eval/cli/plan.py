"""`rag-eval plan`: how many questions does it take to show a difference?"""

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter
from cyclopts.validators import Number

from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.inputs import names_in, run_at
from llamaindex_rag_eval.cli.options import STORE, Clusters, Metrics, Store

if TYPE_CHECKING:
    from rich.table import Table

    from llamaindex_rag_eval.decisions.plan import Plan


def plan_command(
    *,
    metrics: Metrics = None,
    effect: float = 0.05,
    pilot: Annotated[list[str] | None, Parameter(metavar="RUN")] = None,
    size: Annotated[int | None, Parameter(alias="-n", validator=Number(gte=2))] = None,
    power: Annotated[float, Parameter(validator=Number(gte=0.1, lte=0.99))] = 0.8,
    clusters: Clusters = "documents",
    store: Store = STORE,
    printer: Printer = Printer(),
) -> None:
    """Say how many questions and documents a comparison needs, and what a given number can show.

    The test of `compare` is simulated, corrected for all metrics. Two runs as a pilot say how much
    questions change between pipelines and resemble each other within documents.

    Args:
        effect: The difference to be shown, in the unit of the metrics.
        pilot: A run to plan from; give it twice for two pipelines.
        size: Also say what so many questions can show.
        power: The chance to show the difference.
    """
    from llamaindex_rag_eval.decisions.plan import plan

    runs = [run_at(reference, store) for reference in pilot or ()]
    planned = plan(
        names_in(metrics), effect=effect, pilot=runs, size=size, power=power, clusters=clusters
    )
    printer.show(_table(planned), *planned.notes)
    printer.data(planned.as_json())


def _table(plan: "Plan") -> "Table":
    from rich.table import Table
    from rich.text import Text

    count, power = len(plan.metrics), f"{plan.power:.0%}"
    title = f"To show a difference of {plan.effect:g} on one of {count} metrics in {power}"
    columns = ["questions", "documents"]
    columns += [] if plan.size is None else [f"{plan.size} questions can show"]
    table = Table("metric", title=Text(title), title_justify="left")
    for column in columns:
        table.add_column(column, justify="right")
    for metric in plan.metrics:
        cells = (
            "over 20,000" if metric.questions is None else f"{metric.questions:,}",
            "–" if metric.documents is None else f"{metric.documents:,}",
            "nothing" if metric.shown is None else f"{metric.shown:.3f} or more",
        )
        table.add_row(Text(metric.metric), *cells[: len(columns)])
    return table
