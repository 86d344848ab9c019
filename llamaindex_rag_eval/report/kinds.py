"""Kinds: a run's means by kinds of questions, as a report shows them."""

from collections.abc import Sequence
from dataclasses import dataclass

from llamaindex_rag_eval.comparison.slices import kinds_of
from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.run import Run

__all__ = ["KindRow", "kind_rows"]


@dataclass(frozen=True, slots=True)
class KindRow:
    """The questions with one value of one key of their metadata.

    Attributes:
        key: The key.
        value: Its value, as text.
        n: Questions that have it.
        means: One for each metric, over those with a score; `None` where there is none.
    """

    key: str
    value: str
    n: int
    means: tuple[float | None, ...]


def kind_rows(run: Run, metrics: Sequence[MetricInfo]) -> tuple[KindRow, ...]:
    """Return a row for each kind of question that a run has."""
    scores = [run.values(info.spec) for info in metrics]
    return tuple(
        KindRow(
            key, value, len(ids), tuple(_mean([of[i] for i in ids if i in of]) for of in scores)
        )
        for key, value, ids in kinds_of(run.samples)
    )


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
