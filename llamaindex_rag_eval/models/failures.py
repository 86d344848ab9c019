"""What comes back in place of an answer, and what is done about it: one table.

Every client of a model has errors of its own, and servers put errors into good replies. Each is
read for the same signs: the HTTP status, what the server says, the classes of the error and of its
causes, and the number of the system's error. The first row with one of its signs decides:

    wait    the endpoint is away: all calls wait for it while patience lasts
    retry   this call may succeed soon: it is tried again, a few times
    end     no call can succeed: the run is stopped
    fail    this call alone cannot succeed
"""

import errno
import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

Action = Literal["wait", "retry", "end", "fail"]

BUSY = frozenset({429, 503, 529})
"""HTTP statuses of an endpoint that is there, and has too much to do."""

FILTERED = re.compile(
    r"content_filter(ed)?|safety|prohibited_content|blocklist|recitation|guardrail_intervened"
)
"""What providers call the end of a reply that they withheld, in small letters."""


@dataclass(frozen=True, slots=True)
class Failure:
    """One row: signs, an action, and a sentence for people.

    Attributes:
        name: By which a `CallError` refers to it.
        action: What is done.
        sentence: What is wrong, and what to check. `{to}` and `{at}` are replaced by the address,
            `{host}` by the host alone.
        statuses: HTTP statuses.
        says: A pattern in the message, code or type that the server sent, or in that of a cause.
        errors: A pattern that the name of a class of the error or of a cause ends with. By name, so
            that no client library need be imported.
        errnos: Numbers of errors of the operating system.
        later: What is done instead where the endpoint has answered before.
        at_once: One such failure shows that the endpoint is away.
    """

    name: str
    action: Action
    sentence: str
    statuses: frozenset[int] = frozenset()
    says: str = ""
    errors: str = ""
    errnos: frozenset[int] = frozenset()
    later: Action | None = None
    at_once: bool = False

    @property
    def transient(self) -> bool:
        """Whether the same call may succeed later."""
        return "wait" in (self.action, self.later) or self.action == "retry"

    def has_sign(
        self, status: int | None, text: str, names: Collection[str], errnos: Collection[int]
    ) -> bool:
        """Return whether one of these is a sign of it."""
        return (
            status in self.statuses
            or not self.errnos.isdisjoint(errnos)
            or (self.says != "" and re.search(self.says, text) is not None)
            or (self.errors != "" and any(re.search(rf"(?:{self.errors})\Z", n) for n in names))
        )


