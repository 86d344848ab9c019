"""Responses as bytes: the status line, the headers, the body, and the errors of the API."""

import json
from collections.abc import Mapping
from http import HTTPStatus

ERROR_TYPES = {
    401: "invalid_request_error",
    429: "requests",
    500: "server_error",
    503: "service_unavailable_error",
}


def http_response(
    status: int,
    body: bytes,
    *,
    content_type: str = "application/json",
    headers: Mapping[str, str] | None = None,
) -> bytes:
    """Return the bytes of a response; every response keeps the connection open."""
    phrase = "Overloaded" if status == 529 else HTTPStatus(status).phrase
    more = "".join(f"{name}: {value}\r\n" for name, value in (headers or {}).items())
    head = (
        f"HTTP/1.1 {status} {phrase}\r\nContent-Type: {content_type}\r\n"
        f"Content-Length: {len(body)}\r\n{more}\r\n"
    )
    return head.encode("latin-1") + body


def error_response(
    status: int,
    message: str,
    *,
    code: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> bytes:
    """Return an error in the shape of the API's errors."""
    kind = ERROR_TYPES.get(status, "invalid_request_error")
    error = {"message": message, "type": kind, "param": None, "code": code}
    return http_response(status, json.dumps({"error": error}).encode(), headers=headers)
