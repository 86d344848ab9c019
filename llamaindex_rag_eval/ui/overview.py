"""The first page: each metric over the runs, and their table."""

from collections import Counter
from collections.abc import Sequence
from urllib.parse import quote

from llamaindex_rag_eval.report.figures import ChartPoint, estimate_of, trend_chart
from llamaindex_rag_eval.report.numbers import interval, number
from llamaindex_rag_eval.report.view import Shown
from llamaindex_rag_eval.runs.store.tables import StoredRun
from llamaindex_rag_eval.runs.summary import MetricSummary
from llamaindex_rag_eval.stats.interval import Estimate
from llamaindex_rag_eval.ui.history import before


def when(run: StoredRun) -> str:
    """Return when a run was made, in UTC, to the minute."""
    return (run.started or run.kept)[:16].replace("T", " ")


def title_of(run: StoredRun) -> str:
    """Return how a run is told from others."""
    return f"{run.name or 'run'}, {when(run)}"


def metrics_of(runs: Sequence[StoredRun]) -> dict[str, str]:
    """Return the metrics of runs with their direction, those of the newest run first."""
    return {mean.metric.spec: mean.metric.direction for run in reversed(runs) for mean in run.means}


def name_series(runs: Sequence[StoredRun]) -> dict[str, int]:
    """Return the names of runs with the number of their line, the name of most runs first."""
    common = Counter(run.name for run in reversed(runs)).most_common()
    return {name: line for line, (name, _) in enumerate(common)}


def metric_panels(runs: Sequence[StoredRun]) -> list[Shown]:
    """Return a panel for each metric with a mean, over runs from the oldest to the newest.

    Returns:
        For each its `metric`, the `direction` that is better, and its `chart`.
    """
    series, panels = name_series(runs), list[Shown]()
    for spec, direction in metrics_of(runs).items():
        points = [
            run_point(position, run, series[run.name], estimate_of(mean), _words(mean))
            for position, run in enumerate(runs)
            if (mean := run.mean(spec)) is not None and mean.mean is not None
        ]
        if points:
            chart = trend_chart(points, len(runs))
            panels.append({"metric": spec, "direction": direction, "chart": chart})
    return panels


def run_point(
    position: int, run: StoredRun, series: int, estimate: Estimate, words: str, question: str = ""
) -> ChartPoint:
    """Return the point of a run in a chart, which leads to the run, or to a question in it."""
    link = f"run?id={quote(run.id)}" + (f"#question={quote(question)}" if question else "")
    return ChartPoint(position, estimate, series, link, f"{title_of(run)}: {words}")


def _words(mean: MetricSummary) -> str:
    reach = "" if mean.low is None else f" ({interval(mean.low, mean.high)})"
    return f"{number(mean.mean)}{reach}"


def run_rows(
    runs: Sequence[StoredRun], every: Sequence[StoredRun], metrics: Sequence[str]
) -> list[Shown]:
    """Return the rows of the table, the newest first.

    Args:
        runs: Which, the oldest first.
        every: All runs there are, the oldest first.
        metrics: The columns.

    Returns:
        For each the `run`; its `means`, one for each metric, `None` where it has none; the run of
        its name `before` it, `None` for the first; and whether that was asked `other_questions`.
    """
    rows = list[Shown]()
    for run in reversed(runs):
        earlier = before(run, every)
        other = earlier is not None and earlier.questions != run.questions
        means = list(map(run.mean, metrics))
        rows.append({"run": run, "means": means, "before": earlier, "other_questions": other})
    return rows