_ROWS = (
    # A reply that is no HTTP, or that the client of the model itself calls unreadable.
    Failure(
        "misread",
        "wait",
        "the reply cannot be read as one of the API; check the address of the API (--base-url)",
        errors=r"APIResponseValidationError|DecodingError|ContentTypeError|ContentEncodingError"
        r"|BadStatusLine",
    ),
    # What the server says of a call that it understood.
    Failure(
        "parameter",
        "fail",
        "the endpoint does not take the call in this form",
        says=r"response_format|json_schema|json_object|logprobs",
    ),
    Failure(
        "no money",
        "end",
        "the account has no credit or quota left; check the account's balance and quota",
        frozenset({402}),
        r"insufficient_(quota|balance|funds)|billing_(hard_limit|error|not_active)"
        r"|credit balance is too low",
    ),
    Failure(
        "wrong key",
        "end",
        "the API key is not accepted; check the API key",
        frozenset({401}),
        r"invalid_api_key|authentication_error",
    ),
    Failure(
        "proxy login",
        "end",
        "the proxy asks for a user and a password; check HTTPS_PROXY",
        frozenset({407}),
    ),
    Failure(
        "content filter",
        "fail",
        "the provider's content filter withheld the answer",
        says=r"\bcontent_filter\b|content_policy_violation|ResponsibleAIPolicyViolation",
    ),
    Failure(
        "no model",
        "end",
        "there is no such model or address; check the model's name and the address of the API "
        "(--base-url)",
        frozenset({404}),
        r"model_not_found|not_found_error",
        later="fail",
    ),
    Failure(
        "no permission",
        "end",
        "the API key may not do this; check what the API key may use",
        frozenset({403}),
        r"permission_(error|denied)",
        later="fail",
    ),
    Failure(
        "rate limit",
        "retry",
        "the endpoint takes no more calls at present",
        frozenset({429}),
        r"rate_limit_(exceeded|error)",
        r"(RateLimit|RateLimited|TooManyRequests|ResourceExhausted)(Error|Exception)?",
    ),
    Failure(
        "overloaded",
        "wait",
        "the server is overloaded, or not there behind its gateway",
        frozenset({502, 503, 504, 520, 521, 522, 523, 524, 529}),
        r"\boverloaded_error\b",
        r"(ServiceUnavailable|Overloaded)(Error|Exception)?",
    ),
    Failure(
        "server error",
        "retry",
        "the server failed at this call",
        frozenset(range(500, 600)) | frozenset({408, 409, 425}),
    ),
    Failure(
        "redirect",
        "end",
        "the server sends calls to another address; check the address of the API (--base-url)",
        frozenset(range(300, 400)),
    ),
    Failure("refused", "fail", "the endpoint refuses this call", frozenset(range(400, 500))),
    # No server, or not the one that was expected.
    Failure(
        "address",
        "end",
        "the address of the API cannot be called; check it (--base-url)",
        errors=r"UnsupportedProtocol|Invalid_?U[Rr][Ll]|InvalidUrlClientError|NonHttpUrl\w*Error",
    ),
    Failure(
        "certificate",
        "end",
        "the certificate of the server{at} is not trusted; SSL_CERT_FILE names a file of "
        "certificates to trust",
        says="CERTIFICATE_VERIFY_FAILED",
        errors=r"Cert(ificate|Verification)Error",
        later="wait",
        at_once=True,
    ),
    Failure(
        "plain http expected",
        "end",
        "the server{at} speaks plain http, not https; begin the address of the API (--base-url) "
        "with http://",
        says=r"WRONG_VERSION_NUMBER|\bHTTP_REQUEST\b|RECORD_LAYER_FAILURE",
        later="wait",
        at_once=True,
    ),
    Failure(
        "https expected",
        "end",
        "the server{at} speaks https, not plain http; begin the address of the API (--base-url) "
        "with https://",
        later="wait",
        at_once=True,
    ),
    Failure(
        "tls",
        "end",
        "no encrypted connection{to} came about: the server does not speak https, or not as "
        "expected; check the address of the API (--base-url)",
        errors=r"SSL\w*Error",
        later="wait",
        at_once=True,
    ),
    Failure(
        "unknown host",
        "end",
        "the host{host} is not known; check the address of the API (--base-url)",
        errors=r"gaierror|DNSError|NameResolutionError",
        later="wait",
        at_once=True,
    ),
    Failure(
        "proxy",
        "wait",
        "the proxy{at} was not reached, or refused the connection; check HTTPS_PROXY",
        errors=r"Proxy\w*Error",
        at_once=True,
    ),
    Failure(
        "connection refused",
        "wait",
        "the connection{to} was refused: no server listens there; check the address of the API "
        "(--base-url)",
        # asyncio's, of a name with several addresses: "Multiple exceptions: [Errno 111] …"
        says=rf"\[Errno {errno.ECONNREFUSED}\]",
        errors="ConnectionRefusedError",
        errnos=frozenset({errno.ECONNREFUSED}),
        at_once=True,
    ),
    Failure(
        "no route",
        "wait",
        "no network leads to the server{at}",
        errnos=frozenset({errno.ENETUNREACH, errno.EHOSTUNREACH, errno.ENETDOWN}),
        at_once=True,
    ),
    Failure(
        # httpx over aiohttp says "ConnectTimeout" of a connection that was refused, too.
        "no connection",
        "wait",
        "no connection came about{to}: nothing answers there at all; check the address of the API "
        "(--base-url)",
        errors=r"ConnectTimeout|ConnectionTimeoutError",
        errnos=frozenset({errno.ETIMEDOUT}),
        at_once=True,
    ),
    Failure(
        "late",
        "retry",
        "no answer came in time",
        errors=r"(Timeout|TimedOut|DeadlineExceeded)(Error|Exception)?",
    ),
    Failure(
        "disconnected",
        "retry",
        "the connection{to} was lost before the answer was there",
        errors=r"(Connect|Connection|Transport|ServerDisconnected)(Error|Exception)?"
        r"|ClientPayloadError|ClientOSError",
    ),
    # A reply of the server that is none of the API.
    Failure("empty", "wait", "the reply is empty"),
    Failure(
        "page",
        "wait",
        "the reply is a web page, as of a proxy or a log-in, and none of the API; check the "
        "address of the API (--base-url)",
    ),
    Failure("garbled", "wait", "the reply is cut off, or no JSON"),
    Failure(
        "no reply",
        "wait",
        "the reply is none of the API; check the address of the API (--base-url)",
    ),
    Failure("error", "wait", "the reply is an error, though its status says otherwise"),
    # A reply of the API that holds no answer.
    Failure("no choice", "retry", "the reply holds no answer"),
    Failure("no text", "retry", "the answer in the reply has no text"),
    Failure("client", "retry", "the client of the model could not read the reply"),
    Failure("unknown", "fail", "the call failed"),
    Failure("transient", "retry", "the call failed, and may succeed later"),
)

FAILURES = {row.name: row for row in _ROWS}


def failure_with(
    status: int | None, text: str = "", names: Collection[str] = (), errnos: Collection[int] = ()
) -> Failure | None:
    """Return the first row that has one of these signs; `None` if no row has.

    Example:
        >>> [failure_with(status).action for status in (400, 401, 429, 503)]
        ['fail', 'end', 'retry', 'wait']
    """
    return next((row for row in _ROWS if row.has_sign(status, text, names, errnos)), None)
