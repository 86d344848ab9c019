"""Batch files: requests of a model written to files, and its replies read from files.

OpenAI, Azure and Anthropic take a file of requests at half the price and without rate limits;
`vllm run-batch` and other servers take OpenAI's form. An evaluation becomes a few rounds of such
files: a request whose reply is not there yet is written to `round-1.requests.jsonl`, and what needs
it is *pending*; with the replies in the folder, the next call goes on from there.

The folder stands in for the network, below the model's own client (see `models.batch_oracle`): a
request in a file has the very body that would be sent online, and a reply from a file is checked,
corrected and divided like any other.

How each API writes a request and a reply as a line:

| form | a request | a reply |
|---|---|---|
| `openai` | `custom_id`, `method`, `url`, `body` | `custom_id`, `response` or `error` |
| `azure` | the same, with a `url` that begins behind `/v1` | the same |
| `anthropic` | `custom_id`, `params` | `custom_id`, `result` |

Sources: https://platform.openai.com/docs/guides/batch,
https://learn.microsoft.com/azure/ai-foundry/openai/how-to/batch,
https://docs.anthropic.com/en/docs/build-with-claude/batch-processing.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from llama_index.core.llms import LLM

from llamaindex_rag_eval.data.files import write_whole
from llamaindex_rag_eval.errors import InputError, PendingError
from llamaindex_rag_eval.models.failures import failure_with
from llamaindex_rag_eval.models.parameters import is_anthropic, is_openai

BatchFormat = Literal["openai", "azure", "anthropic"]

STATUSES: Mapping[str, int] = {"invalid_request_error": 400, "request_too_large": 413}
"""Type of an error of Anthropic's API -> its HTTP status online, where `failures.yaml` has none."""


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
        row = failure_with(self.status)
        return self.status == 0 or (row is not None and row.transient)


@dataclass(frozen=True, slots=True)
class BatchForm:
    """The form of one API.

    Attributes:
        name: As people write it.
        most_requests: In a file; the API takes no more.
        most_bytes: Likewise.
    """

    name: BatchFormat
    most_requests: int
    most_bytes: int

    def url(self, path: str) -> str:
        """Return the `url` of requests to a path.

        Example:
            >>> OPENAI.url("/v1/chat/completions")
            '/v1/chat/completions'
            >>> AZURE.url("/openai/deployments/gpt-4o/chat/completions")
            '/chat/completions'
        """
        match = re.search(r"(/chat)?/[^/]+$", path)
        end = match[0] if match else path
        return end if self.name == "azure" else f"/v1{end}"

    def line(self, custom_id: str, url: str, body: Mapping[str, Any]) -> str:
        """Return a request as a line."""
        request: dict[str, Any] = {"custom_id": custom_id}
        if self.name == "anthropic":
            request["params"] = {key: value for key, value in body.items() if key != "stream"}
        else:
            request |= {"method": "POST", "url": url, "body": body}
        return json.dumps(request, separators=(",", ":"))


OPENAI = BatchForm("openai", 50_000, 200_000_000)
AZURE = BatchForm("azure", 50_000, 200_000_000)
ANTHROPIC = BatchForm("anthropic", 100_000, 256_000_000)

FORMS: Mapping[str, BatchForm] = {form.name: form for form in (OPENAI, AZURE, ANTHROPIC)}


def form_for(llm: LLM, name: str | None = None) -> BatchForm:
    """Return the form of the API that an LLM calls, or another of the same protocol by name.

    Raises:
        InputError: The LLM's API takes no batch files that we know, or none of this form.
    """
    if is_openai(llm):
        own = AZURE if hasattr(llm, "azure_endpoint") else OPENAI
        takes = [OPENAI, AZURE]
    elif is_anthropic(llm):
        own = ANTHROPIC
        takes = [own]
    else:
        raise InputError(
            "batch files need an LLM of OpenAI, Azure or Anthropic, or a server that speaks "
            f"OpenAI's protocol; got {type(llm).__name__!r}"
        )
    chosen = own if name is None else FORMS.get(name)
    if chosen not in takes:
        names = " or ".join(repr(form.name) for form in takes)
        raise InputError(
            f"{type(llm).__name__!r} takes no batch files of the form {name!r}; expected {names}"
        )
    return chosen


def reply_of(line: object) -> BatchReply | None:
    """Return the reply that a line of a reply file holds, of any form; `None` if it holds none.

    Example:
        >>> reply_of({"custom_id": "a-1", "response": {"status_code": 200, "body": {"id": "x"}}})
        BatchReply(status=200, body={'id': 'x'})
        >>> reply_of({"custom_id": "a-1", "response": None, "error": {"code": "batch_expired"}})
        BatchReply(status=0, body={'error': {'code': 'batch_expired'}})
        >>> reply_of({"custom_id": "a-1", "result": {"type": "succeeded", "message": {"id": "x"}}})
        BatchReply(status=200, body={'id': 'x'})
    """
    if not isinstance(line, dict):
        return None
    if isinstance(line.get("result"), dict):
        return _result(line["result"])
    response, error = line.get("response"), line.get("error")
    if isinstance(response, dict) and isinstance(response.get("body"), dict):
        status = response.get("status_code")
        return BatchReply(status if isinstance(status, int) else 0, response["body"])
    return BatchReply(0, {"error": error}) if isinstance(error, dict) else None


