"""The summary of a run: each metric's mean with its interval and counts, as a value or a table."""

import html
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pydantic import JsonValue

from llamaindex_rag_eval.metrics.result_table import Rows
from llamaindex_rag_eval.runs.clusters import SampleClusters
from llamaindex_rag_eval.runs.provenance import MetricInfo

if TYPE_CHECKING:
    from llamaindex_rag_eval.stats.sample_values import Values

NUMBERS = ("mean", "low", "high", "scored", "undefined", "failed", "missing", "effective_n")
"""The numbers of a summary, in the order in which files and tables have them."""


@dataclass(frozen=True, slots=True)
class MetricSummary:
    """One metric over all samples of a run.

    Attributes:
        metric: The metric.
        mean: The mean over the scored samples; `None` if there are none.
        low: Lower end of the 95 % interval of the mean; `None` below two clusters of scores.
        high: Upper end of the interval.
        scored: Number of samples with a score.
        undefined: Number of samples on which the metric is not defined.
        failed: Number of samples on which it raised an error.
        missing: Number of samples without a result, for example after a budget was spent.
        effective_n: As many independent questions would give such an interval; `None` where there
            is none.
        shares: Verdict -> its share of the scored samples, in [0, 1], the best first; empty for a
            metric without verdicts.
    """

    metric: MetricInfo
    mean: float | None
    low: float | None
    high: float | None
    scored: int
    undefined: int
    failed: int
    missing: int = 0
    effective_n: float | None = None
    shares: Mapping[str, float] = field(default_factory=dict)

    def cells(self) -> tuple[str, ...]:
        """Return spec, mean, interval and counts as texts; "–" for a value that is `None`."""
        mean = "–" if self.mean is None else f"{self.mean:.3f}"
        ends = "–" if self.low is None else f"{self.low:.3f} to {self.high:.3f}"
        counts = f"{self.scored} / {self.undefined} / {self.failed}"
        return (self.metric.spec, mean, ends, counts)

    def as_json(self) -> dict[str, JsonValue]:
        """Return the summary as plain data: spec and direction of the metric, and the numbers."""
        numbers = {name: getattr(self, name) for name in NUMBERS}
        data = {"metric": self.metric.spec, "direction": self.metric.direction, **numbers}
        return {**data, "shares": dict(self.shares)} if self.shares else data

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "MetricSummary":
        """Return the summary that `as_json` gave; the metric's bounds and threshold are lost."""
        metric = MetricInfo(spec=data["metric"], direction=data["direction"])
        numbers: dict[str, Any] = {name: data.get(name) for name in NUMBERS}
        return cls(metric, **numbers, shares=data.get("shares", {}))


def summary_of(
    info: MetricInfo, results: Rows, count: int, clusters: SampleClusters
) -> MetricSummary:
    """Return the summary of one metric's results, of a run of `count` samples."""
    scores = results.scores()
    return summary_from(
        info,
        list(scores.values()),
        clusters.of(scores),
        statuses={str(status): number for status, number in results.statuses().items()},
        verdicts=results.verdicts(),
        count=count,
    )


def summary_from(
    info: MetricInfo,
    scores: "Values",
    labels: Sequence[int] | None,
    *,
    statuses: Mapping[str, int],
    verdicts: Mapping[str, int],
    count: int,
) -> MetricSummary:
    """Return the summary of one metric from its scores.

    Args:
        info: The metric.
        scores: Of the samples that have one.
        labels: The cluster of each score; `None` if all are independent.
        statuses: Status -> how many results have it.
        verdicts: Verdict -> how many scores have it.
        count: How many samples the run has.
    """
    from llamaindex_rag_eval.stats.inference import mean_estimate

    estimate = mean_estimate(scores, clusters=labels, bounds=info.bounds)
    return MetricSummary(
        metric=info,
        mean=estimate.value,
        low=estimate.low,
        high=estimate.high,
        scored=len(scores),
        undefined=statuses.get("undefined", 0),
        failed=statuses.get("failed", 0),
        missing=count - sum(statuses.values()),
        effective_n=estimate.effective_n,
        shares=shares_of(info, verdicts),
    )


def shares_of(info: MetricInfo, counted: Mapping[str, int]) -> dict[str, float]:
    """Return the share of each verdict of a metric, given how often it was; {} without verdicts."""
    total = sum(counted.values())
    return {verdict: counted.get(verdict, 0) / total for verdict in info.verdicts if total}


def text_table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table of text: a line a row, columns two blanks apart, the first to the left.

    Example:
        >>> print(text_table(["metric", "mean"], [["mrr", "0.5"]]))
        metric  mean
        mrr      0.5
    """
    lines = [tuple(head), *map(tuple, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if column else cell.ljust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def html_table(head: Sequence[str], rows: Iterable[Sequence[str]], *, caption: str = "") -> str:
    """Return a small table for notebooks, every text in it escaped.

    Args:
        head: The headings of the columns.
        rows: The cells of each row; the first cell is the heading of the row.
        caption: Shown above the table.

    Example:
        >>> html_table(["metric", "mean"], [["<m>", "0.500"]])
        '<table><thead><tr><th scope="col">metric</th><th scope="col">mean</th></tr></thead><tbody><tr><th scope="row">&lt;m&gt;</th><td>0.500</td></tr></tbody></table>'
    """  # noqa: E501 - a doctest shows what is returned in one line
    title = f'<caption dir="auto">{html.escape(caption)}</caption>' if caption else ""
    columns = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in head)
    body = "".join(_row(row) for row in rows)
    return f"<table>{title}<thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table>"


def _row(cells: Sequence[str]) -> str:
    first, *rest = (html.escape(cell) for cell in cells)
    return f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in rest)}</tr>'
