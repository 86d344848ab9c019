"""The tables of stored runs, in SQLite or PostgreSQL, and what their rows hold."""

from dataclasses import dataclass

from sqlalchemy import (
    Column,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
)

from llamaindex_rag_eval.data.json_fields import JsonFields
from llamaindex_rag_eval.runs.summary import MetricSummary

METADATA = MetaData()

RUNS = Table(
    "rag_eval_runs",
    METADATA,
    Column("number", Integer, primary_key=True, autoincrement=True),
    Column("id", String(16), nullable=False, unique=True),
    Column("name", String(200), nullable=False, index=True),
    Column("tags", Text, nullable=False),
    Column("started", String(40), nullable=False),
    Column("kept", String(40), nullable=False),
    Column("questions", String(16), nullable=False),
    Column("samples", Integer, nullable=False),
    Column("body", LargeBinary, nullable=False),
)
"""One row per run: what it is found by, and the lines of `Run.to_jsonl`, compressed by zlib."""

MEANS = Table(
    "rag_eval_means",
    METADATA,
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
"""One row per run and metric: the summaries that lists and trends show."""

SCORES = Table(
    "rag_eval_scores",
    METADATA,
    Column("run_id", String(16), primary_key=True),
    Column("body", LargeBinary, nullable=False),
)
"""One row per run: its `QuestionScores`; a missing one is made anew from the run."""


@dataclass(frozen=True, slots=True)
class StoredRun(JsonFields):
    """What is known about a stored run without reading the whole of it.

    Attributes:
        id: A hash of its content, so that the same run added twice is stored once.
        name: The name under which it is found.
        tags: Further words under which it is found, in alphabetical order.
        started: When the run was made, in UTC, ISO 8601.
        kept: When it was stored, in UTC, ISO 8601.
        questions: The fingerprint of its questions and references; answers do not enter.
        samples: Number of samples.
        means: The summary of each metric; of the metric itself only spec and direction are known.
    """

    _json = "id name tags started kept questions samples means=mean_values"

    id: str
    name: str
    tags: tuple[str, ...]
    started: str
    kept: str
    questions: str
    samples: int
    means: tuple[MetricSummary, ...]

    def mean(self, metric: str) -> MetricSummary | None:
        """Return the summary of one metric, or `None` if the run does not have it."""
        return next((mean for mean in self.means if mean.metric.spec == metric), None)

    @property
    def mean_values(self) -> dict[str, float | None]:
        """Each metric's mean, by its spec."""
        return {mean.metric.spec: mean.mean for mean in self.means}
