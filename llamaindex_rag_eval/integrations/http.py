"""JSON over HTTP to a tool's public API: retried, and with errors that say what to do."""

import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import httpx

from llamaindex_rag_eval.data.plain_text import plain_text
from llamaindex_rag_eval.errors import InputError, OutputError
from llamaindex_rag_eval.integrations.tool import reaching

T = TypeVar("T")

TIMEOUT = 60.0
TRIES = 4
"""Of a call that was refused for a moment; 1, 2, 4 s between them, or what the server says."""

BUSY = frozenset({429, 502, 503, 504})
IN_FLIGHT = 8
LONGEST = 300
"""Characters of a server's own explanation that are shown."""


class JsonApi:
    """A tool's API.

    Args:
        tool: The name of the tool, for errors.
        url: Where it is.
        settings: The environment variables to look at if it refuses or is away.
        headers: Sent with every call; they hold the key, and are never shown.
    """

    def __init__(
        self,
        tool: str,
        url: str,
        *,
        settings: str,
        headers: Mapping[str, str] | None = None,
        auth: tuple[str, str] | None = None,
    ) -> None:
        self.tool, self.url, self._settings = tool, url.rstrip("/"), settings
        self._wait: Callable[[float], None] = time.sleep
        self._client = httpx.Client(
            base_url=f"{self.url}/", headers=dict(headers or {}), auth=auth, timeout=TIMEOUT
        )

    def get(self, path: str, **query: str | int) -> Any:
        """Return the JSON at a path.

        Raises:
            OutputError: The tool is away, or refuses.
        """
        return self._call("GET", path, params=query)

    def post(self, path: str, body: object) -> Any:
        """Send JSON to a path, and return the JSON of the reply; errors are those of `get`."""
        return self._call("POST", path, json=body)

    def post_all(self, path: str, bodies: Iterable[object]) -> int:
        """Send each of many, several at a time, and return how many there were."""
        return len(at_once(lambda body: self.post(path, body), bodies))

    def _call(self, method: str, path: str, **what: Any) -> Any:
        for attempt in range(TRIES):
            with reaching(self.tool, self.url, self._settings, httpx.HTTPError):
                reply = self._client.request(method, path.lstrip("/"), **what)
            if reply.status_code not in BUSY or attempt == TRIES - 1:
                break
            self._wait(_seconds(reply, 2**attempt))
        if reply.is_success:
            return reply.json() if reply.content else None
        said = plain_text(reply.text)[:LONGEST]
        hint = f"; look at {self._settings}" if reply.status_code in (401, 403) else ""
        raise OutputError(
            f"{self.tool} at {self.url} refused {method} {path} with "
            f"{reply.status_code}: {said}{hint}"
        )


def at_once(work: Callable[..., T], *arguments: Iterable[Any]) -> list[T]:
    """Return what work gives for each of many arguments, as `map` does, several at a time."""
    with ThreadPoolExecutor(IN_FLIGHT) as threads:
        return list(threads.map(work, *arguments))


def parts_of(entries: Sequence[T], size: int) -> Iterator[Sequence[T]]:
    """Yield entries in parts of a size, as a tool takes them."""
    return (entries[start : start + size] for start in range(0, len(entries), size))


def key_from(name: str, tool: str) -> str:
    """Return a key from the environment.

    Raises:
        InputError: It is not set.
    """
    if not (key := os.environ.get(name, "")):
        raise InputError(f"{tool} needs a key: set the environment variable {name}")
    return key


def _seconds(reply: httpx.Response, usual: float) -> float:
    said = reply.headers.get("retry-after", "")
    return min(float(said), TIMEOUT) if said.isdigit() else usual


def require_server(tool: str, url: str, settings: str) -> None:
    """Ask for any page at once, where the client of a tool would try for minutes.

    Raises:
        OutputError: An address of HTTP does not answer.
    """
    if not url.startswith(("http://", "https://")):
        return
    with reaching(tool, url, settings, httpx.HTTPError):
        httpx.get(url, timeout=TIMEOUT)
