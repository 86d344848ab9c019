"""`rag-eval trend`: one metric over the stored runs."""

from typing import Annotated

from typer import Argument

from llamaindex_rag_eval.cli import options
from llamaindex_rag_eval.cli.console import Printer

TrendMetric = Annotated[str, Argument(help="Which metric, as 'faithfulness' or 'ndcg@10'.")]


def trend_command(
    metric: TrendMetric,
    name: options.RunName = "",
    tag: options.RunTag = "",
    last: options.LastRuns = 20,
    store: options.Store = options.STORE,
    as_json: options.AsJson = False,
    quiet: options.Quiet = False,
) -> None:
    """Show a metric over the stored runs, the oldest first, and which changes are real.

    Each run is compared with the one before it, question by question, corrected for all of them.
    """
    from llamaindex_rag_eval.comparison.ranking import changes
    from llamaindex_rag_eval.report.run_tables import trend_table
    from llamaindex_rag_eval.runs.store.run_store import RunStore

    printer = Printer(quiet=quiet, as_json=as_json)
    runs = RunStore(store)
    points = runs.trend(metric, name=name, tag=tag, last=last)
    found = changes([runs.get(point.run.id) for point in points], metric)
    printer.show(trend_table(metric, points, [c.finding if c else "" for c in found]))
    if any(point.same_questions is False for point in points):
        printer.show("* other questions than the run before, which alone may explain the change")
    printer.data(
        [
            {**point.as_json(), "finding": c.finding if c else None}
            for point, c in zip(points, found, strict=True)
        ]
    )
