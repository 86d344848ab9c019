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
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Literal

import yaml

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
    return next((r for r in failures().values() if r.has_sign(status, text, names, errnos)), None)


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
