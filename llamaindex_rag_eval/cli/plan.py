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
    found = plan(
        names_in(metrics), effect=effect, pilot=runs, size=size, power=power, clusters=clusters
    )
    printer.show(_table(found), *found.notes)
    printer.data(found.as_json())


def _table(found: "Plan") -> "Table":
    from rich.table import Table
    from rich.text import Text

    many = len(found.metrics)
    title = (
        f"To show a difference of {found.effect:g} on one of {many} metrics in {found.power:.0%}"
    )
    table = Table(title=Text(title), title_justify="left")
    table.add_column("metric")
    for column in ("questions", "documents"):
        table.add_column(column, justify="right")
    if found.size is not None:
        table.add_column(f"{found.size} questions can show", justify="right")
    for one in found.metrics:
        cells = [
            "over 20,000" if one.questions is None else f"{one.questions:,}",
            "–" if one.documents is None else f"{one.documents:,}",
        ]
        if found.size is not None:
            cells.append("nothing" if one.shown is None else f"{one.shown:.3f} or more")
        table.add_row(Text(one.metric), *cells)
    return table
