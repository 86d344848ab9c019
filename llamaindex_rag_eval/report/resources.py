"""What answers take, beside their quality: a table for the terminal and for the page."""

from collections.abc import Sequence
from functools import partial

from rich.table import Table

from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.comparisons import Comparisons
from llamaindex_rag_eval.report.console import text_table
from llamaindex_rag_eval.report.tables import DIFFERENCE, STYLES
from llamaindex_rag_eval.report.view import Shown, view_of
from llamaindex_rag_eval.runs.clusters import Clustering
from llamaindex_rag_eval.runs.resources import (
    RESOURCES,
    ResourceSummary,
    resource_text,
)
from llamaindex_rag_eval.runs.run import Run

TITLE = "What an answer takes"

SIGNED = partial(resource_text, sign=True)


def resource_tables(
    about: Run | Comparison | Comparisons, clusters: Clustering = "documents"
) -> Shown | None:
    """Return the resources of a run or of runs compared; `None` where none is known.

    Args:
        about: What to show.
        clusters: What is not independent in a run; runs compared have said so already.

    Returns:
        Texts: the `head` of the columns, the first one empty; `rows`, one a resource, the first
        cell its name with its unit; `findings`, for each row what is shown of the last run, empty
        for a run alone; and a `legend`.
    """
    view = view_of(about, clusters)
    if isinstance(about, Run):
        return _of_run(tuple(view.resources[0].values()))
    by_name = [{contrast.spec: contrast for contrast in pair.resources} for pair in view.pairs]
    head = ["", view.names[0]]
    for name in view.names[1:]:
        head += [name, DIFFERENCE]
    rows, findings = [], []
    for name in RESOURCES:
        contrasts = [known.get(name) for known in by_name]
        if first := next(filter(None, contrasts), None):
            cells = [resource_label(name), resource_text(first.mean_a)]
            for contrast in contrasts:
                known = contrast and (
                    resource_text(contrast.mean_b),
                    contrast.estimate.text(SIGNED),
                )
                cells += known or ("–", "–")
            rows.append(tuple(cells))
            findings.append(first.finding if len(contrasts) == 1 else "")
    legend = (
        "Over the questions for which both runs recorded it. Intervals hold for all of these "
        "together, apart from those of scores."
    )
    table = {"head": head, "rows": rows, "findings": findings, "legend": legend}
    return table if rows else None


def _of_run(summaries: Sequence[ResourceSummary]) -> Shown | None:
    if not summaries:
        return None
    rows = tuple(
        (
            resource_label(summary.name),
            resource_text(summary.mean),
            _interval(summary),
            resource_text(summary.median),
            resource_text(summary.p95),
            f"{summary.answers:,}",
        )
        for summary in summaries
    )
    head = ("", "mean", "95% interval", "median", "95th percentile", "answers")
    legend = "Of answers of which it is known."
    return {"head": head, "rows": rows, "findings": [""] * len(rows), "legend": legend}


def _interval(summary: ResourceSummary) -> str:
    low, high = (resource_text(end) for end in (summary.low, summary.high))
    return "–" if summary.low is None else f"{low} to {high}"


def resource_label(name: str) -> str:
    """Return the name of a resource with its unit."""
    unit = RESOURCES[name]
    return name if unit == name else f"{name.replace('_', ' ')}, {unit}"


def resources_table(
    about: Run | Comparison | Comparisons, clusters: Clustering = "documents"
) -> Table | None:
    """Return the same for the terminal; `None` where no resource is known."""
    table = resource_tables(about, clusters)
    if table is None:
        return None
    head, styles = table["head"], [STYLES.get(finding, "") for finding in table["findings"]]
    return text_table(TITLE, head[:1], head[1:], rows=table["rows"], styles=styles)
