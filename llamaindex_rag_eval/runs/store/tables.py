"""The tables in which runs are kept, in any database that SQLAlchemy knows."""

from pathlib import Path

from sqlalchemy import (
    Column,
    Engine,
    Float,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    create_engine,
    event,
    make_url,
)
from sqlalchemy.exc import SQLAlchemyError
from sqlalchemy.pool import NullPool

from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.models.store import prepare_sqlite, when_unlocked

__all__ = ["MEANS", "RUNS", "hidden_password", "opened"]

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


def opened(url: str) -> Engine:
    """Return the database at a URL, with its tables made if they are not there.

    Raises:
        OutputError: It cannot be opened or written.
    """
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "sqlite" and parsed.database:
            Path(parsed.database).parent.mkdir(parents=True, exist_ok=True)
        # Connections are made for each use and closed after it: uses are few, and nothing is left
        # open while others write, or when the process ends.
        engine = create_engine(parsed, poolclass=NullPool)
        if engine.dialect.name == "sqlite":
            event.listen(engine, "connect", prepare_sqlite)
        when_unlocked(lambda: _METADATA.create_all(engine))
    except (SQLAlchemyError, OSError, ImportError) as error:
        where = hidden_password(url)
        raise OutputError(f"the runs at {where!r} cannot be opened: {error}") from error
    return engine


def hidden_password(url: str) -> str:
    """Return a URL that may be shown.

    Example:
        >>> hidden_password("postgresql+psycopg://me:secret@db/runs")
        'postgresql+psycopg://me:***@db/runs'
    """
    try:
        return make_url(url).render_as_string(hide_password=True)
    except SQLAlchemyError:
        return url.partition(":")[0] + ":…"
