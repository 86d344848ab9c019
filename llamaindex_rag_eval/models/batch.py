"""Batch files: requests of a model written to files, and its replies read from files.

OpenAI takes a file of requests at half the price and without rate limits; `vllm run-batch` and
other servers take the same form. An evaluation becomes a few rounds of such files: a request whose
reply is not there yet is written to `round-1.requests.jsonl`, and what needs it is *pending*; with
the replies in the folder, the next call goes on from there.

The folder stands in for the network, below the model's own client: a request in a file has the very
body that would be sent online, and a reply from a file is checked, corrected and divided like any
other.

Source of the formats: https://platform.openai.com/docs/guides/batch (requests and replies).
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.errors import InputError, PendingError

if TYPE_CHECKING:
    import httpx

__all__ = ["BatchFolder", "BatchReply", "batch_client", "reply_of"]

MOST_REQUESTS = 50_000
"""Requests in a file; OpenAI takes no more."""

MOST_BYTES = 200_000_000
"""Bytes of a file; OpenAI takes no more than 200 MB."""

MOST_ERRORS = 3
"""How often a request may end in a transient error. What a batch left out does not count."""

REQUESTS = ".requests.jsonl"
REPLIES = ".replies.jsonl"
"""Ends the name of the file of replies that is fetched for a file of requests, maybe none."""
COUNTED = "counted.txt"
"""Ids of the replies whose tokens were counted: each is paid for once, however often it is read."""

TRANSIENT = {408, 409, 429}
"""Statuses below 500 after which the same request may succeed."""


@dataclass(frozen=True, slots=True)
class BatchReply:
    """What came back for one request.

    Attributes:
        status: The HTTP status; 0 where the batch ended before the request was sent.
        body: The body of the response, or of the error.
    """

    status: int
    body: Mapping[str, Any]

    @property
    def good(self) -> bool:
        """Whether the model replied."""
        return self.status == 200

    @property
    def transient(self) -> bool:
        """Whether the same request may succeed in another round."""
        return self.status == 0 or self.status in TRANSIENT or self.status >= 500


@dataclass(frozen=True, slots=True)
class _Ask:
    """One request in one round: its place, and its id in files."""

    custom_id: str
    file: str


class BatchFolder:
    """A folder of request files and of reply files.

    Every `*.jsonl` file in it that is no request file is read for replies: in any order, in parts,
    with lines for other requests, lines that are no JSON, errors, and the same line twice.

    Args:
        folder: Made if it is not there.
        most_requests: In one file; more are written to further parts.
        most_bytes: Likewise.

    Attributes:
        unknown: Reply lines for requests that this folder did not write.
        unreadable: Reply lines that are no reply.

    Raises:
        InputError: The folder cannot be read or made.
    """

    def __init__(
        self,
        folder: str | Path,
        *,
        most_requests: int = MOST_REQUESTS,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        self.folder = Path(folder)
        self.most_requests = most_requests
        self.most_bytes = most_bytes
        self.read()

    def __repr__(self) -> str:
        return f"BatchFolder({str(self.folder)!r})"

    @property
    def missing(self) -> int:
        """How many requests the next round will hold."""
        return len(self._missing)

    @property
    def waiting(self) -> tuple[Path, ...]:
        """Request files for which no reply has come yet, in order."""
        files = {ask.file for asks in self._asks.values() for ask in asks} - self._answered
        return tuple(self.folder / name for name in sorted(files, key=_order_of))

    def reply(self, url: str, body: Mapping[str, Any]) -> tuple[str, BatchReply]:
        """Return the id of a request and its reply.

        A request whose file was answered without it, or with a transient error, is asked again in
        the next round; after `MOST_ERRORS` errors the last one is its reply.

        Args:
            url: The path of the endpoint, as `/v1/chat/completions`.
            body: The body of the request.

        Raises:
            PendingError: There is none yet. The request is in a file already, or is noted down for
                the next one.
        """
        key = _key(url, body)
        asks = self._asks.get(key, [])
        replies = [(ask, found) for ask in asks if (found := self._replies.get(ask.custom_id))]
        for ask, found in replies:
            if found.good or not found.transient:
                return ask.custom_id, found
        errors = [(ask.custom_id, found) for ask, found in replies if found.status]
        if len(errors) >= MOST_ERRORS:
            return errors[-1]
        if all(ask.file in self._answered for ask in asks):
            self._missing[key] = {"url": url, "body": dict(body)}
        raise PendingError(f"the reply to request {key!r} is not in {str(self.folder)!r} yet")

    def is_first_reading(self, custom_id: str) -> bool:
        """Return whether a reply is read for the first time ever, and keep that on disk."""
        if custom_id in self._counted:
            return False
        self._counted.add(custom_id)
        with (self.folder / COUNTED).open("a", encoding="ascii") as file:
            file.write(f"{custom_id}\n")
        return True

    def write_round(self) -> tuple[Path, ...]:
        """Write the requests that are missing as the next round; return its files, none if empty.

        A file appears whole, or not at all.

        Raises:
            OutputError: A file cannot be written.
        """
        number = 1 + max(
            (_order_of(a.file)[0] for asks in self._asks.values() for a in asks), default=0
        )
        lines = [(key, _line(f"{key}-{number}", **ask)) for key, ask in self._missing.items()]
        paths = []
        for part, chunk in enumerate(_parts(lines, self.most_requests, self.most_bytes), start=1):
            name = f"round-{number}{f'-part-{part}' if part > 1 else ''}{REQUESTS}"
            paths.append(write_whole(self.folder / name, (f"{line}\n" for _, line in chunk)))
            for key, _ in chunk:
                self._asks.setdefault(key, []).append(_Ask(f"{key}-{number}", name))
                del self._missing[key]
        return tuple(paths)

    def read(self) -> None:
        """Read all files of the folder anew.

        Raises:
            InputError: The folder cannot be read or made.
        """
        self.unknown = 0
        self.unreadable = 0
        self._asks: dict[str, list[_Ask]] = {}
        self._replies: dict[str, BatchReply] = {}
        self._answered: set[str] = set()
        self._missing: dict[str, dict[str, Any]] = {}
        self._counted: set[str] = set()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            files = sorted(self.folder.glob("*.jsonl"))
            requests = sorted(
                (p for p in files if p.name.endswith(REQUESTS)),
                key=lambda path: _order_of(path.name),
            )
            for path in requests:
                for line in _lines(path):
                    custom_id = str(line.get("custom_id")) if isinstance(line, dict) else ""
                    key = custom_id.rpartition("-")[0]
                    self._asks.setdefault(key, []).append(_Ask(custom_id, path.name))
            file_of = {ask.custom_id: ask.file for asks in self._asks.values() for ask in asks}
            for path in files:
                if not path.name.endswith(REQUESTS):
                    self._read_replies(path, file_of)
            written = {f"{p.name.removesuffix(REPLIES)}{REQUESTS}" for p in files}
            self._answered |= written.intersection(path.name for path in requests)
            counted = self.folder / COUNTED
            if counted.exists():
                self._counted = set(counted.read_text(encoding="ascii").split())
        except OSError as error:
            raise InputError(f"{str(self.folder)!r} cannot be read: {error.strerror}") from error

    def _read_replies(self, path: Path, file_of: Mapping[str, str]) -> None:
        for line in _lines(path):
            reply = reply_of(line)
            custom_id = str(line.get("custom_id")) if isinstance(line, dict) else ""
            if reply is None:
                self.unreadable += 1
            elif custom_id not in file_of:
                self.unknown += 1
            else:
                self._answered.add(file_of[custom_id])
                known = self._replies.get(custom_id)
                if known is None or (reply.good and not known.good):
                    self._replies[custom_id] = reply


def reply_of(line: object) -> BatchReply | None:
    """Return the reply that a line of a reply file holds; `None` if it holds none.

    Example:
        >>> reply_of({"custom_id": "a-1", "response": {"status_code": 200, "body": {"id": "x"}}})
        BatchReply(status=200, body={'id': 'x'})
        >>> reply_of({"custom_id": "a-1", "response": None, "error": {"code": "batch_expired"}})
        BatchReply(status=0, body={'error': {'code': 'batch_expired'}})
    """
    if not isinstance(line, dict):
        return None
    response, error = line.get("response"), line.get("error")
    if isinstance(response, dict) and isinstance(response.get("body"), dict):
        status = response.get("status_code")
        return BatchReply(status if isinstance(status, int) else 0, response["body"])
    return BatchReply(0, {"error": error}) if isinstance(error, dict) else None


def batch_client(folder: BatchFolder) -> "httpx.AsyncClient":
    """Return an HTTP client that is answered by a folder instead of the network."""
    import httpx

    class FromFolder(httpx.AsyncBaseTransport):
        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            path = f"/v1/{request.url.path.rpartition('/v1/')[2]}"
            custom_id, reply = folder.reply(path, json.loads(await request.aread()))
            body = dict(reply.body)
            if not folder.is_first_reading(custom_id):
                body.pop("usage", None)  # its tokens were counted
            return httpx.Response(reply.status or 503, json=body, request=request)

    return httpx.AsyncClient(transport=FromFolder())


def _key(url: str, body: Mapping[str, Any]) -> str:
    whole = json.dumps([url, body], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(whole.encode()).hexdigest()[:32]


def _line(custom_id: str, *, url: str, body: Mapping[str, Any]) -> str:
    request = {"custom_id": custom_id, "method": "POST", "url": url, "body": body}
    return json.dumps(request, separators=(",", ":"))


def _parts(
    lines: Iterable[tuple[str, str]], most_requests: int, most_bytes: int
) -> Iterator[list[tuple[str, str]]]:
    """Divide lines into files: as many as a file may hold, in order."""
    part: list[tuple[str, str]] = []
    size = 0
    for key, line in lines:
        length = len(line.encode()) + 1
        if part and (len(part) >= most_requests or size + length > most_bytes):
            yield part
            part, size = [], 0
        part.append((key, line))
        size += length
    if part:
        yield part


def _lines(path: Path) -> Iterator[Any]:
    """Yield the JSON of each line; `None` for a line that is none, as one that was cut."""
    with path.open("rb") as file:
        for raw in file:
            if raw.strip():
                try:
                    yield json.loads(raw)
                except ValueError:
                    yield None


def _order_of(name: str) -> tuple[int, int]:
    """Return the round and the part of a request file; (0, 0) for one that is not ours."""
    found = re.fullmatch(rf"round-(\d+)(?:-part-(\d+))?{re.escape(REQUESTS)}", name)
    return (int(found[1]), int(found[2] or 1)) if found else (0, 0)
