"""Where replies are kept on disk: any SQLAlchemy database, SQLite in WAL mode by default."""

import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from llamaindex_rag_eval.errors import OutputError

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine

__all__ = ["BUSY_SECONDS", "Store", "key_of", "prepare_sqlite", "when_unlocked"]


_OPENING = threading.Lock()
"""Threads that use a store for the first time open it once."""

INSERT = (
    "INSERT INTO replies (key, kind, fingerprint, reply) "
    "VALUES (:key, :kind, :fingerprint, :reply) ON CONFLICT (key) "
)
OR_LEAVE = "DO NOTHING"
OR_REPLACE = "DO UPDATE SET reply = excluded.reply"


def key_of(fingerprint: str, kind: str, request: str) -> str:
    """Return the key of a reply: who answers, which kind of request, and the request itself."""
    whole = json.dumps([fingerprint, kind, request], ensure_ascii=False)
    return hashlib.sha256(whole.encode()).hexdigest()


class Store:
    """Replies by key. Several processes may share one.

    Args:
        where: A file for SQLite, or any SQLAlchemy URL, as `postgresql+psycopg://host/name`.

    Raises:
        OutputError: The database cannot be opened or written.
    """

    def __init__(self, where: str | Path) -> None:
        self.url = str(where) if "://" in str(where) else f"sqlite:///{Path(where)}"
        self._engine: Engine | None = None

    def __repr__(self) -> str:
        return f"Store({_shown(self.url)!r})"

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
        """Go through all that is kept: key, kind of request, who answered, the reply."""
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
        """The open database; opened at first use."""
        if self._engine is None:
            with _OPENING:
                self._engine = self._engine or self._open()
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

    def _open(self) -> "Engine":
        from sqlalchemy import create_engine, event
        from sqlalchemy.exc import SQLAlchemyError

        try:
            _make_folder(self.url)
            # Parameters are replies: they have no place in messages.
            engine = create_engine(self.url, hide_parameters=True)
            if engine.dialect.name == "sqlite":
                event.listen(engine, "connect", prepare_sqlite)
            when_unlocked(lambda: _make_table(engine))
        except ModuleNotFoundError as error:
            raise OutputError(
                f"the cache {self!r} needs {error.name!r}; for PostgreSQL install "
                "`llamaindex-rag-eval[postgres]`"
            ) from None
        except (SQLAlchemyError, OSError, ValueError) as error:
            raise OutputError(f"the cache {self!r} cannot be opened: {error}") from None
        return engine


def _make_folder(url: str) -> None:
    place = url.removeprefix("sqlite:///")
    if place != url and not place.startswith(("file:", ":memory:")):
        Path(place.partition("?")[0]).parent.mkdir(parents=True, exist_ok=True)


def _make_table(engine: "Engine") -> None:
    from sqlalchemy import text

    with engine.begin() as connection:
        connection.execute(
            text(
                "CREATE TABLE IF NOT EXISTS replies (key VARCHAR(64) PRIMARY KEY, "
                "kind TEXT NOT NULL, fingerprint TEXT NOT NULL, reply TEXT NOT NULL)"
            )
        )


def _shown(url: str) -> str:
    """Return a database's URL without passwords."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        return "a URL that cannot be read"
    query = {k: "***" if "pass" in k.lower() else v for k, v in parsed.query.items()}
    return parsed.set(query=query).render_as_string(hide_password=True)


BUSY_SECONDS = 30
"""How long a writer waits for another process's write before it gives up."""

T = TypeVar("T")


class _Cursor(Protocol):
    def execute(self, statement: str, /) -> object: ...
    def close(self) -> object: ...


class _Connection(Protocol):
    def cursor(self) -> _Cursor: ...


def prepare_sqlite(connection: _Connection, entry: object = None) -> None:
    """Set up one connection, as a listener of SQLAlchemy's "connect"; none waits for the disk."""
    del entry
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    when_unlocked(lambda: cursor.execute("PRAGMA journal_mode=WAL"))
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.close()


def when_unlocked(action: Callable[[], T]) -> T:
    """Return what an action comes to; where another is setting up the same file, try again.

    The switch to the write-ahead log and the first look at a schema do not wait by themselves.
    """
    from tenacity import Retrying, retry_if_exception_message, stop_after_delay, wait_random

    again = Retrying(
        retry=retry_if_exception_message(match=r"(?s).*database (?:table |schema )?is locked"),
        stop=stop_after_delay(BUSY_SECONDS),
        wait=wait_random(0.01, 0.05),
        reraise=True,
    )
    return again(action)
