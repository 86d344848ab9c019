"""Connections: why a call reached no server, and what a failed call says of those after it."""

import errno
import socket
import ssl
from collections.abc import Iterator
from typing import Any

from llamaindex_rag_eval.errors import FailureScope

REFUSES_ALL = frozenset({401, 402, 403, 404})
"""HTTP statuses by which an endpoint refuses a key, an account or a model, whatever is asked."""

NO_SERVER = frozenset({502, 503, 504, 529})
"""HTTP statuses of gateways without a server behind them, and of servers that are overloaded."""

NO_QUOTA = "insufficient_quota"
"""OpenAI's code for an account without money: a 429 that no waiting helps."""

NO_CONNECTION_IN_TIME = frozenset({"ConnectionTimeoutError", "ConnectTimeout"})
"""What aiohttp and httpx call the error of a connection that did not come about in time."""

NO_ROUTE = frozenset({errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN})


def causes_of(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, what it was raised from, what that was raised from, and so on."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__


def scope_of(error: BaseException, status: int | None) -> FailureScope:
    """Return what a provider's error says of the calls after it.

    Example:
        >>> scope_of(ConnectionRefusedError(), None), scope_of(OSError(), 404)
        ('unreached', 'refused')
    """
    if status is not None:
        refused = status in REFUSES_ALL or (status == 429 and NO_QUOTA in str(error))
        return "refused" if refused else "away" if status in NO_SERVER else "call"
    causes = list(causes_of(error))
    if any(isinstance(cause, socket.gaierror | ssl.SSLError) for cause in causes):
        return "refused"
    if connection_fault(error):
        return "unreached"
    return "late" if any(isinstance(cause, TimeoutError) for cause in causes) else "call"


def connection_fault(error: BaseException) -> str:
    """Return why no connection was made; empty if one was, or nobody knows.

    Clients wrap the reason in errors of their own, and some name it wrongly: OpenAI's client over
    aiohttp says "Request timed out" of a connection that was refused.

    Example:
        >>> connection_fault(ConnectionRefusedError(111, "Connect call failed"))
        'the connection was refused: no server listens there'
        >>> connection_fault(TimeoutError())
        ''
    """
    causes = list(causes_of(error))
    host, at = _address_in(causes)
    for cause in causes:
        match cause:
            case ssl.SSLCertVerificationError():
                return f"the certificate of the server{at} is not trusted: {cause.verify_message}"
            case ssl.SSLError():
                return f"the server{at} does not speak https, or not as expected"
            case socket.gaierror():
                return f"the host {host!r} is not known" if host else "the host is not known"
            case ConnectionRefusedError():
                return f"the connection{at and f' to{at}'} was refused: no server listens there"
            case OSError() if cause.errno in NO_ROUTE:
                return f"no network leads to the server{at}"
            case OSError() if str(errno.ECONNREFUSED) in str(cause) and cause.errno is None:
                # asyncio's, of a name with several addresses: "Multiple exceptions: [Errno 111] …"
                return f"the connection{at and f' to{at}'} was refused: no server listens there"
    # Last, since httpx over aiohttp says "ConnectTimeout" of a connection that was refused, too.
    if any(map(_is_without_connection, causes)):
        return f"no connection came about{at and f' to{at}'}: nothing answers there at all"
    return ""


def _is_without_connection(cause: BaseException) -> bool:
    names_it = type(cause).__name__ in NO_CONNECTION_IN_TIME
    return names_it or (isinstance(cause, OSError) and cause.errno == errno.ETIMEDOUT)


def _address_in(causes: list[BaseException]) -> tuple[str, str]:
    """Return the host, and host and port after a blank, where an error of a client knows them."""
    for cause in causes:
        found: Any = cause
        if isinstance(getattr(found, "host", None), str):  # aiohttp's
            return found.host, f" {found.host}:{getattr(found, 'port', '')}"
        try:
            url = found.request.url
            return url.host, f" {url.host}:{url.port or ''}".rstrip(":")  # httpx's
        except (AttributeError, RuntimeError):  # it says that there is no request
            continue
    return "", ""
