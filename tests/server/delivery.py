"""How a reply goes over the wire: whole, cut off, or with a pause in it."""

import re
import time
from dataclasses import dataclass
from email.utils import formatdate
from typing import Literal

from tests.server.faults import Fault
from tests.server.wire import error_response, http_response

KEY = re.compile(rb"\r\nauthorization:[ \t]*Bearer[ \t]+(\S+)", re.IGNORECASE)

HTML = b"<!DOCTYPE html><html><body><h1>Please sign in to the network</h1></body></html>"


CHOICE = b'{"id": "1", "object": "chat.completion", "choices": [{"index": 0, %b}]}'

ODD_BODIES: dict[str, bytes] = {
    "nothing_in_reply": b"{}",
    "null_reply": b"null",
    "error_in_reply": b'{"error": {"message": "Provider returned error", "code": 502}}',
    "no_choices": b'{"id": "1", "object": "chat.completion", "choices": []}',
    "null_choices": b'{"id": "1", "object": "chat.completion", "choices": null}',
    "null_message": CHOICE % b'"finish_reason": "stop", "message": null',
    "null_content": CHOICE
    % b'"finish_reason": "stop", "message": {"role": "assistant", "content": null}',
    "content_filter": CHOICE
    % b'"finish_reason": "content_filter", "message": {"role": "assistant", "content": null}',
    "invalid_utf8": CHOICE
    % b'"finish_reason": "stop", "message": {"role": "assistant", "content": "\xff\xfe"}',
    "empty_body": b"",
}


@dataclass(frozen=True, slots=True)
class Delivery:
    """Bytes to send, and what becomes of them.

    Attributes:
        outcome: The name under which the call is counted.
        wire: The whole response.
        ending: `whole`, `drop` (hang up after `cut` bytes) or `stall` (pause after `cut` bytes).
        cut: How many bytes are sent before the ending.
        stall: Seconds of the pause.
    """

    outcome: str
    wire: bytes
    ending: Literal["whole", "drop", "stall"] = "whole"
    cut: int = 0
    stall: float = 0.0


def faulty_delivery(fault: Fault, *, good: bytes, head: bytes) -> Delivery:
    """Return what a fault of transport makes of a good response to a request with this head."""
    # The middle of the body, well behind the headers.
    middle = good.index(b"\r\n\r\n") + 4 + len(good) // 4
    if fault.kind in ODD_BODIES:
        return Delivery(fault.kind, http_response(200, ODD_BODIES[fault.kind]))
    match fault.kind:
        case "half_a_body":
            return Delivery(fault.kind, http_response(200, good[middle - len(good) // 4 : middle]))
        case "dropped":
            return Delivery(fault.kind, b"", "drop")
        case "dropped_mid_body":
            return Delivery(fault.kind, good, "drop", min(middle, len(good) - 1))
        case "stalled":
            return Delivery(fault.kind, good, "stall", min(middle, len(good) - 1), fault.stall)
        case "wrong_content_type":
            return Delivery(fault.kind, http_response(200, HTML, content_type="text/html"))
    return Delivery(fault.kind, _error(fault, head))


def _error(fault: Fault, head: bytes) -> bytes:
    wait = {} if fault.retry_after is None else {"Retry-After": _retry_after(fault)}
    match fault.kind:
        case "rate_limited":
            message = "Rate limit reached for requests. Please try again later."
            return error_response(429, message, code="rate_limit_exceeded", headers=wait)
        case "unavailable":
            return error_response(503, "The engine is overloaded at present.", headers=wait)
        case "overloaded":
            message = "Overloaded"
            return error_response(529, message, code="overloaded_error", headers=wait)
        case "bad_request":
            return error_response(400, "The request cannot be served.", code="invalid_value")
        case "unauthorized":
            message = f"Incorrect API key provided: {_masked_key(head)}."
            return error_response(401, message, code="invalid_api_key")
    return error_response(500, "The server had an error while processing the request.")


def _retry_after(fault: Fault) -> str:
    seconds = fault.retry_after or 0.0
    return formatdate(time.time() + seconds, usegmt=True) if fault.as_date else f"{seconds:g}"


def _masked_key(head: bytes) -> str:
    """Return the key as the API shows it: the ends, with stars between."""
    found = KEY.search(head)
    key = found[1].decode("latin-1") if found else ""
    if len(key) <= 8:
        return f"{key[:2]}***"
    return f"{key[:5]}{'*' * (len(key) - 9)}{key[-4:]}"
