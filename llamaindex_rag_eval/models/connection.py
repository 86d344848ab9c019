"""Connections: why a call reached no server, in words that say what to look at."""

import socket
import ssl
from collections.abc import Iterator

__all__ = ["causes_of", "connection_fault"]


def causes_of(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, what it was raised from, what that was raised from, and so on."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__


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
    # Errors of aiohttp know the host and the port.
    host, port = next(
        ((each.host, getattr(each, "port", "")) for each in causes if hasattr(each, "host")),
        ("", ""),
    )
    at = f" {host}:{port}" if host else ""
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
    return ""
