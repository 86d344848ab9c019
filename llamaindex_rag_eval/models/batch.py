"""Batch files: requests of a model written to files, and its replies read from files.

OpenAI, Azure and Anthropic take a file of requests at half the price and without rate limits;
`vllm run-batch` and other servers take OpenAI's form. An evaluation becomes a few rounds of such
files: a request whose reply is not there yet is written to `round-1.requests.jsonl`, and what needs
it is *pending*; with the replies in the folder, the next call goes on from there.

The folder stands in for the network, below the model's own client (see `models.batch_oracle`): a
request in a file has the very body that would be sent online, and a reply from a file is checked,
corrected and divided like any other.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.errors import InputError, PendingError
from llamaindex_rag_eval.models.batch_forms import OPENAI, BatchForm, BatchReply, reply_of
from llamaindex_rag_eval.models.response import tokens_of_reply

MOST_ERRORS = 3
"""How often a request may end in a transient error. What a batch left out does not count."""

REQUESTS = ".requests.jsonl"
REPLIES = ".replies.jsonl"
"""Ends the name of the file of replies that is fetched for a file of requests, maybe none."""
LOGPROBS = ("logprobs", "top_logprobs")
"""Fields that add to a reply and change nothing of it: one that came without them will do."""

COUNTED = "counted.txt"
"""Ids of the replies whose tokens were counted: each is paid for once, however often it is read."""


class BatchFolder:
    """A folder of request files and of reply files.

    Every `*.jsonl` file in it that is no request file is read for replies: in any order, in parts,
    with lines for other requests, lines that are no JSON, errors, and the same line twice.

    Args:
        folder: Made if it is not there.
        form: Of the requests to be written; replies are read in every form.
        most_requests: In one file; more are written to further parts. By default the most that the
            API takes.
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
        form: BatchForm = OPENAI,
        most_requests: int | None = None,
        most_bytes: int | None = None,
    ) -> None:
        self.folder = Path(folder)
        self.form = form
        self.most_requests = most_requests or form.most_requests
        self.most_bytes = most_bytes or form.most_bytes
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
        files = set(self._file_of().values()) - self._answered
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
        plain = {name: value for name, value in body.items() if name not in LOGPROBS}
        if key not in self._files and _key(url, plain) in self._files:
            key, body = _key(url, plain), plain  # written before these were asked for
        files = self._files.get(key, {})
        replies = [(name, reply) for name in files if (reply := self._replies.get(name))]
        for custom_id, reply in replies:
            if reply.good or not reply.transient:
                return custom_id, reply
        errors = [entry for entry in replies if entry[1].status]
        if len(errors) >= MOST_ERRORS:
            return errors[-1]
        if self._answered.issuperset(files.values()):
            self._missing[key] = (url, body)
        raise PendingError(f"the reply to request {key!r} is not in {str(self.folder)!r} yet")

    def count_unread(self) -> Iterator[tuple[int, int]]:
        """Yield the tokens sent and received of each reply that nobody has read, and keep that.

        They were paid for: what was asked ahead is not read where a reply before it decides
        otherwise.
        """
        for custom_id, reply in self._replies.items():
            if reply.good and self.is_first_reading(custom_id):
                yield tokens_of_reply(reply.body)

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
        number = 1 + max((_order_of(file)[0] for file in self._file_of().values()), default=0)
        missing = self._missing.items()
        lines = [(key, self.form.line(f"{key}-{number}", *ask)) for key, ask in missing]
        paths = []
        for part, chunk in enumerate(_parts(lines, self.most_requests, self.most_bytes), start=1):
            name = f"round-{number}{f'-part-{part}' if part > 1 else ''}{REQUESTS}"
            paths.append(write_whole(self.folder / name, (f"{line}\n" for _, line in chunk)))
            for key, _ in chunk:
                self._files.setdefault(key, {})[f"{key}-{number}"] = name
                del self._missing[key]
        return tuple(paths)

    def read(self) -> None:
        """Read all files of the folder anew.

        Raises:
            InputError: The folder cannot be read or made.
        """
        self.unknown = 0
        self.unreadable = 0
        self._files: dict[str, dict[str, str]] = {}
        self._replies: dict[str, BatchReply] = {}
        self._answered: set[str] = set()
        self._missing: dict[str, tuple[str, Mapping[str, Any]]] = {}
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
                    self._files.setdefault(key, {})[custom_id] = path.name
            file_of = self._file_of()
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

    def _file_of(self) -> dict[str, str]:
        """Return the file of each request, by its id in files."""
        return {name: file for files in self._files.values() for name, file in files.items()}

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


def _key(url: str, body: Mapping[str, Any]) -> str:
    whole = json.dumps([url, body], ensure_ascii=False, sort_keys=True)
    return hashlib.sha256(whole.encode()).hexdigest()[:32]


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
    match = re.fullmatch(rf"round-(\d+)(?:-part-(\d+))?{re.escape(REQUESTS)}", name)
    return (int(match[1]), int(match[2] or 1)) if match else (0, 0)
