"""The summary of a run: each metric's mean with its interval and counts, as a value or a table."""

import html
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from llamaindex_rag_eval.metrics.result import Row
from llamaindex_rag_eval.runs.provenance import MetricInfo

__all__ = ["MetricSummary", "html_table", "summary_of"]


@dataclass(frozen=True, slots=True)
class MetricSummary:
    """One metric over all samples of a run.

    Attributes:
        metric: Which.
        mean: Over the scored samples only; `None` if there is none.
        low: Lower end of the 95 % bootstrap interval of the mean; `None` below two scores.
        high: Its upper end.
        scored: How many samples have a number.
        undefined: For how many the metric is not defined.
        failed: On how many it broke.
        missing: For how many there is no result, as after a budget was spent.
    """

    metric: MetricInfo
    mean: float | None
    low: float | None
    high: float | None
    scored: int
    undefined: int
    failed: int
    missing: int = 0

    def cells(self) -> tuple[str, ...]:
        """Return label, mean, interval and counts as texts; "–" where there is none."""
        mean = "–" if self.mean is None else f"{self.mean:.3f}"
        ends = "–" if self.low is None else f"{self.low:.3f} to {self.high:.3f}"
        counts = f"{self.scored} / {self.undefined} / {self.failed}"
        return (self.metric.spec, mean, ends, counts)

    def as_json(self) -> dict[str, JsonValue]:
        """Return the summary as plain data: the metric by its spec, and the numbers by name."""
        numbers = ("mean", "low", "high", "scored", "undefined", "failed", "missing")
        return {
            "metric": self.metric.spec,
            "direction": self.metric.direction,
            **{name: getattr(self, name) for name in numbers},
        }


def summary_of(info: MetricInfo, results: Sequence[Row], count: int) -> MetricSummary:
    """Return the summary of one metric's results, of a run of `count` samples."""
    from llamaindex_rag_eval.stats.bootstrap import bootstrap_mean

    values = [result.score for result in results if result.score is not None]
    interval = bootstrap_mean(values) if values else None
    return MetricSummary(
        metric=info,
        mean=sum(values) / len(values) if values else None,
        low=None if interval is None else interval.low,
        high=None if interval is None else interval.high,
        scored=len(values),
        undefined=sum(result.status == "undefined" for result in results),
        failed=sum(result.status == "failed" for result in results),
        missing=count - len(results),
    )


def html_table(head: Sequence[str], rows: Iterable[Sequence[str]], *, caption: str = "") -> str:
    """Return a table; the first cell of each row is its heading.

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
