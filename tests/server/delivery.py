"""How a reply goes over the wire: whole, cut off, or with a pause in it."""

import re
from dataclasses import dataclass
from typing import Literal

from tests.server.faults import Fault
from tests.server.wire import error_response, http_response

KEY = re.compile(rb"\r\nauthorization:[ \t]*Bearer[ \t]+(\S+)", re.IGNORECASE)

HTML = b"<!DOCTYPE html><html><body><h1>Please sign in to the network</h1></body></html>"


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
    match fault.kind:
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
    wait = {} if fault.retry_after is None else {"Retry-After": f"{fault.retry_after:g}"}
    match fault.kind:
        case "rate_limited":
            message = "Rate limit reached for requests. Please try again later."
            return error_response(429, message, code="rate_limit_exceeded", headers=wait)
        case "unavailable":
            return error_response(503, "The engine is overloaded at present.", headers=wait)
        case "bad_request":
            return error_response(400, "The request cannot be served.", code="invalid_value")
        case "unauthorized":
            message = f"Incorrect API key provided: {_masked_key(head)}."
            return error_response(401, message, code="invalid_api_key")
    return error_response(500, "The server had an error while processing the request.")


def _masked_key(head: bytes) -> str:
    """Return the key as the API shows it: the ends, with stars between."""
    found = KEY.search(head)
    key = found[1].decode("latin-1") if found else ""
    if len(key) <= 8:
        return f"{key[:2]}***"
    return f"{key[:5]}{'*' * (len(key) - 9)}{key[-4:]}"
