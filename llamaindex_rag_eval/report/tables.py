"""Tables for the terminal: runs, comparisons, stored runs; and runs as CSV."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from rich.table import Table
from rich.text import Text

from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.comparisons import Comparisons
from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.metrics.result import Row, Status
from llamaindex_rag_eval.report.console import text_table
from llamaindex_rag_eval.report.numbers import counted, interval, number, shares
from llamaindex_rag_eval.runs.clusters import Clustering
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run, table_csv, table_rows
from llamaindex_rag_eval.runs.store.tables import StoredRun
from llamaindex_rag_eval.runs.summary import MetricSummary
from llamaindex_rag_eval.stats.interval import signed

ARROW: Mapping[str, str] = {"higher": "↑", "lower": "↓", "neither": "·"}
"""The direction in which a metric is better."""

STYLES: Mapping[str, str] = {"better": "green", "worse": "red"}
"""Finding -> the colour of its row; a finding that is not shown has none."""

SHOWN = ("better", "worse", "different")
"""Findings that are shown."""

DIFFERENCE = "difference (interval)"
MEANS_SHOWN = 4
"""Metrics in a row of the list of runs; `rag-eval runs show` has all of them."""

LEGEND = "↑ higher is better, ↓ lower; a difference whose interval includes 0 may be chance"


def run_table(run: Run, clusters: Clustering = "documents") -> Table:
    """Return a run's metrics: the mean, its interval, and how many samples it is over."""
    return summary_table(run.name or "Run", run.summary(clusters), run.cluster_notes(clusters))


def summary_table(
    name: str, summaries: Sequence[MetricSummary], notes: Sequence[str] = ()
) -> Table:
    """Return a row for each metric: the mean, its interval, and how many samples it is over.

    Args:
        name: The title.
        summaries: Of the metrics.
        notes: Lines that stand below.
    """
    lines = [f"{s.metric.spec}: {shares(s.shares)}" for s in summaries if s.shares]
    rows = [
        (
            _named(summary.metric),
            number(summary.mean),
            interval(summary.low, summary.high),
            summary.scored,
            summary.undefined,
            summary.failed,
        )
        for summary in summaries
    ]
    columns = ("mean", "95% interval", "scored", "undefined", "failed")
    return text_table(name, ["metric"], columns, rows=rows, notes=[*lines, *notes])


def comparison_table(comparison: Comparison) -> Table:
    """Return two runs' metrics side by side, with the difference and its interval."""
    a, b = comparison.names
    lines, rows, pairing = [*decides(comparison), LEGEND], [], comparison.pairing
    for contrast in comparison.contrasts:
        spec = contrast.metric.spec
        of_runs = comparison.shares(spec).items()
        lines += [f"{spec}, {name}: {shares(of_run)}" for name, of_run in of_runs]
        results = zip(comparison.names, (pairing.rows_a[spec], pairing.rows_b[spec]), strict=True)
        lines += [f"{spec}, {name}: {_counts(own)}" for name, own in results if _lacks(own)]
        shown = contrast.finding if contrast.finding in SHOWN else ""
        label = _named(contrast.metric) + (", by people" if contrast.labels else "")
        means = (number(contrast.mean_a), number(contrast.mean_b))
        rows.append((label, *means, contrast.estimate.text(signed), shown))
    return text_table(
        f"{b} against {a}: {counted(len(pairing.ids), 'question')}",
        ["metric"],
        [a, b, DIFFERENCE, "finding"],
        rows=rows,
        styles=[STYLES.get(contrast.finding, "") for contrast in comparison.contrasts],
        notes=lines,
        whole=[DIFFERENCE],
    )


def comparisons_table(comparisons: Comparisons) -> Table:
    """Return several runs' differences from their baseline, a column for each run."""
    first = comparisons.names[0]
    means = {summary.metric.spec: summary.mean for summary in comparisons.baseline.summary()}
    rows = []
    for info in comparisons.metrics:
        contrasts = [pair.contrast(info.spec) for pair in comparisons.pairs]
        cells = [_difference_cell(contrast) for contrast in contrasts]
        mark = ", by people" if any(each and each.labels for each in contrasts) else ""
        rows.append((_named(info) + mark, number(means[info.spec]), *cells))
    return text_table(
        f"Against {first}: {counted(comparisons.questions, 'question')} in all",
        ["metric"],
        comparisons.names,
        rows=rows,
        notes=[
            *decides(comparisons.pairs[0]),
            f"mean of {first}, then differences from it (interval)",
            f"{LEGEND}, green or red",
        ],
    )


def decides(comparison: Comparison) -> list[str]:
    """Return which metric decides, if there are others."""
    if len(comparison.contrasts) < 2 or not comparison.primary:
        return []
    return [f"{comparison.primary} decides; any other metric that is clearly worse stops it"]


def why_without_score(*runs: Run, most: int = 5) -> tuple[str, ...]:
    """Return why results failed or are missing, run by run, with their numbers.

    Args:
        runs: One or more.
        most: How many reasons of a run are named, the most frequent first.
    """
    sentences: list[str] = []
    for run in runs:
        reasons: dict[tuple[str, str], int] = {}
        for index, row in enumerate(run.rows):
            if row.status == "failed":  # only these are opened
                key = (row.metric, run.results[index].reason)
                reasons[key] = reasons.get(key, 0) + 1
        ordered = sorted(reasons.items(), key=lambda entry: -entry[1])[:most]
        sentences += [f"{spec}: {count} failed: {why}" for (spec, why), count in ordered]
        missing = len(run.samples) * len(run.provenance.metrics) - len(run.rows)
        if missing:
            why = run.provenance.notes[-1:]  # the last one says how the run ended
            sentences.append(" ".join((f"{missing} results are missing.", *why)))
    return tuple(sentences)


def write_csv(runs: Sequence[Run], path: str | Path) -> Path:
    """Write the samples and scores of runs, the run's name first, safe to open in a spreadsheet.

    Raises:
        OutputError: The file cannot be written.
    """
    rows = ({"run": run.name, **row} for run in runs for row in table_rows(run))
    return write_whole(path, table_csv(rows))


def _named(metric: MetricInfo) -> str:
    return f"{metric.spec} {ARROW[metric.direction]}"


def _difference_cell(contrast: Contrast | None) -> Text:
    if contrast is None:
        return Text("–")
    return Text(contrast.estimate.text(signed), style=STYLES.get(contrast.finding, ""))


def _lacks(results: Mapping[str, Row]) -> bool:
    return any(row.score is None for row in results.values())


def _counts(results: Mapping[str, Row]) -> str:
    """Return how many were scored, undefined, failed."""
    statuses: Sequence[Status] = ("scored", "undefined", "failed")
    counts = Counter(row.status for row in results.values())
    return ", ".join(f"{counts[status]} {status}" for status in statuses)


def runs_table(runs: Sequence[StoredRun]) -> Table:
    """Return a list of runs, a row each, with the means of their first metrics."""
    rows = []
    for run in runs:
        means = ", ".join(f"{m.metric.spec} {number(m.mean)}" for m in run.means[:MEANS_SHOWN])
        more = f", … {len(run.means)} in all" if len(run.means) > MEANS_SHOWN else ""
        about = (run.id[:8], run.name, ", ".join(run.tags), run.started[:16])
        rows.append((*about, run.samples, means + more))
    return text_table("", ("id", "name", "tags", "started"), ["samples"], "means", rows=rows)
