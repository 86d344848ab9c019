"""The tables of replies and leases, and the statements over them, in both kinds of database."""

from typing import TYPE_CHECKING, NamedTuple

from llamaindex_rag_eval.models.database import Schema

if TYPE_CHECKING:
    from sqlalchemy import Connection


class Dialect(NamedTuple):
    """What SQLite and PostgreSQL write differently.

    Attributes:
        now: The database's clock, in seconds.
        keys: The parameter `keys`, a list in JSON, as a table with the column `value`.
        rows: The parameter `rows`, a list of `StoredReply` in JSON, as a table.
    """

    now: str
    keys: str
    rows: str


DIALECTS = {
    "sqlite": Dialect(
        now="((julianday('now') - 2440587.5) * 86400.0)",
        keys="json_each(:keys)",
        rows="(SELECT json_extract(value, '$[0]') AS key, json_extract(value, '$[1]') AS kind, "
        "json_extract(value, '$[2]') AS fingerprint, json_extract(value, '$[3]') AS reply "
        "FROM json_each(:rows))",
    ),
    "postgresql": Dialect(
        now="CAST(extract(epoch FROM clock_timestamp()) AS DOUBLE PRECISION)",
        keys="json_array_elements_text(CAST(:keys AS json)) AS asked(value)",
        rows="(SELECT value->>0 AS key, value->>1 AS kind, value->>2 AS fingerprint, "
        "value->>3 AS reply FROM json_array_elements(CAST(:rows AS json))) AS given",
    ),
}

FIND = "SELECT key, reply FROM replies WHERE key IN (SELECT value FROM {keys})"
FROM_KEY = (
    "SELECT key, kind, fingerprint, reply FROM replies WHERE key > :after ORDER BY key LIMIT :page"
)
KEEP = (
    "INSERT INTO replies (key, kind, fingerprint, reply) SELECT key, kind, fingerprint, reply "
    "FROM {rows} WHERE true ORDER BY key ON CONFLICT (key) "
)
OR_LEAVE = "DO NOTHING"
OR_REPLACE = "DO UPDATE SET reply = excluded.reply"
LEASE = (
    "INSERT INTO reply_leases (key, owner, until) SELECT value, :owner, {now} + :seconds "
    "FROM {keys} WHERE NOT EXISTS (SELECT 1 FROM replies WHERE key = value) ORDER BY value "
    "ON CONFLICT (key) DO UPDATE SET owner = excluded.owner, until = excluded.until "
    "WHERE reply_leases.owner = excluded.owner OR reply_leases.until < {now}"
)
OWNERS = "SELECT key, owner FROM reply_leases WHERE key IN (SELECT value FROM {keys})"
CLAIM = (
    f"WITH found AS ({FIND}), leased AS ({LEASE} RETURNING key), held AS ({OWNERS}) "  # noqa: S608 - ours
    "SELECT key, reply, NULL FROM found UNION ALL SELECT key, NULL, :owner FROM leased UNION ALL "
    "SELECT key, NULL, owner FROM held WHERE key NOT IN (SELECT key FROM leased)"
)
"""Both at once, in PostgreSQL. The leases that it reads are those before it."""

RENEW = (
    "UPDATE reply_leases SET until = {now} + :seconds "
    "WHERE owner = :owner AND key IN (SELECT value FROM {keys})"
)
RELEASE = "DELETE FROM reply_leases WHERE owner = :owner AND key IN (SELECT value FROM {keys})"
FORGET = "DELETE FROM reply_leases WHERE owner = :owner OR until < {now} - :seconds"


def _make_replies(connection: "Connection") -> None:
    connection.exec_driver_sql(
        "CREATE TABLE IF NOT EXISTS replies (key VARCHAR(64) PRIMARY KEY, "
        "kind TEXT NOT NULL, fingerprint TEXT NOT NULL, reply TEXT NOT NULL)"
    )


def _make_leases(connection: "Connection") -> None:
    connection.exec_driver_sql(
        "CREATE TABLE IF NOT EXISTS reply_leases (key VARCHAR(64) PRIMARY KEY, "
        "owner TEXT NOT NULL, until DOUBLE PRECISION NOT NULL)"
    )


SCHEMA = Schema("replies", (_make_replies, _make_leases))
"""Until its second version the store had no leases."""
