"""Connections: where a failed call went to, and whether that server speaks http or https."""

import asyncio
import ssl
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

LOOK_SECONDS = 3.0
"""Seconds for a look at how a server speaks: as much as a slow network takes to say hello."""

HELLO = b"OPTIONS * HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
"""Asks a server for nothing."""


def causes_of(error: BaseException) -> Iterator[BaseException]:
    """Yield an error, what it was raised from, or over, or what it holds, and so on."""
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        held = next((argument for argument in cause.args if isinstance(argument, Exception)), None)
        context = None if cause.__suppress_context__ else cause.__context__
        cause = cause.__cause__ or held or context


def url_in(error: BaseException) -> Any:
    """Return the URL of httpx that a call went to; `None` where no error of a client knows it."""
    for cause in causes_of(error):
        with suppress(AttributeError, RuntimeError):  # it says that there is no request
            unknown: Any = cause
            return unknown.request.url
    return None


def address_in(error: BaseException) -> tuple[str, str]:
    """Return the host, and host and port, that a call went to; empty where nobody knows."""
    for cause in causes_of(error):
        host, port = getattr(cause, "host", None), getattr(cause, "port", "")
        if isinstance(host, str):  # aiohttp's
            return host, f"{host}:{port}"
    url = url_in(error)
    return ("", "") if url is None else (url.host, f"{url.host}:{url.port or ''}".rstrip(":"))


async def speaks(scheme: str, host: str, port: int) -> bool:
    """Return whether a server answers in plain http, or takes https, whatever its certificate."""
    context = ssl.create_default_context() if scheme == "https" else None
    if context is not None:
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    try:
        async with asyncio.timeout(LOOK_SECONDS):
            reader, writer = await asyncio.open_connection(host, port, ssl=context)
            try:
                writer.write(HELLO)
                return scheme == "https" or await reader.read(5) == b"HTTP/"
            finally:
                writer.close()
    except (OSError, TimeoutError):
        return False
