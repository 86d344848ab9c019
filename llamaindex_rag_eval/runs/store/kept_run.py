"""Kept runs: what a list of runs and a trend show without opening the runs."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Row

__all__ = ["KeptMean", "KeptRun", "TrendPoint"]


@dataclass(frozen=True, slots=True)
class KeptMean:
    """One metric of a kept run; see `MetricSummary`."""

    metric: str
    direction: str
    mean: float | None
    low: float | None
    high: float | None
    scored: int
    undefined: int
    failed: int
    missing: int


@dataclass(frozen=True, slots=True)
class KeptRun:
    """What is known of a kept run without opening it.

    Attributes:
        id: A hash of its content: the same run kept twice is one.
        name: Under which it is found.
        tags: Under which it is found as well, in alphabetical order.
        started: When it was made, in UTC, ISO 8601.
        kept: When it was put here.
        questions: The fingerprint of its questions and references, whatever the answers.
        samples: How many.
        means: Its metrics.
    """

    id: str
    name: str
    tags: tuple[str, ...]
    started: str
    kept: str
    questions: str
    samples: int
    means: tuple[KeptMean, ...]

    def mean(self, metric: str) -> KeptMean | None:
        """Return one metric, or `None` if the run does not have it."""
        return next((mean for mean in self.means if mean.metric == metric), None)


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """A metric of one run in a series of runs.

    Attributes:
        run: The run.
        mean: Its metric.
        change: The mean less that of the run before; `None` for the first, or without a mean.
        same_questions: Whether both were asked the same; `None` for the first.
    """

    run: KeptRun
    mean: KeptMean
    change: float | None
    same_questions: bool | None


def kept_mean(row: Row[Any]) -> KeptMean:
    """Return a row of the table of means."""
    names = KeptMean.__dataclass_fields__
    return KeptMean(**{name: row._mapping[name] for name in names})


def kept_run(row: Row[Any], means: Sequence[KeptMean]) -> KeptRun:
    """Return a row of the table of runs with its means."""
    return KeptRun(
        id=row.id,
        name=row.name,
        tags=tuple(json.loads(row.tags)),
        started=row.started,
        kept=row.kept,
        questions=row.questions,
        samples=row.samples,
        means=tuple(means),
    )


def trend_point(run: KeptRun, mean: KeptMean, before: KeptRun | None) -> TrendPoint:
    """Return a point of a trend, held against the run before."""
    earlier = None if before is None else before.mean(mean.metric)
    known = None if earlier is None else earlier.mean
    return TrendPoint(
        run=run,
        mean=mean,
        change=None if mean.mean is None or known is None else mean.mean - known,
        same_questions=None if before is None else before.questions == run.questions,
    )
