"""What answers take, beside their quality: a table for the terminal and for the page."""

from collections.abc import Sequence
from dataclasses import dataclass

from rich import box
from rich.table import Table
from rich.text import Text

from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.comparisons import Comparisons
from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.report.view import view_of
from llamaindex_rag_eval.runs.clusters import Clustering
from llamaindex_rag_eval.runs.resources import (
    RESOURCES,
    ResourceSummary,
    resource_text,
    resources_of,
)
from llamaindex_rag_eval.runs.run import Run

TITLE = "What an answer takes"


@dataclass(frozen=True, slots=True)
class ResourceTable:
    """Resources as texts: a line a resource.

    Attributes:
        head: The headings of the columns, the first one empty.
        rows: The cells, the first the resource with its unit.
        findings: For each line what is shown of the last run; empty for a run alone.
        legend: How to read it.
    """

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    findings: tuple[str, ...]
    legend: str


def resource_tables(
    about: Run | Comparison | Comparisons, clusters: Clustering = "documents"
) -> ResourceTable | None:
    """Return the resources of a run or of runs compared; `None` where none is known.

    Args:
        about: What to show.
        clusters: What is not independent in a run; runs compared have said so already.
    """
    if isinstance(about, Run):
        return _of_run(resources_of(about.samples, clusters))
    view = view_of(about)
    found = about.resources if isinstance(about, Comparisons) else (about.resources,)
    names = [name for name in RESOURCES if any(_named(name, of_pair) for of_pair in found)]
    if not names:
        return None
    head = ["", view.names[0]]
    for name in view.names[1:]:
        head += [name, "difference, 95% CI"]
    rows, findings = [], []
    for name in names:
        contrasts = [_named(name, of_pair) for of_pair in found]
        first = next(one for one in contrasts if one is not None)
        cells = [_label(name), resource_text(first.mean_a)]
        for one in contrasts:
            cells += ["–", "–"] if one is None else [resource_text(one.mean_b), _difference(one)]
        rows.append(tuple(cells))
        findings.append(first.finding if len(contrasts) == 1 else "")
    legend = (
        "Over the questions of which both runs know it; differences are paired, corrected for one "
        "another, and apart from those of scores."
    )
    return ResourceTable(tuple(head), tuple(rows), tuple(findings), legend)


def _of_run(found: Sequence[ResourceSummary]) -> ResourceTable | None:
    if not found:
        return None
    rows = tuple(
        (
            _label(one.name),
            resource_text(one.mean),
            "–" if one.low is None else f"{resource_text(one.low)} to {resource_text(one.high)}",
            resource_text(one.median),
            resource_text(one.p95),
            f"{one.answers:,}",
        )
        for one in found
    )
    head = ("", "mean", "95% interval", "median", "95th percentile", "answers")
    return ResourceTable(head, rows, ("",) * len(rows), "Of answers of which it is known.")


def _named(name: str, contrasts: Sequence[Contrast]) -> Contrast | None:
    return next((one for one in contrasts if one.metric.spec == name), None)


def _label(name: str) -> str:
    unit = RESOURCES[name]
    return name if unit == name else f"{name.replace('_', ' ')}, {unit}"


def _difference(contrast: Contrast) -> str:
    estimate = contrast.estimate
    difference, low, high = (
        resource_text(end, sign=True) for end in (estimate.value, estimate.low, estimate.high)
    )
    return difference if estimate.low is None else f"{difference} ({low}, {high})"


def resources_table(
    about: Run | Comparison | Comparisons, clusters: Clustering = "documents"
) -> Table | None:
    """Return the same for the terminal; `None` where no resource is known."""
    found = resource_tables(about, clusters)
    if found is None:
        return None
    table = Table(title=TITLE, title_justify="left", box=box.SIMPLE_HEAD, pad_edge=False)
    for place, name in enumerate(found.head):
        table.add_column(Text(name), justify="right" if place else "left", no_wrap=not place)
    for cells, finding in zip(found.rows, found.findings, strict=True):
        style = {"better": "green", "worse": "red"}.get(finding, "")
        table.add_row(*map(Text, cells), style=style)
    return table
