"""HTTP/1.1 with keep-alive, as much of it as API clients use, at little cost per call."""

import asyncio
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias, cast

from tests.server.wire import error_response

LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)", re.IGNORECASE)
CLOSE = re.compile(rb"\r\nconnection:[ \t]*close", re.IGNORECASE)
CHUNKED = re.compile(rb"\r\ntransfer-encoding:", re.IGNORECASE)
CONTINUE = re.compile(rb"\r\nexpect:[ \t]*100-continue", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class HttpRequest:
    """A request, with its head (request line and headers) unread."""

    method: str
    path: str
    head: bytes
    body: bytes


class Connection(asyncio.Protocol):
    """One client's connection: hands over one request at a time, in order.

    Attributes:
        when_lost: Called once if the client hangs up before the request is answered.
        served: How many model calls came over it.
    """

    def __init__(self, handler: "Handler") -> None:
        self.when_lost: Callable[[], None] | None = None
        self.served = 0
        self._handler = handler
        self._buffer = b""
        self._head: bytes | None = None
        self._length = 0
        self._busy = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast("asyncio.Transport", transport)

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        lost, self.when_lost = self.when_lost, None
        if lost is not None:
            lost()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        self._take()

    def send(self, data: bytes) -> None:
        """Send a part of a reply."""
        self._transport.write(data)

    def finish(self, data: bytes) -> None:
        """Send the last part of a reply, and turn to the next request."""
        self._transport.write(data)
        self.when_lost = None
        self._busy = False
        if self._head is not None and CLOSE.search(self._head):
            self._transport.close()
            return
        self._head = None
        if self._buffer:
            asyncio.get_running_loop().call_soon(self._take)

    def drop(self) -> None:
        """Hang up behind what was sent."""
        self.when_lost = None
        self._transport.close()

    def abort(self) -> None:
        """Hang up at once."""
        self._transport.abort()

    def _take(self) -> None:
        if self._busy or self._transport.is_closing():
            return
        if self._head is None and not self._take_head():
            return
        if self._head is None or len(self._buffer) < self._length:
            return
        body, self._buffer = self._buffer[: self._length], self._buffer[self._length :]
        self._busy = True
        try:
            method, path, _ = self._head[: self._head.index(b"\r\n")].decode("latin-1").split(" ")
        except ValueError:
            self._refuse(400, "This is not an HTTP/1.1 request.")
            return
        self._handler(HttpRequest(method, path, self._head, body), self)

    def _take_head(self) -> bool:
        end = self._buffer.find(b"\r\n\r\n")
        if end < 0:
            return False
        # One line end is kept, so that the patterns and the request line find theirs.
        self._head, self._buffer = self._buffer[: end + 2], self._buffer[end + 4 :]
        if CHUNKED.search(self._head):
            self._refuse(411, "Chunked requests are not read here; send a Content-Length.")
            return False
        length = LENGTH.search(self._head)
        self._length = int(length[1]) if length else 0
        if CONTINUE.search(self._head):
            self.send(b"HTTP/1.1 100 Continue\r\n\r\n")
        return True

    def _refuse(self, status: int, message: str) -> None:
        self._transport.write(error_response(status, message))
        self._transport.close()


Handler: TypeAlias = Callable[[HttpRequest, Connection], None]
