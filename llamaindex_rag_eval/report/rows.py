"""Rows: the lines of a report's tables, for one run or for several compared."""

from collections.abc import Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.comparison.comparison import Comparison
from llamaindex_rag_eval.comparison.contrast import Contrast
from llamaindex_rag_eval.errors import InputError
from llamaindex_rag_eval.metrics.pages import metric_page
from llamaindex_rag_eval.metrics.spec import parse_spec
from llamaindex_rag_eval.report.figures import Scale, score_scale, signed_scale
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.summary import MetricSummary

__all__ = ["Row", "difference_scale", "rows_of"]


@dataclass(frozen=True, slots=True)
class Row:
    """One metric's line of the table of scores.

    Attributes:
        metric: Which.
        question: What it answers; empty for a metric of one's own.
        summaries: One for each run.
        values: The scores of each run.
        scale: Where scores stand in its pictures.
        contrasts: The difference of each further run from the first; `None` for one that lacks
            the metric.
    """

    metric: MetricInfo
    question: str
    summaries: tuple[MetricSummary | None, ...]
    values: tuple[tuple[float, ...], ...]
    scale: Scale
    contrasts: tuple[Contrast | None, ...] = ()

    @property
    def contrast(self) -> Contrast | None:
        """The difference, where two runs are compared."""
        return self.contrasts[0] if len(self.contrasts) == 1 else None


def rows_of(
    runs: Sequence[Run], metrics: Sequence[MetricInfo], pairs: Sequence[Comparison] = ()
) -> tuple[Row, ...]:
    """Return a line for each metric."""
    summaries = [{summary.metric.spec: summary for summary in run.summary()} for run in runs]
    return tuple(
        _row(info, [found.get(info.spec) for found in summaries], runs, pairs) for info in metrics
    )


def difference_scale(contrasts: Sequence[Contrast]) -> Scale:
    """Return one scale around 0 for all differences, so that they can be compared by eye."""
    ends = [c.difference for c in contrasts if c.difference is not None]
    for contrast in contrasts:
        if contrast.interval is not None:
            ends += [contrast.interval.low, contrast.interval.high]
    return signed_scale(ends)


def _row(
    info: MetricInfo,
    summaries: Sequence[MetricSummary | None],
    runs: Sequence[Run],
    pairs: Sequence[Comparison],
) -> Row:
    values = tuple(tuple(run.values(info.spec).values()) for run in runs)
    return Row(
        metric=info,
        question=_question(info.spec),
        summaries=tuple(summaries),
        values=values,
        scale=score_scale(info.bounds, [value for of_run in values for value in of_run]),
        contrasts=tuple(pair.contrast(info.spec) for pair in pairs),
    )


def _question(label: str) -> str:
    """Return the question of a metric in the registry; empty for others."""
    try:
        return metric_page(parse_spec(label)[0]).question
    except InputError:
        return ""