def _result(result: Mapping[str, Any]) -> BatchReply | None:
    """Return a result of Anthropic's form; an error of an unknown type counts as the server's."""
    match result.get("type"):
        case "succeeded" if isinstance(result.get("message"), dict):
            return BatchReply(200, result["message"])
        case "errored" if isinstance(result.get("error"), dict):
            error = result["error"]
            kind = error["error"].get("type") if isinstance(error.get("error"), dict) else None
            row = failure_with(None, str(kind))
            of_row = 500 if row is None else max(row.statuses)
            return BatchReply(STATUSES.get(str(kind), of_row), error)
        case "canceled" | "expired" as kind:
            return BatchReply(0, {"error": {"type": kind}})
    return None


MOST_ERRORS = 3
"""How often a request may end in a transient error. What a batch left out does not count."""

REQUESTS = ".requests.jsonl"
REPLIES = ".replies.jsonl"
"""Ends the name of the file of replies that is fetched for a file of requests, maybe none."""

COUNTED = "counted.txt"
"""Ids of the replies whose tokens were counted: each is paid for once, however often it is read."""


class BatchFolder:
    """A folder of request files and of reply files.

    Every `*.jsonl` file in it that is no request file is read for replies: in any order, in parts,
    with lines for other requests, lines that are no JSON, errors, and the same line twice.

    Args:
        folder: Made if it is not there.
        form: Of the requests to be written, with the most of them in a file: more are written to
            further parts. Replies are read in every form.

    Attributes:
        unknown: Reply lines for requests that this folder did not write.
        unreadable: Reply lines that are no reply.

    Raises:
        InputError: The folder cannot be read or made.
    """

    def __init__(self, folder: str | Path, *, form: BatchForm = OPENAI) -> None:
        self.folder = Path(folder)
        self.form = form
        self.read()

    def __repr__(self) -> str:
        return f"BatchFolder({str(self.folder)!r})"

    @property
    def missing(self) -> int:
        """How many requests the next round will hold."""
        return len(self._missing)

    @property
    def waiting(self) -> tuple[Path, ...]:
        """Request files for which no reply has come yet, in order; those that need one."""
        open_ = (files for files in self._files.values() if self._final(files) is None)
        files = {file for entry in open_ for file in entry.values()} - self._answered
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
        files = self._files.get(key, {})
        if final := self._final(files):
            return final
        if self._answered.issuperset(files.values()):
            self._missing[key] = (url, body)
        raise PendingError(f"the reply to request {key!r} is not in {str(self.folder)!r} yet")

    def _final(self, custom_ids: Iterable[str]) -> tuple[str, BatchReply] | None:
        """Return the reply to a request, by its ids in files; `None` if it is to be asked again."""
        replies = [(name, reply) for name in custom_ids if (reply := self._replies.get(name))]
        good = (entry for entry in replies if entry[1].good or not entry[1].transient)
        errors = [entry for entry in replies if entry[1].status]
        return next(good, errors[-1] if len(errors) >= MOST_ERRORS else None)

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
        for part, chunk in enumerate(_parts(lines, self.form), start=1):
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
                for custom_id, _ in _lines(path):
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
        for custom_id, line in _lines(path):
            reply = reply_of(line)
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


def _parts(lines: Iterable[tuple[str, str]], form: BatchForm) -> Iterator[list[tuple[str, str]]]:
    """Divide lines into files: as many as a file may hold, in order."""
    part: list[tuple[str, str]] = []
    size = 0
    for key, line in lines:
        length = len(line.encode()) + 1
        if part and (len(part) >= form.most_requests or size + length > form.most_bytes):
            yield part
            part, size = [], 0
        part.append((key, line))
        size += length
    if part:
        yield part


def _lines(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the id and JSON of each line; `None` for a line that is none, as one that was cut."""
    with path.open("rb") as file:
        for raw in filter(bytes.strip, file):
            try:
                line = json.loads(raw)
            except ValueError:
                line = None
            yield str(line.get("custom_id")) if isinstance(line, dict) else "", line


def _order_of(name: str) -> tuple[int, int]:
    """Return the round and the part of a request file; (0, 0) for one that is not ours."""
    match = re.fullmatch(rf"round-(\d+)(?:-part-(\d+))?{re.escape(REQUESTS)}", name)
    return (int(match[1]), int(match[2] or 1)) if match else (0, 0)
