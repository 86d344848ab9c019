"""What comes back in place of an answer, and what is done about it: one table, `failures.yaml`.

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
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from json import JSONDecodeError
from typing import Any, Literal

import yaml
from pydantic import ValidationError

from llamaindex_rag_eval.data.keys import without_keys
from llamaindex_rag_eval.data.plain_text import plain_text
from llamaindex_rag_eval.errors import CallError
from llamaindex_rag_eval.models.durations import seconds_until

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
            `{host}` by the host alone, `{scheme}` by a guess that the server speaks the other one.
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


@cache
def failures() -> Mapping[str, Failure]:
    """Return all rows by their names, in their order."""
    text = files("llamaindex_rag_eval.models").joinpath("failures.yaml").read_text("utf-8")
    reader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    rows: list[dict[str, Any]] = yaml.load(text, Loader=reader)  # noqa: S506 - both safe
    return {row["name"]: _row(**row) for row in rows}


def failure_with(
    status: int | None, text: str = "", names: Collection[str] = (), errnos: Collection[int] = ()
) -> Failure | None:
    """Return the first row that has one of these signs; `None` if no row has.

    Example:
        >>> [failure_with(status).action for status in (400, 401, 429, 503)]
        ['fail', 'end', 'retry', 'wait']
    """
    for row in failures().values():
        if (
            status in row.statuses
            or not row.errnos.isdisjoint(errnos)
            or (row.says != "" and re.search(row.says, text) is not None)
            or (row.errors != "" and any(re.search(rf"(?:{row.errors})\Z", n) for n in names))
        ):
            return row
    return None


def _row(
    *,
    statuses: Sequence[int | str] = (),
    says: Sequence[str] = (),
    errors: Sequence[str] = (),
    errnos: Sequence[str] = (),
    **plain: Any,
) -> Failure:
    """Return a row of the table: `500-599` are all statuses between, patterns are alternatives."""
    bounds = [list(map(int, str(status).split("-"))) for status in statuses]
    numbers = [getattr(errno, name) for name in errnos]
    return Failure(
        **plain,
        statuses=frozenset(n for ends in bounds for n in range(ends[0], ends[-1] + 1)),
        says="|".join([*says, *(rf"\[Errno {number}\]" for number in numbers)]),
        errors="|".join(errors),
        errnos=frozenset(numbers),
    )


UNREADABLE = (
    AttributeError,
    TypeError,
    LookupError,
    UnicodeDecodeError,
    ValidationError,
    JSONDecodeError,
)
"""What the client of a model raises by accident, over a reply that lacks what it expects."""

UNREAD = "aiohttp.http_exceptions"
"""Module of errors that call a reply a 400 because it could not be read."""

OTHER_SCHEME = {
    "http": ", as by a server that expects https://",
    "https": ", as by a server that speaks plain http://",
}
"""What may be the reason of a call that got no answer, by the scheme of its address."""


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


def status_of(error: BaseException) -> int | None:
    """Return the HTTP status that an error or a cause of it holds; `None` without one."""
    causes = list(causes_of(error))
    if any(type(cause).__module__ == UNREAD for cause in causes):
        return None
    for cause in causes:
        holders = (cause, getattr(cause, "response", None))
        for holder in holders:
            for name in ("status_code", "status", "code"):
                status = getattr(holder, name, None)
                if isinstance(status, int) and 300 <= status < 600:
                    return int(status)
    return None


def failure_in(error: BaseException) -> Failure | None:
    """Return the row of an error of any library; `None` if it has no sign of any.

    Example:
        >>> failure_in(ConnectionRefusedError()).name
        'connection refused'
        >>> failure_in(KeyError("a bug")) is None
        True
    """
    causes = list(causes_of(error))
    names = {kind.__name__ for cause in causes for kind in type(cause).__mro__}
    errnos = {number for cause in causes if isinstance(number := getattr(cause, "errno", 0), int)}
    text = " ".join(part for cause in causes for part in _parts(cause))
    return failure_with(status_of(error), text, names, errnos)


def _parts(cause: BaseException) -> Iterator[str]:
    """Yield what an error says, where it comes from a server or from the network."""
    if status_of(cause) is not None or isinstance(cause, OSError):
        yield str(cause)
    body = getattr(cause, "body", None)
    for holder in (body, body.get("error") if isinstance(body, dict) else None):
        if isinstance(holder, dict):
            yield from (str(holder.get(name)) for name in ("code", "type", "message", "param"))


def said_in(error: BaseException, row: Failure) -> str:
    """Return what a server says of an error, or the system of a connection; empty if nothing."""
    body = getattr(error, "body", None)
    if isinstance(body, dict) and isinstance(body.get("error"), dict):
        body = body["error"]
    if isinstance(body, dict) and isinstance(body.get("message"), str):
        parameter = body.get("param")
        named = isinstance(parameter, str) and parameter not in body["message"]
        return f"{body['message']} [{parameter}]" if named else body["message"]
    if row.name == "certificate":
        reasons = (getattr(cause, "verify_message", "") for cause in causes_of(error))
        return next(filter(None, reasons), "")
    is_said = status_of(error) is not None or row.name == "unknown"
    return str(error) if is_said else ""


def failure_of(error: CallError) -> Failure:
    """Return the row of a `CallError`, whoever raised it."""
    row = failures().get(error.failure) or failure_with(error.status)
    return row or failures()["transient" if error.transient else "unknown"]


def error_in_reply(error: Any) -> CallError:
    """Return an error that a server sent in the place of an answer, as that error."""
    entries = error if isinstance(error, dict) else {"message": error}
    code = str(entries.get("code") or "")
    inner = int(code) if code.isdecimal() and 400 <= int(code) < 600 else None
    text = " ".join(str(entries.get(name) or "") for name in ("code", "type", "message", "param"))
    row = failure_with(inner, text) or failures()["error"]
    return failed(row, str(entries.get("message") or ""), status=inner or 200)


def failed(
    row: Failure | str,
    said: str = "",
    *,
    error: BaseException | None = None,
    status: int | None = None,
    retry_after: float | None = None,
) -> CallError:
    """Return the error of a call that failed in the way of a row.

    Args:
        row: The row, or its name.
        said: What the server says of it.
        error: The error of a client, which may know the address.
        status: The HTTP status.
        retry_after: Seconds after which the server wants to be called again.
    """
    row = failures()[row] if isinstance(row, str) else row
    url = None if error is None else url_in(error)
    host = "" if url is None else url.host
    address = host if url is None or url.port is None else f"{host}:{url.port}"
    sentence = row.sentence.format(
        at=address and f" {address}",
        to=address and f" to {address}",
        host=host and f" {host!r}",
        scheme="" if url is None else OTHER_SCHEME.get(url.scheme, ""),
    )
    details = ": ".join(filter(None, (f"HTTP {status}" if status else "", said)))
    return CallError(
        f"{sentence} ({details})" if details else sentence,
        status=status,
        retry_after=retry_after,
        transient=row.transient,
        failure=row.name,
    )


def retry_after(error: Exception) -> float | None:
    """Return the seconds that the response behind an error asks to wait; `None` if it does not."""
    headers = getattr(getattr(error, "response", None), "headers", None) or {}
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * unit)
        except (KeyError, TypeError, ValueError):
            continue
    return seconds_until(headers.get("retry-after"), headers.get("date"))


def api_key_of(llm: object) -> str:
    """Return the API key of a model, so that it can be kept out of messages; empty if none."""
    key = getattr(llm, "api_key", None)
    return key if isinstance(key, str) else ""


def call_error(error: Exception, key: str) -> CallError:
    """Return a provider's error as ours: by the table of failures, and without keys."""
    if isinstance(error, CallError):
        error.args = (without_keys(str(error), key),)
        return error
    unknown = "client" if isinstance(error, UNREADABLE) else "unknown"
    row = failure_in(error) or failures()[unknown]
    return failed(
        row,
        plain_text(without_keys(said_in(error, row), key)),
        error=error,
        status=status_of(error),
        retry_after=retry_after(error),
    )
