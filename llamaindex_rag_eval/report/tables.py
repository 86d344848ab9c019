"""Tables: a run and a comparison for the terminal, and several runs as CSV."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from rich import box
from rich.table import Table
from rich.text import Text

from llamaindex_rag_eval.data.files import safe_cell, write_whole
from llamaindex_rag_eval.decisions.comparison import Comparison
from llamaindex_rag_eval.decisions.comparisons import Comparisons
from llamaindex_rag_eval.decisions.contrast import Contrast
from llamaindex_rag_eval.metrics.result import Row, Status
from llamaindex_rag_eval.report.numbers import counted, interval, number, shares, signed
from llamaindex_rag_eval.runs.clusters import Clustering
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.summary import MetricSummary

ARROW: Mapping[str, str] = {"higher": "↑", "lower": "↓", "neither": "·"}
"""The direction in which a metric is better."""


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
    table = _empty_table(name)
    for column in ("mean", "95% interval", "scored", "undefined", "failed"):
        table.add_column(column, justify="right")
    for summary in summaries:
        table.add_row(
            _metric_cell(summary.metric),
            number(summary.mean),
            interval(summary.low, summary.high),
            *(str(count) for count in (summary.scored, summary.undefined, summary.failed)),
        )
    lines = [f"{s.metric.spec}: {shares(s.shares)}" for s in summaries if s.shares]
    table.caption = _caption([*lines, *notes]) if lines or notes else None
    return table


def comparison_table(comparison: Comparison) -> Table:
    """Return two runs' metrics side by side, with the difference and its interval."""
    a, b = comparison.names
    table = _empty_table(f"{b} against {a}: {counted(len(comparison.pairing.ids), 'question')}")
    for name in (a, b):
        table.add_column(Text(name), justify="right", min_width=5)
    table.add_column("difference, 95% CI", justify="right", no_wrap=True)
    table.add_column("s/u/f", justify="right")
    lines = [
        "↑ higher is better, ↓ lower; green, red: shown after Holm's correction",
        f"s/u/f: scored, undefined, failed; where they differ, {a} first",
    ]
    pairing = comparison.pairing
    for contrast in comparison.contrasts:
        spec = contrast.metric.spec
        found = comparison.shares(spec)
        lines += [f"{spec}, {name}: {shares(of_run)}" for name, of_run in found.items()]
        table.add_row(
            _metric_cell(contrast.metric),
            number(contrast.mean_a),
            number(contrast.mean_b),
            _difference(contrast),
            _counts(pairing.rows_a[spec], pairing.rows_b[spec]),
            style=_style(contrast),
        )
    table.caption = _caption(lines)
    return table


def comparisons_table(comparisons: Comparisons) -> Table:
    """Return several runs' differences from their baseline, a column for each run."""
    first, *others = comparisons.names
    table = _empty_table(f"Against {first}: {counted(comparisons.questions, 'question')} in all")
    table.add_column(Text(first), justify="right", min_width=5)
    for name in others:
        table.add_column(Text(name), justify="right")
    table.caption = (
        f"mean of {first}, then differences from it with their 95% CI\n"
        "↑ higher is better, ↓ lower; green, red: shown after Holm's correction over all of them"
    )
    means = {summary.metric.spec: summary.mean for summary in comparisons.baseline.summary()}
    for info in comparisons.metrics:
        found = (pair.contrast(info.spec) for pair in comparisons.pairs)
        cells = (Text("–") if c is None else Text(_difference(c), style=_style(c)) for c in found)
        table.add_row(_metric_cell(info), number(means[info.spec]), *cells)
    return table


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
            sentences.append(f"{missing} results are missing. {run.provenance.notes[-1]}")
    return tuple(sentences)


def write_csv(runs: Sequence[Run], path: str | Path) -> Path:
    """Write the samples and scores of runs, the run's name first, safe to open in a spreadsheet.

    Raises:
        OutputError: The file cannot be written.
    """
    import pandas as pd

    frames = [run.to_pandas() for run in runs]
    for run, frame in zip(runs, frames, strict=True):
        frame.insert(0, "run", run.name)
    table = pd.concat(frames, ignore_index=True)
    texts = table.select_dtypes(exclude="number").columns
    table[texts] = table[texts].map(lambda cell: safe_cell(cell) if isinstance(cell, str) else cell)
    return write_whole(path, [table.to_csv(index=False)])


def _empty_table(title: str) -> Table:
    table = Table(
        title=Text(title),
        title_justify="left",
        caption_justify="left",
        box=box.SIMPLE_HEAD,
        pad_edge=False,
    )
    table.add_column("metric", no_wrap=True)
    return table


def _caption(lines: Sequence[str]) -> Text:
    """Return the lines below a table; names of runs in them are no markup."""
    return Text("\n".join(lines), style="table.caption")


def _metric_cell(metric: MetricInfo) -> Text:
    return Text(f"{metric.spec} {ARROW[metric.direction]}")


def _style(contrast: Contrast) -> str:
    return {"better": "green", "worse": "red"}.get(contrast.finding, "")


def _difference(contrast: Contrast) -> str:
    estimate = contrast.estimate
    if estimate.low is None:
        return signed(estimate.value)
    return f"{signed(estimate.value)} ({signed(estimate.low)}, {signed(estimate.high)})"


def _counts(*runs: Mapping[str, Row]) -> str:
    """Return how many were scored, undefined, failed: once where both runs agree."""
    statuses: Sequence[Status] = ("scored", "undefined", "failed")
    found = [[row.status for row in rows.values()] for rows in runs]
    texts = ["/".join(str(run.count(status)) for status in statuses) for run in found]
    return "  ".join(dict.fromkeys(texts))
