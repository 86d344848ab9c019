"""The tables of replies and leases, and the statements over them, in both kinds of database."""

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sqlalchemy import MetaData, TextClause


LEASE_SECONDS = 30.0
"""How long a lease holds that is not renewed: a store that is away for less loses none."""


class StoredReply(NamedTuple):
    """A row of the store.

    Attributes:
        key: Of the request and who answers it, see `reply_key`.
        kind: The type of the request.
        fingerprint: Who answered.
        reply: As JSON.
    """

    key: str
    kind: str
    fingerprint: str
    reply: str


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


DIALECTS = {
    "sqlite": {
        "now": "((julianday('now') - 2440587.5) * 86400.0)",
        "keys": "json_each(:keys)",
        "rows": "(SELECT json_extract(value, '$[0]') AS key, json_extract(value, '$[1]') AS kind, "
        "json_extract(value, '$[2]') AS fingerprint, json_extract(value, '$[3]') AS reply "
        "FROM json_each(:rows))",
    },
    "postgresql": {
        "now": "CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)",
        "keys": "json_array_elements_text(CAST(:keys AS json)) AS asked(value)",
        "rows": "(SELECT value->>0 AS key, value->>1 AS kind, value->>2 AS fingerprint, "
        "value->>3 AS reply FROM json_array_elements(CAST(:rows AS json))) AS given",
    },
}
"""What they write differently: the clock in seconds, and lists in JSON as tables."""

FIND = "SELECT key, reply FROM replies WHERE key IN (SELECT value FROM {keys})"
ALL = "SELECT key, kind, fingerprint, reply FROM replies ORDER BY key"
KEEP = (
    "INSERT INTO replies (key, kind, fingerprint, reply) SELECT key, kind, fingerprint, reply "
    "FROM {rows} WHERE true ORDER BY key ON CONFLICT (key) DO UPDATE SET reply = excluded.reply"
)
LEASE = (
    "INSERT INTO reply_leases (key, owner, until) SELECT value, :owner, {now} + :seconds "
    "FROM {keys} WHERE NOT EXISTS (SELECT 1 FROM replies WHERE key = value) ORDER BY value "
    "ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, until = excluded.until "
    "WHERE reply_leases.owner = excluded.owner OR reply_leases.until < {now}"
)
OWNERS = "SELECT key, owner FROM reply_leases WHERE key IN (SELECT value FROM {keys})"
RENEW = (
    "UPDATE reply_leases SET until = {now} + :seconds "
    "WHERE owner = :owner AND key IN (SELECT value FROM {keys})"
)
RELEASE = "DELETE FROM reply_leases WHERE owner = :owner AND key IN (SELECT value FROM {keys})"
FORGET = "DELETE FROM reply_leases WHERE owner = :owner OR until < {now} - :seconds"


@lru_cache(maxsize=1)
def tables() -> "MetaData":
    """Return the tables; SQLAlchemy, which is slow to import, is loaded here."""
    from sqlalchemy import Column, Float, MetaData, String, Table, Text

    metadata = MetaData()
    texts = [Column(name, Text, nullable=False) for name in ("kind", "fingerprint", "reply")]
    Table("replies", metadata, Column("key", String(64), primary_key=True), *texts)
    Table(
        "reply_leases",
        metadata,
        Column("key", String(64), primary_key=True),
        Column("owner", Text, nullable=False),
        Column("until", Float(53), nullable=False),
    )
    return metadata


@lru_cache(maxsize=64)
def in_dialect(statement: str, dialect: str) -> "TextClause":
    """Return a statement as a kind of database writes it."""
    from sqlalchemy import text

    return text(statement.format(**DIALECTS[dialect]))
