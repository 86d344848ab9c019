"""Replies in a database, and leases on those that are being asked for.

Every method is one statement where the database allows it: a round trip, however many the keys.
`claims` and `write_behind` call them from their threads, and survive what they raise.
"""

import hashlib
import logging
import os
import threading
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pydantic_core import to_json

from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.models.claims import Claims
from llamaindex_rag_eval.models.database import absolute_url, file_of
from llamaindex_rag_eval.models.lease import LEASE_SECONDS
from llamaindex_rag_eval.models.spill import StoredReply
from llamaindex_rag_eval.models.store_connection import PAGE, StoreConnection, execute, rows_of
from llamaindex_rag_eval.models.store_tables import (
    CLAIM,
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
)

if TYPE_CHECKING:
    from sqlalchemy import Connection

logger = logging.getLogger(__name__)

_BEGINNING = threading.Lock()
"""Another lock: an event loop must not wait until a database is open."""


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


class ReplyStore(StoreConnection):
    """Replies by key, in a table of a database. Several processes may share one.

    Args:
        where: A file for SQLite, or the SQLAlchemy URL of a database of SQLite or PostgreSQL, as
            `postgresql+psycopg://host/name`. A file that cannot be written, as on a read-only
            mount, is read, and new replies are kept until the process ends.
        base: Other stores, which are only read, for replies that the first one does not have.

    Attributes:
        opened_before: Whether the process that this store was sent from had opened it: if it does
            not answer here, it is away.
        read_only: Whether it cannot be written; known once it is open.

    Raises:
        OutputError: The database cannot be opened, read or written.
    """

    def __init__(self, where: str | Path, *, base: Sequence[str | Path] = ()) -> None:
        super().__init__(where, base=base)
        self.opened_before = False
        self._claims: Claims | None = None
        self._told_unkept = False

    def __getstate__(self) -> dict[str, object]:
        """Leave connections and threads behind: another process opens its own."""
        opened = self.opened_before or self._engine is not None
        own: dict[str, object] = dict.fromkeys(("_engine", "_inode", "_claims"))
        own |= {"_read": [], "_process": 0}
        urls = {"url": absolute_url(self.url), "base": tuple(map(absolute_url, self.base))}
        return {**self.__dict__, **own, **urls, "opened_before": opened}

    @property
    def claims(self) -> Claims:
        """Reads and writes in batches, off the event loop, and goes on where the store does not."""
        self._leave_parent()
        if self._claims is None:
            with _BEGINNING:
                self._claims = self._claims or Claims(self)
        return self._claims

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
        replies: dict[str, str] = {}
        for rows in self.select(FIND, keys=sorted(keys)):
            replies = {str(key): str(reply) for key, reply in rows} | replies
        return replies

    def keep(self, rows: Sequence[StoredReply], replace: bool = False) -> None:
        """Keep replies; of keys that are there already only if they are to be replaced."""
        if rows:
            self.write(KEEP + (OR_REPLACE if replace else OR_LEAVE), rows=rows)
            if self.read_only and not self._told_unkept:
                self._told_unkept = True
                logger.warning(
                    "the cache %r is read-only: new replies are not kept; to keep them, name "
                    "another file before it, as `--cache NEW --cache %s`",
                    self,
                    file_of(self.url),
                )

    def claim(self, keys: Collection[str], owner: str) -> Claimed:
        """Return what is kept under these keys, and lease to `owner` what nobody asks for yet."""
        self.open()
        replies = self.find(keys) if self._read else {}
        missing = sorted(set(keys) - replies.keys())
        claimed = self.use(self.engine, "written", partial(_claim, keys=missing, owner=owner))
        return claimed._replace(replies={**replies, **claimed.replies})

    def read_only_claim(self, keys: Collection[str]) -> Claimed:
        """Return what is kept under these keys; all others may be asked for, without a lease."""
        found = self.find(keys)
        return Claimed(found, set(keys) - found.keys(), {})

    def renew(self, keys: Collection[str], owner: str) -> None:
        """Make leases hold for `LEASE_SECONDS` from now, and remove those that expired long ago."""
        self.write(RENEW, keys=sorted(keys), owner=owner, seconds=LEASE_SECONDS)
        self.write(FORGET, owner="", seconds=LEASE_SECONDS)

    def release(self, keys: Collection[str], owner: str) -> None:
        """Give up leases on what could not be had. Those on replies that were kept expire."""
        if keys:
            self.write(RELEASE, keys=sorted(keys), owner=owner)

    def forget(self, owner: str) -> None:
        """Remove the leases of a process that died."""
        self.write(FORGET, owner=owner, seconds=LEASE_SECONDS)

    def count(self) -> dict[str, int]:
        """Return how many replies are kept, by kind of request."""
        self.flush()
        counts: Counter[str] = Counter()
        for rows in self.select("SELECT kind, COUNT(*) FROM replies GROUP BY kind"):
            counts.update({str(kind): int(count) for kind, count in rows})
        return dict(counts)

    def rows(self) -> Iterator[dict[str, str]]:
        """Iterate over all rows, by key: key, kind, fingerprint of who answered, reply."""
        self.flush()
        for engine in (self.engine, *self._read):
            after: str | None = ""
            while after is not None:
                find = partial(rows_of, statement=FROM_KEY, after=after, page=PAGE)
                page = self.use(engine, "read", find)
                for row in page:
                    yield StoredReply(*map(str, row))._asdict()
                after = str(page[-1][0]) if page else None

    def clear(self) -> int:
        """Forget all replies and leases; return how many replies there were."""
        self.flush()
        self.open()
        if self.read_only:
            raise OutputError(f"the cache {self!r} cannot be written: it is read-only")

        def clear(connection: "Connection") -> int:
            count = int(connection.exec_driver_sql("DELETE FROM replies").rowcount)
            connection.exec_driver_sql("DELETE FROM reply_leases")
            return count

        return self.use(self.engine, "written", clear)

    def flush(self) -> None:
        """Wait until what was answered is in the store, or in a file that the next run reads."""
        self._leave_parent()
        if self._claims is not None:
            self._claims.writes.flush()
        self.checkpoint()

    def close(self) -> None:
        """Write what is missing and close the connections; the next use opens them again."""
        self._leave_parent()
        claims, self._claims = self._claims, None
        if claims is not None:
            claims.close()
        super().close()

    def _leave_parent(self) -> None:
        if self._process != os.getpid():
            self._claims = None
        super()._leave_parent()


def _claim(connection: "Connection", keys: Sequence[str], owner: str) -> Claimed:
    """Find or lease keys: in one statement where the database can, else under SQLite's lock."""
    if connection.dialect.name == "postgresql":
        found = rows_of(connection, CLAIM, keys=keys, owner=owner, seconds=LEASE_SECONDS)
        replies = {str(key): str(reply) for key, reply, _ in found if reply is not None}
        owners = [(str(key), str(who)) for key, _, who in found if who is not None]
    else:
        replies = {str(key): str(reply) for key, reply in rows_of(connection, FIND, keys=keys)}
        missing = [key for key in keys if key not in replies]
        if not missing:
            return Claimed(replies, set(), {})
        given = {"keys": missing, "owner": owner, "seconds": LEASE_SECONDS}
        if execute(connection, LEASE, **given).rowcount == len(missing):
            return Claimed(replies, set(missing), {})
        rows = rows_of(connection, OWNERS, keys=missing)
        owners = [(str(key), str(who)) for key, who in rows]
    leased = {key for key, who in owners if who == owner and key not in replies}
    others = {key: who for key, who in owners if key not in leased and key not in replies}
    return Claimed(replies, leased, others)


Store = ReplyStore
"""The public name of `ReplyStore`."""
