"""`rag-eval trend`: one metric over the stored runs."""

from llamaindex_rag_eval.cli.console import Printer
from llamaindex_rag_eval.cli.options import StoredRuns


def trend_command(
    metric: str,
    /,
    *,
    which: StoredRuns = StoredRuns(),
    printer: Printer = Printer(),
) -> None:
    """Show a metric over the stored runs, the oldest first, and which changes are real.

    Each run is compared with the one before it, question by question, corrected for all of them.

    Args:
        metric: Which metric, as 'faithfulness' or 'ndcg@10'.
    """
    from llamaindex_rag_eval.decisions.ranking import changes
    from llamaindex_rag_eval.report.run_tables import trend_table
    from llamaindex_rag_eval.runs.store.run_store import RunStore

    runs = RunStore(which.store)
    points = runs.trend(metric, name=which.name, tag=which.tag, last=which.last)
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
