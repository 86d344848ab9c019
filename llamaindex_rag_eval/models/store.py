"""Replies on disk, and how this package opens a database.

Any SQLAlchemy database will do. SQLite, the default, is set up so that threads and processes can
share a file: readers beside one writer, and writers who wait for each other.
"""

import hashlib
import json
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.models.retry import RetryPolicy

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

__all__ = [
    "ReplyStore",
    "Store",
    "database_url",
    "open_database",
    "reply_key",
    "retry_while_locked",
    "shown_url",
]

T = TypeVar("T")

BUSY_SECONDS = 30
"""How long a writer waits for the write of another process before it gives up."""

LOCKED = re.compile(r"database (?:table |schema )?is locked")

_OPENING = threading.Lock()
"""Threads that use a store for the first time open it once."""

INSERT = (
    "INSERT INTO replies (key, kind, fingerprint, reply) "
    "VALUES (:key, :kind, :fingerprint, :reply) ON CONFLICT (key) "
)
OR_LEAVE = "DO NOTHING"
OR_REPLACE = "DO UPDATE SET reply = excluded.reply"


def reply_key(fingerprint: str, kind: str, request: str) -> str:
    """Return the key of a reply: who answers, which kind of request, and the request itself."""
    whole = json.dumps([fingerprint, kind, request], ensure_ascii=False)
    return hashlib.sha256(whole.encode()).hexdigest()


class ReplyStore:
    """Replies by key, in a table of a database. Several processes may share one.

    Args:
        where: A file for SQLite, or any SQLAlchemy URL, as `postgresql+psycopg://host/name`.

    Raises:
        OutputError: The database cannot be opened or written.
    """

    def __init__(self, where: str | Path) -> None:
        self.url = database_url(where)
        self._engine: Engine | None = None

    def __repr__(self) -> str:
        return f"Store({shown_url(self.url)!r})"

    def __getstate__(self) -> dict[str, object]:
        """Leave the connection behind: another process opens its own."""
        return {"url": self.url, "_engine": None}

    def get(self, key: str) -> str | None:
        """Return the reply kept under this key, or `None`."""
        from sqlalchemy import text

        with self._reading() as connection:
            found = connection.execute(
                text("SELECT reply FROM replies WHERE key = :key"), {"key": key}
            ).first()
        return None if found is None else str(found[0])

    def put(
        self, key: str, kind: str, fingerprint: str, reply: str, *, replace: bool = False
    ) -> None:
        """Keep a reply. A key that is there already stays as it is, unless it is to be replaced."""
        from sqlalchemy import text

        row = {"key": key, "kind": kind, "fingerprint": fingerprint, "reply": reply}
        with self._writing() as connection:
            connection.execute(text(INSERT + (OR_REPLACE if replace else OR_LEAVE)), row)

    def count(self) -> dict[str, int]:
        """Return how many replies are kept, by kind of request."""
        from sqlalchemy import text

        with self._reading() as connection:
            rows = connection.execute(text("SELECT kind, COUNT(*) FROM replies GROUP BY kind"))
            return {str(kind): int(count) for kind, count in rows}

    def rows(self) -> "Iterator[dict[str, str]]":
        """Iterate over all rows: key, kind of request, fingerprint of who answered, reply."""
        from sqlalchemy import text

        columns = ("key", "kind", "fingerprint", "reply")
        with self._reading() as connection:
            for row in connection.execute(text(f"SELECT {', '.join(columns)} FROM replies")):  # noqa: S608 - our own names
                yield dict(zip(columns, map(str, row), strict=True))

    def clear(self) -> int:
        """Forget all replies; return how many there were."""
        from sqlalchemy import text

        with self._writing() as connection:
            return int(connection.execute(text("DELETE FROM replies")).rowcount)

    def close(self) -> None:
        """Close the connections; the next use opens them again."""
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None

    @property
    def engine(self) -> "Engine":
        """The database, opened at first use."""
        if self._engine is None:
            with _OPENING:
                self._engine = self._engine or open_database(
                    self.url, _create_table, name=f"the cache {self!r}"
                )
        return self._engine

    @contextmanager
    def _reading(self) -> "Iterator[Connection]":
        from sqlalchemy.exc import SQLAlchemyError

        try:
            with self.engine.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise OutputError(f"the cache {self!r} cannot be read: {error}") from None

    @contextmanager
    def _writing(self) -> "Iterator[Connection]":
        from sqlalchemy.exc import SQLAlchemyError

        try:
            with self.engine.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise OutputError(f"the cache {self!r} cannot be written: {error}") from None


