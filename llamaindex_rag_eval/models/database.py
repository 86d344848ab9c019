"""How this package opens a database: for replies, and for runs.

SQLite, the default, is set up so that threads and processes can share a file: readers beside one
writer, and writers who wait for each other. Tables that are not there are made at the opening.
"""

import os
import random
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from llamaindex_rag_eval.errors import OutputError

if TYPE_CHECKING:
    from sqlalchemy import Engine, MetaData

T = TypeVar("T")

BUSY_SECONDS = 30
"""How long a writer waits for the write of another process before it gives up."""

CONNECT_SECONDS = 10
"""How long PostgreSQL may take to accept a connection."""

LOCKED = re.compile(r"database (table |schema )?is locked|already exists|pg_type_typname_nsp_index")
"""What is said where another process is just writing, or has just made the same table."""


def database_url(where: str | Path) -> str:
    """Return the SQLAlchemy URL of a database: of a file, SQLite's; a URL stays as it is.

    Example:
        >>> database_url("cache.db"), database_url("postgresql+psycopg://host/name")
        ('sqlite:///cache.db', 'postgresql+psycopg://host/name')
    """
    return str(where) if "://" in str(where) else f"sqlite:///{Path(where)}"


def absolute_url(url: str) -> str:
    """Return the URL with the whole path of an SQLite file, for processes in other folders."""
    from sqlalchemy import make_url

    file = file_of(url)
    if file is None:
        return url
    parsed = make_url(url).set(database=str(file.absolute()))
    return parsed.render_as_string(hide_password=False)


def file_of(url: str) -> Path | None:
    """Return the file of an SQLite URL; `None` in memory, of a `file:` URI, and of what is no such.

    Example:
        >>> file_of("sqlite:///cache.db").name, file_of("sqlite://"), file_of("postgresql://host/x")
        ('cache.db', None, None)
    """
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        return None
    file = parsed.database or ""
    if parsed.get_backend_name() != "sqlite" or not file or file.startswith(("file:", ":memory:")):
        return None
    return Path(file)


def is_read_only(file: Path) -> bool:
    """Return whether a database that is there can be read only, as on a read-only mount."""
    writable = os.access(file, os.W_OK) and os.access(file.absolute().parent, os.W_OK)
    return file.exists() and not writable


def open_database(url: str, tables: "MetaData", *, name: str, pooled: bool = True) -> "Engine":
    """Return the database at a URL, with its folder and its tables made if they are not there.

    Args:
        url: Of SQLite or PostgreSQL, as SQLAlchemy writes it.
        tables: That it is to have.
        name: What the database is called in an error; without a password (see `shown_url`).
        pooled: Keep connections open between uses, and commit each statement by itself. Off, each
            use opens and closes its own: nothing stays open while others write.

    Raises:
        OutputError: It cannot be opened or written.
    """
    with _opening(name):
        file = file_of(url)
        if file is not None:
            file.parent.mkdir(parents=True, exist_ok=True)
            if is_read_only(file):
                raise OutputError(f"{name} is read-only; copy the file to where it can be written")
        engine = _engine_at(url, pooled)
        if engine.dialect.name not in ("sqlite", "postgresql"):
            raise ValueError(f"{engine.dialect.name!r} is neither SQLite nor PostgreSQL")
        try:
            retry_while_locked(lambda: tables.create_all(engine))
        except BaseException:
            engine.dispose()
            raise
    return engine


@contextmanager
def _opening(name: str) -> Iterator[None]:
    """Raise what fails while a database is opened as `OutputError`."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except ModuleNotFoundError as error:
        raise OutputError(
            f"{name} needs {error.name!r}; for PostgreSQL install `llamaindex-rag-eval[postgres]`"
        ) from None
    except (SQLAlchemyError, OSError, ValueError) as error:
        raise OutputError(f"{name} cannot be opened: {reason_of(error)}") from None


def _engine_at(url: str, pooled: bool) -> "Engine":
    from sqlalchemy import create_engine, event, make_url
    from sqlalchemy.pool import NullPool, StaticPool

    parsed = make_url(url)
    options: dict[str, Any] = {}
    if not pooled:
        options["poolclass"] = NullPool
    else:
        options["isolation_level"] = "AUTOCOMMIT"
        if parsed.get_backend_name() == "sqlite" and parsed.database in (None, "", ":memory:"):
            options |= {"poolclass": StaticPool, "connect_args": {"check_same_thread": False}}
    if parsed.get_backend_name() == "postgresql" and parsed.get_driver_name() == "psycopg":
        # Nothing is prepared: poolers between us and the server hand on statements one by one.
        options["connect_args"] = {"connect_timeout": CONNECT_SECONDS, "prepare_threshold": None}
    # Parameters are replies and runs: they must not stand in error messages.
    engine = create_engine(parsed, hide_parameters=True, **options)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    return engine


def reason_of(error: BaseException) -> str:
    """Return why a database refused, in one line: what its driver said."""
    text = str(getattr(error, "orig", None) or error).strip()
    reason = next(iter(text.splitlines()), type(error).__name__)
    if "malformed" in reason:  # as SQLite calls a file whose content is not what it wrote
        reason += "; move the file away: `sqlite3 FILE .recover` prints what can be read of it"
    return reason


def retry_while_locked(action: Callable[[], T]) -> T:
    """Return the result of `action()`, tried again while SQLite says that the file is locked.

    Switching to the write-ahead log and reading the schema do not wait for the lock of another
    process by themselves, as reads and writes do.
    """
    begun = time.monotonic()
    while True:
        try:
            return action()
        except Exception as error:
            waited = time.monotonic() - begun
            if waited > BUSY_SECONDS or not LOCKED.search(str(error)):
                raise
        time.sleep(random.uniform(0.01, 0.05))  # noqa: S311 - no secret


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


def _set_up_sqlite(connection: Any, entry: object) -> None:
    """Set up a new connection; a listener of SQLAlchemy's "connect"."""
    del entry
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
    retry_while_locked(lambda: cursor.execute("PRAGMA journal_mode=WAL"))
    cursor.execute("PRAGMA synchronous=NORMAL")  # no write waits for the disk; WAL stays whole
    cursor.close()
