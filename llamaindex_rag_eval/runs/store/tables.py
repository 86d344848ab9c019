"""The tables in which runs are kept, in any database that SQLAlchemy knows."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import (
    Column,
    Engine,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    Row,
    String,
    Table,
    Text,
)

from llamaindex_rag_eval.models.store import open_database, shown_url

__all__ = ["MEANS", "RUNS", "KeptMean", "KeptRun", "TrendPoint", "open_tables"]


LONGEST_BODY = 2**32 - 1
"""Bytes of a run; without a length, some databases keep 64 kB of it."""

_METADATA = MetaData()

RUNS = Table(
    "rag_eval_runs",
    _METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("id", String(16), nullable=False, unique=True),
    Column("name", String(200), nullable=False, index=True),
    Column("tags", Text, nullable=False),
    Column("started", String(40), nullable=False),
    Column("kept", String(40), nullable=False),
    Column("questions", String(16), nullable=False),
    Column("samples", Integer, nullable=False),
    Column("body", LargeBinary(LONGEST_BODY), nullable=False),
)
"""A row a run: what it is found by, and the whole of it, as `Run.to_jsonl` writes it, zipped."""

MEANS = Table(
    "rag_eval_means",
    _METADATA,
    Column("run_id", String(16), primary_key=True),
    Column("metric", String(500), primary_key=True),
    Column("place", Integer, nullable=False),
    Column("direction", String(10), nullable=False),
    Column("mean", Float(53)),
    Column("low", Float(53)),
    Column("high", Float(53)),
    Column("scored", Integer, nullable=False),
    Column("undefined", Integer, nullable=False),
    Column("failed", Integer, nullable=False),
    Column("missing", Integer, nullable=False),
)
"""A row a run and metric: what lists and trends show without opening the runs."""


def open_tables(url: str) -> Engine:
    """Return the database at a URL, with its tables made if they are not there.

    Raises:
        OutputError: It cannot be opened or written.
    """
    name = f"the runs at {shown_url(url)!r}"
    # Uses are few and far between: a connection for each leaves none open while others write.
    return open_database(url, _METADATA.create_all, name=name, pooled=False)


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
