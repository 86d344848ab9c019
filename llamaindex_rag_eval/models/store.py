"""Replies in a database, and leases on those that are being asked for.

Every method is one statement where the database allows it: a round trip, however many the keys.
`claims` and `write_behind` call them from their threads, and survive what they raise.
"""

import hashlib
import json
import os
import threading
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from pydantic_core import to_json

from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.models.claims import Claims
from llamaindex_rag_eval.models.database import database_url, open_database, reason_of, shown_url
from llamaindex_rag_eval.models.lease import LEASE_SECONDS
from llamaindex_rag_eval.models.spill import StoredReply, write_spilled
from llamaindex_rag_eval.models.store_tables import (
    CLAIM,
    DIALECTS,
    FIND,
    FORGET,
    FROM_KEY,
    KEEP,
    LEASE,
    OR_LEAVE,
    OR_REPLACE,
    OWNERS,
    RELEASE,
    RENEW,
    SCHEMA,
)

if TYPE_CHECKING:
    from sqlalchemy import Connection, Engine, TextClause

_OPENING = threading.RLock()
"""Threads that use a store for the first time open it once."""

_BEGINNING = threading.Lock()
"""Another lock: an event loop must not wait until a database is open."""

PAGE = 1000
"""Rows that are read at a time where all are."""


def reply_key(fingerprint: str, kind: str, request: str) -> str:
    """Return the key of a reply: who answers, which kind of request, and the request itself."""
    whole = b", ".join(map(to_json, (fingerprint, kind, request)))  # in a few microseconds
    return hashlib.sha256(b"[%b]" % whole).hexdigest()


class Claimed(NamedTuple):
    """What became of the keys that were claimed.

    Attributes:
        replies: Those that are kept.
        leased: Keys that the one who claimed is to ask for.
        owners: Key -> who is asking for it now; of some keys it is not known.
    """

    replies: dict[str, str]
    leased: set[str]
    owners: dict[str, str]


