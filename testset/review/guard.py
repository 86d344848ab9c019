"""The guard: who may talk to the review page.

Only somebody who was given the address, with its random token in it, and only under the names of
this machine: a page of another site that a name server leads here (DNS rebinding) sends its own
name as Host. What is sent to change something must be JSON, which no form of another site sends.
"""

import secrets
from collections.abc import Mapping

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

__all__ = ["Guard"]

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Nothing but our own two files runs or styles, whatever a document says."""

HEADERS: Mapping[bytes, bytes] = {
    b"content-security-policy": POLICY.encode(),
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cache-control": b"no-store",
    b"cross-origin-resource-policy": b"same-origin",
}
LARGEST = 1_000_000
"""Bytes of a request: a question and its answer are shorter."""


class Guard:
    """Lets requests through that know the token and a right host name.

    Args:
        app: What is guarded; it sees paths without the token.
        token: The first part of every path.
        port: The port that the server listens on.
    """

    def __init__(self, app: ASGIApp, *, token: str, port: int) -> None:
        self.app = app
        self.token = token
        self.hosts = frozenset({f"127.0.0.1:{port}", f"localhost:{port}"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or turn it down: 400 wrong host, 403 no token, 413, 415."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def safe(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *HEADERS.items()]
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, safe)
            return
        path = scope["path"].removeprefix(f"/{self.token}")
        await self.app({**scope, "path": path, "raw_path": path.encode()}, receive, safe)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        if headers.get("host", "") not in self.hosts:
            return PlainTextResponse("wrong host", 400)
        first, slash, _ = scope["path"].removeprefix("/").partition("/")
        if not slash or not secrets.compare_digest(first.encode(), self.token.encode()):
            return PlainTextResponse("open the address that rag-eval review printed", 403)
        if scope["method"] not in {"GET", "HEAD"}:
            return self._unfit(headers)
        return None

    def _unfit(self, headers: Headers) -> PlainTextResponse | None:
        origin = headers.get("origin")
        if origin is not None and origin.removeprefix("http://") not in self.hosts:
            return PlainTextResponse("wrong origin", 403)
        if headers.get("content-type", "").partition(";")[0] != "application/json":
            return PlainTextResponse("expected JSON", 415)
        length = headers.get("content-length", "")
        if not length.isdecimal() or int(length) > LARGEST:
            return PlainTextResponse(f"expected at most {LARGEST} bytes", 413)
        return None
