"""`rag-eval plan`: how many questions does it take to show a difference?"""

from typing import TYPE_CHECKING, Annotated

from typer import Option

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.inputs import names_in, run_at

if TYPE_CHECKING:
    from rich.table import Table

    from llamaindex_rag_eval.comparison.plan import Plan

Effect = Annotated[
    float, Option("--effect", help="The difference to be shown, in the unit of the metrics.")
]
PilotRuns = Annotated[
    list[str] | None,
    Option("--pilot", metavar="RUN", help="A run to plan from; give it twice for two pipelines."),
]
PlannedSize = Annotated[
    int | None, Option("--size", "-n", min=2, help="Also say what so many questions can show.")
]
Power = Annotated[
    float, Option("--power", min=0.1, max=0.99, help="The chance to show the difference.")
]


def plan_command(
    metrics: options.Metrics = None,
    effect: Effect = 0.05,
    pilot: PilotRuns = None,
    size: PlannedSize = None,
    power: Power = 0.8,
    clusters: options.Clusters = "documents",
    store: options.Store = options.STORE,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Say how many questions and documents a comparison needs, and what a given number can show.

    The test of `compare` is simulated, corrected for all metrics. Two runs as a pilot say how much
    questions change between pipelines and resemble each other within documents.
    """
    from llamaindex_rag_eval.comparison.plan import plan

    printer = Printer(quiet=quiet, as_json=as_json)
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
