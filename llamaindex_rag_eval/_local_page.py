"""Pages that are served on this machine alone, to those who were given their address.

An address has a random token, and only the names of this machine are answered: a page of another
site that a name server leads here (DNS rebinding) sends its own name as Host. A request that
changes something must be JSON, which no form of another site sends.
"""

import secrets
import socket
from collections.abc import Callable, Mapping
from contextlib import suppress

import uvicorn
from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from llamaindex_rag_eval.errors import OutputError

HOST = "127.0.0.1"


def serve_locally(
    app_at: Callable[..., ASGIApp], *, port: int, ready: Callable[[str], None]
) -> None:
    """Serve a page until interrupted.

    Args:
        app_at: Returns the application, given `token` and `port`.
        port: Where to listen; 0 takes any free port.
        ready: Called with the page's address when it can be opened.

    Raises:
        OutputError: The port is taken.
    """
    with socket.socket() as listening:
        try:
            listening.bind((HOST, port))
            listening.listen()
        except OSError as error:
            raise OutputError(
                f"cannot listen on port {port}: {error.strerror}; 0 takes any free port"
            ) from error
        token, port = secrets.token_urlsafe(24), listening.getsockname()[1]
        app = app_at(token=token, port=port)
        config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
        ready(f"http://{HOST}:{port}/{token}/")
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])


POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; "
    "img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
"""Only our own script and style sheet are applied, whatever a document contains."""

HEADERS: Mapping[bytes, bytes] = {
    b"x-content-type-options": b"nosniff",
    b"referrer-policy": b"no-referrer",
    b"cache-control": b"no-store",
    b"cross-origin-resource-policy": b"same-origin",
}
MAX_BODY = 1_000_000
"""Bytes that a request may have: a question and its answer are shorter."""


class Guard:
    """Lets requests through that have the token and a right host name.

    Args:
        app: The application behind; it sees paths without the token.
        token: The first part of every path.
        port: The port that the server listens on.
        policy: What pages may load and run, as a content security policy.
    """

    def __init__(self, app: ASGIApp, *, token: str, port: int, policy: str = POLICY) -> None:
        self.app = app
        self.token = token
        self.headers = {**HEADERS, b"content-security-policy": policy.encode()}
        self.hosts = frozenset({f"127.0.0.1:{port}", f"localhost:{port}"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it: 400 wrong host, 403 no token, 413 long, 415 no JSON."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *self.headers.items()]
            await send(message)

        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, send_safely)
            return
        path = scope["path"].removeprefix(f"/{self.token}")
        await self.app({**scope, "path": path, "raw_path": path.encode()}, receive, send_safely)

    def _refusal(self, scope: Scope) -> PlainTextResponse | None:
        headers = Headers(scope=scope)
        if headers.get("host", "") not in self.hosts:
            return PlainTextResponse("wrong host", 400)
        first, slash, _ = scope["path"].removeprefix("/").partition("/")
        if not slash or not secrets.compare_digest(first.encode(), self.token.encode()):
            return PlainTextResponse("open the whole address that rag-eval printed", 403)
        if scope["method"] not in {"GET", "HEAD"}:
            return self._refusal_of_change(headers)
        return None

    def _refusal_of_change(self, headers: Headers) -> PlainTextResponse | None:
        origin = headers.get("origin")
        if origin is not None and origin.removeprefix("http://") not in self.hosts:
            return PlainTextResponse("wrong origin", 403)
        if headers.get("content-type", "").partition(";")[0] != "application/json":
            return PlainTextResponse("expected JSON", 415)
        length = headers.get("content-length", "")
        if not length.isdecimal() or int(length) > MAX_BODY:
            return PlainTextResponse(f"expected at most {MAX_BODY} bytes", 413)
        return None