class ReplyStore:
    """Replies by key, in a table of a database. Several processes may share one.

    Args:
        where: A file for SQLite, or the SQLAlchemy URL of a database of SQLite or PostgreSQL, as
            `postgresql+psycopg://host/name`.

    Attributes:
        opened_before: Whether the process that this store was sent from had opened it: if it does
            not answer here, it is away.

    Raises:
        OutputError: The database cannot be opened, read or written.
    """

    def __init__(self, where: str | Path) -> None:
        self.url = database_url(where)
        self.opened_before = False
        self._engine: Engine | None = None
        self._claims: Claims | None = None
        self._process = os.getpid()

    def __repr__(self) -> str:
        return f"Store({shown_url(self.url)!r})"

    def __getstate__(self) -> dict[str, object]:
        """Leave connections and threads behind: another process opens its own."""
        opened = self.opened_before or self._engine is not None
        own = {"_engine": None, "_claims": None, "_process": 0}
        return {"url": self.url, "opened_before": opened, **own}

    @property
    def claims(self) -> Claims:
        """Reads and writes in batches, off the event loop, and goes on where the store does not."""
        self._leave_parent()
        if self._claims is None:
            with _BEGINNING:
                self._claims = self._claims or Claims(self)
        return self._claims

    def open(self) -> None:
        """Open the database now, rather than at its first use."""
        assert self.engine is not None  # noqa: S101 - the property opens it

    def get(self, key: str) -> str | None:
        """Return the reply kept under this key, or `None`."""
        self.flush()
        return self.find([key]).get(key)

    def put(
        self, key: str, kind: str, fingerprint: str, reply: str, *, replace: bool = False
    ) -> None:
        """Keep a reply. A key that is there already stays as it is, unless it is to be replaced."""
        self.keep([StoredReply(key, kind, fingerprint, reply)], replace)

    def find(self, keys: Collection[str]) -> dict[str, str]:
        """Return the replies that are kept under these keys."""
        with self._connection("read") as connection:
            rows = self._execute(connection, FIND, keys=sorted(keys))
            return {str(key): str(reply) for key, reply in rows}

    def keep(self, rows: Sequence[StoredReply], replace: bool = False) -> None:
        """Keep replies; of keys that are there already only if they are to be replaced."""
        if rows:
            with self._connection("written") as connection:
                self._execute(connection, KEEP + (OR_REPLACE if replace else OR_LEAVE), rows=rows)

    def claim(self, keys: Collection[str], owner: str) -> Claimed:
        """Return what is kept under these keys, and lease to `owner` what nobody asks for yet."""
        asked = sorted(keys)
        with self._connection("written") as connection:
            if self.engine.dialect.name == "postgresql":
                found = self._execute(
                    connection, CLAIM, keys=asked, owner=owner, seconds=LEASE_SECONDS
                ).all()
                replies = {str(key): str(reply) for key, reply, _ in found if reply is not None}
                owners = [(str(key), str(who)) for key, _, who in found if who is not None]
            else:
                known = self._execute(connection, FIND, keys=asked)
                replies = {str(key): str(reply) for key, reply in known}
                missing = [key for key in asked if key not in replies]
                if not missing:
                    return Claimed(replies, set(), {})
                given = {"keys": missing, "owner": owner, "seconds": LEASE_SECONDS}
                if self._execute(connection, LEASE, **given).rowcount == len(missing):
                    return Claimed(replies, set(missing), {})
                rows = self._execute(connection, OWNERS, keys=missing)
                owners = [(str(key), str(who)) for key, who in rows]
        leased = {key for key, who in owners if who == owner and key not in replies}
        others = {key: who for key, who in owners if key not in leased and key not in replies}
        return Claimed(replies, leased, others)

    def read_only_claim(self, keys: Collection[str]) -> Claimed:
        """Return what is kept under these keys; all others may be asked for, without a lease."""
        found = self.find(keys)
        return Claimed(found, set(keys) - found.keys(), {})

    def renew(self, keys: Collection[str], owner: str) -> None:
        """Make leases hold for `LEASE_SECONDS` from now, and remove those that expired long ago."""
        with self._connection("written") as connection:
            self._execute(connection, RENEW, keys=sorted(keys), owner=owner, seconds=LEASE_SECONDS)
            self._execute(connection, FORGET, owner="", seconds=LEASE_SECONDS)

    def release(self, keys: Collection[str], owner: str) -> None:
        """Give up leases on what could not be had. Those on replies that were kept expire."""
        if keys:
            with self._connection("written") as connection:
                self._execute(connection, RELEASE, keys=sorted(keys), owner=owner)

    def forget(self, owner: str) -> None:
        """Remove the leases of a process that died."""
        with self._connection("written") as connection:
            self._execute(connection, FORGET, owner=owner, seconds=LEASE_SECONDS)

    def count(self) -> dict[str, int]:
        """Return how many replies are kept, by kind of request."""
        self.flush()
        with self._connection("read") as connection:
            rows = self._execute(connection, "SELECT kind, COUNT(*) FROM replies GROUP BY kind")
            return {str(kind): int(count) for kind, count in rows}

    def rows(self) -> Iterator[dict[str, str]]:
        """Iterate over all rows, by key: key, kind, fingerprint of who answered, reply."""
        self.flush()
        after: str | None = ""
        while after is not None:
            with self._connection("read") as connection:
                page = self._execute(connection, FROM_KEY, after=after, page=PAGE).all()
            for row in page:
                yield StoredReply(*map(str, row))._asdict()
            after = str(page[-1][0]) if page else None

    def clear(self) -> int:
        """Forget all replies and leases; return how many replies there were."""
        self.flush()
        with self._connection("written") as connection:
            count = int(connection.exec_driver_sql("DELETE FROM replies").rowcount)
            connection.exec_driver_sql("DELETE FROM reply_leases")
            return count

    def flush(self) -> None:
        """Wait until what was answered is in the store, or in a file that the next run reads."""
        self._leave_parent()
        if self._claims is not None:
            self._claims.writes.flush()

    def close(self) -> None:
        """Write what is missing and close the connections; the next use opens them again."""
        self._leave_parent()
        claims, self._claims = self._claims, None
        if claims is not None:
            claims.close()
        if self._engine is not None:
            self._engine.dispose()
            self._engine = None

    @property
    def engine(self) -> "Engine":
        """The database, opened at first use; what an earlier run could not write is written."""
        self._leave_parent()
        with _OPENING:
            if self._engine is None:
                self._engine = open_database(self.url, SCHEMA, name=f"the cache {self!r}")
                write_spilled(self.url, self.keep)
        return self._engine

    def _leave_parent(self) -> None:
        """Forget the connections and threads of the process that this one was forked from."""
        if self._process != os.getpid():
            if self._engine is not None:
                self._engine.dispose(close=False)
            self._engine = self._claims = None
            self._process = os.getpid()

    @contextmanager
    def _connection(self, done: str) -> "Iterator[Connection]":
        from sqlalchemy.exc import SQLAlchemyError

        engine = self.engine
        try:
            with engine.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise OutputError(f"the cache {self!r} cannot be {done}: {reason_of(error)}") from None

    def _execute(self, connection: "Connection", statement: str, **given: object) -> Any:
        for name in given.keys() & {"keys", "rows"}:
            given[name] = json.dumps(given[name])
        return connection.execute(_in_dialect(statement, connection.dialect.name), given)


@lru_cache(maxsize=64)
def _in_dialect(statement: str, dialect: str) -> "TextClause":
    from sqlalchemy import text

    return text(statement.format(**DIALECTS[dialect]._asdict()))


Store = ReplyStore
"""The public name of `ReplyStore`."""
