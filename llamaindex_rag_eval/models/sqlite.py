"""SQLite as threads and processes share it: readers beside one writer, who waits his turn."""

from collections.abc import Callable
from typing import Protocol, TypeVar

__all__ = ["BUSY_SECONDS", "prepare_sqlite", "when_unlocked"]

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
