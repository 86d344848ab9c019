"""Failed calls: signs in the errors of all libraries, and our own error with a plain sentence."""

from collections.abc import Iterator
from typing import Any

from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.models.connection import (
    address_in,
    causes_of,
    speaks,
    url_in,
)
from llamaindex_rag_eval.models.failures import Failure, failure_with, failures

UNREAD = "aiohttp.http_exceptions"
"""Module of errors that call a reply a 400 because it could not be read."""

OF_ANOTHER_SCHEME = {
    ("http", "disconnected"),
    ("http", "misread"),
    ("https", "no connection"),
    ("https", "disconnected"),
    ("https", "tls"),
}
"""The scheme of an address, and how calls fail where the server speaks only the other one."""


def status_of(error: BaseException) -> int | None:
    """Return the HTTP status that an error or a cause of it holds; `None` without one."""
    causes = list(causes_of(error))
    if any(type(cause).__module__ == UNREAD for cause in causes):
        return None
    for cause in causes:
        holders = (cause, getattr(cause, "response", None))
        for holder in holders:
            for name in ("status_code", "status", "code"):
                status = getattr(holder, name, None)
                if isinstance(status, int) and 300 <= status < 600:
                    return int(status)
    return None


def failure_in(error: BaseException) -> Failure | None:
    """Return the row of an error of any library; `None` if it has no sign of any.

    Example:
        >>> failure_in(ConnectionRefusedError()).name
        'connection refused'
        >>> failure_in(KeyError("a bug")) is None
        True
    """
    causes = list(causes_of(error))
    names = {kind.__name__ for cause in causes for kind in type(cause).__mro__}
    errnos = {number for cause in causes if isinstance(number := getattr(cause, "errno", 0), int)}
    text = " ".join(part for cause in causes for part in _parts(cause))
    return failure_with(status_of(error), text, names, errnos)


def _parts(cause: BaseException) -> Iterator[str]:
    """Yield what an error says, where it comes from a server or from the network."""
    if status_of(cause) is not None or isinstance(cause, OSError):
        yield str(cause)
    body = getattr(cause, "body", None)
    for holder in (body, body.get("error") if isinstance(body, dict) else None):
        if isinstance(holder, dict):
            yield from (str(holder.get(name)) for name in ("code", "type", "message", "param"))


def said_in(error: BaseException, row: Failure) -> str:
    """Return what a server says of an error, or the system of a connection; empty if nothing."""
    body = getattr(error, "body", None)
    if isinstance(body, dict) and isinstance(body.get("error"), dict):
        body = body["error"]
    if isinstance(body, dict) and isinstance(body.get("message"), str):
        parameter = body.get("param")
        named = isinstance(parameter, str) and parameter not in body["message"]
        return f"{body['message']} [{parameter}]" if named else body["message"]
    if row.name == "certificate":
        reasons = (getattr(cause, "verify_message", "") for cause in causes_of(error))
        return next(filter(None, reasons), "")
    is_said = status_of(error) is not None or row.name == "unknown"
    return str(error) if is_said else ""


def failure_of(error: CallError) -> Failure:
    """Return the row of a `CallError`, whoever raised it."""
    row = failures().get(error.failure) or failure_with(error.status)
    return row or failures()["transient" if error.transient else "unknown"]


def error_in_reply(error: Any, status: int = 200) -> CallError:
    """Return an error that a server sent in the place of an answer, as that error."""
    entries = error if isinstance(error, dict) else {"message": error}
    code = str(entries.get("code") or "")
    inner = int(code) if code.isdecimal() and 400 <= int(code) < 600 else None
    text = " ".join(str(entries.get(name) or "") for name in ("code", "type", "message", "param"))
    row = failure_with(inner, text) or failures()["error"]
    return failed(row, str(entries.get("message") or ""), status=inner or status)


def failed(
    row: Failure | str,
    said: str = "",
    *,
    error: BaseException | None = None,
    status: int | None = None,
    retry_after: float | None = None,
) -> CallError:
    """Return the error of a call that failed in the way of a row.

    Args:
        row: The row, or its name.
        said: What the server says of it.
        error: The error of a client, which may know the address.
        status: The HTTP status.
        retry_after: Seconds after which the server wants to be called again.
    """
    row = failures()[row] if isinstance(row, str) else row
    host, address = ("", "") if error is None else address_in(error)
    sentence = row.sentence.format(
        at=address and f" {address}", to=address and f" to {address}", host=host and f" {host!r}"
    )
    details = ": ".join(filter(None, (f"HTTP {status}" if status else "", said)))
    return CallError(
        f"{sentence} ({details})" if details else sentence,
        status=status,
        retry_after=retry_after,
        transient=row.transient,
        failure=row.name,
    )


async def seen_from_here(error: BaseException, failure: CallError) -> CallError:
    """Return a failed call with the other scheme named, where the server speaks only that.

    A server that expects encryption hangs up on plain http, and one that does not may be silent: no
    error says so, and a look does.
    """
    url = url_in(error)
    scheme = getattr(url, "scheme", "")
    if (scheme, failure.failure) not in OF_ANOTHER_SCHEME:
        return failure
    port = url.port or {"http": 80, "https": 443}[scheme]
    if (url.host, port) in _looked_at:
        return failure
    _looked_at.add((url.host, port))
    other = "http" if scheme == "https" else "https"
    if not await speaks(other, url.host, port):
        return failure
    return failed("plain http expected" if other == "http" else "https expected", error=error)


_looked_at: set[tuple[str, int]] = set()
"""Servers that were looked at: one look tells, and a server in trouble is left alone."""