Store = ReplyStore
"""The public name of `ReplyStore`."""


def _create_table(engine: "Engine") -> None:
    from sqlalchemy import text

    with engine.begin() as connection:
        connection.execute(
            text(
                "CREATE TABLE IF NOT EXISTS replies (key VARCHAR(64) PRIMARY KEY, "
                "kind TEXT NOT NULL, fingerprint TEXT NOT NULL, reply TEXT NOT NULL)"
            )
        )


def database_url(where: str | Path) -> str:
    """Return the SQLAlchemy URL of a database: of a file, SQLite's; a URL stays as it is.

    Example:
        >>> database_url("cache.db"), database_url("postgresql+psycopg://host/name")
        ('sqlite:///cache.db', 'postgresql+psycopg://host/name')
    """
    return str(where) if "://" in str(where) else f"sqlite:///{Path(where)}"


def open_database(
    url: str, create_tables: "Callable[[Engine], object]", *, name: str, pooled: bool = True
) -> "Engine":
    """Return the database at a URL, with its folder and its tables made if they are not there.

    Args:
        url: Any URL that SQLAlchemy knows.
        create_tables: Makes the tables that are missing.
        name: What the database is called in an error; without a password (see `shown_url`).
        pooled: Keep connections open between uses. Off, each use opens and closes its own: nothing
            stays open while others write, or when the process ends.

    Raises:
        OutputError: It cannot be opened or written.
    """
    from sqlalchemy.exc import SQLAlchemyError

    try:
        _make_folder(url)
        engine = _engine_at(url, pooled)
        retry_while_locked(lambda: create_tables(engine))
    except ModuleNotFoundError as error:
        raise OutputError(
            f"{name} needs {error.name!r}; for PostgreSQL install `llamaindex-rag-eval[postgres]`"
        ) from None
    except (SQLAlchemyError, OSError, ValueError) as error:
        raise OutputError(f"{name} cannot be opened: {error}") from None
    return engine


def _engine_at(url: str, pooled: bool) -> "Engine":
    from sqlalchemy import create_engine, event
    from sqlalchemy.pool import NullPool

    pool = {} if pooled else {"poolclass": NullPool}
    # Parameters are replies and runs: they must not stand in error messages.
    engine = create_engine(url, hide_parameters=True, **pool)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    return engine


def retry_while_locked(action: Callable[[], T]) -> T:
    """Return the result of `action()`, tried again while SQLite says that the file is locked.

    Switching to the write-ahead log and reading the schema do not wait for the lock of another
    process by themselves, as reads and writes do.
    """
    policy = RetryPolicy(
        retries=None,
        first_wait=0.05,
        longest_wait=0.05,
        spread=(0.2, 1.0),
        seconds=BUSY_SECONDS,
        transient=lambda error: LOCKED.search(str(error)) is not None,
    )
    return policy.call(action)


def shown_url(url: str) -> str:
    """Return a database's URL with passwords replaced, to be shown in messages.

    Example:
        >>> shown_url("postgresql+psycopg://me:secret@db/runs")
        'postgresql+psycopg://me:***@db/runs'
        >>> shown_url("postgresql+psycopg://me:secret@db:port/runs")
        'postgresql+psycopg:…'
    """
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        return url.partition(":")[0] + ":…"
    query = {k: "***" if "pass" in k.lower() else v for k, v in parsed.query.items()}
    return parsed.set(query=query).render_as_string(hide_password=True)


def _make_folder(url: str) -> None:
    """Make the folder of a file of SQLite; in memory, or as a `file:` URI, it has none."""
    from sqlalchemy import make_url

    parsed = make_url(url)
    file = parsed.database or ""
    if parsed.get_backend_name() == "sqlite" and not file.startswith(("file:", ":memory:")):
        Path(file).parent.mkdir(parents=True, exist_ok=True)


class _Cursor(Protocol):
    def execute(self, statement: str, /) -> object: ...
    def close(self) -> object: ...


class _Connection(Protocol):
    def cursor(self) -> _Cursor: ...


def _set_up_sqlite(connection: _Connection, entry: object) -> None:
    """Set up a new connection; a listener of SQLAlchemy's "connect"."""
    del entry
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    retry_while_locked(lambda: cursor.execute("PRAGMA journal_mode=WAL"))
    cursor.execute("PRAGMA synchronous=NORMAL")  # no write waits for the disk; WAL stays whole
    cursor.close()
