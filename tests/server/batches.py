"""The API's files and batches: a file of requests in, files of replies and errors out."""

import json
import random
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any, Literal

from tests.server.connection import HttpRequest
from tests.server.messages import body_of
from tests.server.responder import JsonObject
from tests.server.wire import error_response, http_response

Ending = Literal["completed", "expired", "failed", "cancelled"]

Answer = Callable[[HttpRequest], bytes]
"""From one request to the bytes of its response."""


@dataclass(frozen=True, kw_only=True)
class BatchOptions:
    """How batches go.

    Attributes:
        polls: How often a batch is looked at before it has ended.
        endings: How the first batches end, in order; all others are completed.
        lost: The share of replies that no line comes for.
        seed: Of what is lost, and of the order of lines.
    """

    polls: int = 1
    endings: tuple[Ending, ...] = ()
    lost: float = 0.0
    seed: int = 0


@dataclass
class Batch:
    """One batch; it is answered when it was looked at often enough."""

    identity: str
    request: JsonObject
    ending: Ending
    polls: int
    status: str = "in_progress"
    files: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> JsonObject:
        errors = {"data": [{"code": "invalid", "message": "line 1 is invalid", "line": 1}]}
        return {
            "id": self.identity,
            "object": "batch",
            "endpoint": self.request["endpoint"],
            "input_file_id": self.request["input_file_id"],
            "completion_window": "24h",
            "created_at": 0,
            "status": self.status,
            "metadata": self.request.get("metadata"),
            "errors": errors if self.status == "failed" else None,
            **self.files,
        }


class Batches:
    """Keeps files and batches, and answers requests for them."""

    def __init__(self, options: BatchOptions, answer: Answer) -> None:
        self._options = options
        self._answer = answer
        self._files: dict[str, bytes] = {}
        self._batches: dict[str, Batch] = {}
        self._random = random.Random(options.seed)

    def handles(self, request: HttpRequest) -> bool:
        return re.match(r"/v1/(files|batches)\b", request.path) is not None

    def respond(self, request: HttpRequest) -> bytes:
        path = request.path.partition("?")[0]
        place = (request.method, *path.removeprefix("/v1/").strip("/").split("/"))
        match place:
            case ("POST", "files"):
                return _json(self._keep(_file_in(request)))
            case ("GET", "files", name, "content") if name in self._files:
                return http_response(200, self._files[name])
            case ("POST", "batches"):
                return _json(self._begin(json.loads(request.body)).as_json())
            case ("GET", "batches"):
                listed = [batch.as_json() for batch in reversed(self._batches.values())]
                return _json({"object": "list", "data": listed, "has_more": False})
            case ("GET", "batches", name) if name in self._batches:
                return _json(self._look_at(self._batches[name]).as_json())
        return error_response(404, f"Unknown request: {request.method} {request.path}")

    def _keep(self, content: bytes) -> JsonObject:
        name = f"file-{len(self._files) + 1}"
        self._files[name] = content
        return {
            "id": name,
            "object": "file",
            "bytes": len(content),
            "created_at": 0,
            "filename": "requests.jsonl",
            "purpose": "batch",
            "status": "processed",
        }

    def _begin(self, request: JsonObject) -> Batch:
        number = len(self._batches)
        endings = self._options.endings
        ending = endings[number] if number < len(endings) else "completed"
        batch = Batch(f"batch-{number + 1}", request, ending, self._options.polls)
        self._batches[batch.identity] = batch
        return batch

    def _look_at(self, batch: Batch) -> Batch:
        batch.polls -= 1
        if batch.polls < 0 and batch.status == "in_progress":
            batch.status = batch.ending
            if batch.ending != "failed":
                self._answer_all(batch)
        return batch

    def _answer_all(self, batch: Batch) -> None:
        content = self._files[batch.request["input_file_id"]]
        lines = [json.loads(raw) for raw in content.splitlines()]
        self._random.shuffle(lines)
        reached = len(lines) if batch.ending == "completed" else len(lines) // 2
        good: list[JsonObject] = []
        bad: list[JsonObject] = []
        for line in lines[:reached]:
            if self._random.random() < self._options.lost:
                continue
            status, body = self._reply_to(line)
            response = {"status_code": status, "request_id": "req", "body": body}
            kept = {"id": "x", "custom_id": line["custom_id"], "response": response, "error": None}
            (good if status == 200 else bad).append(kept)
        code = {"code": f"batch_{batch.ending}", "message": "not executed"}
        for line in lines[reached:]:
            bad.append({"custom_id": line["custom_id"], "response": None, "error": code})
        for name, kept_lines in (("output_file_id", good), ("error_file_id", bad)):
            if kept_lines:
                batch.files[name] = str(self._keep(_jsonl(kept_lines))["id"])

    def _reply_to(self, line: JsonObject) -> tuple[int, Any]:
        body = json.dumps(line["body"]).encode()
        path = f"/v1{line['url'].removeprefix('/v1')}"  # Azure's begins behind it
        head = f"POST {path} HTTP/1.1\r\n\r\n".encode()
        return body_of(self._answer(HttpRequest("POST", path, head, body)))


def _file_in(request: HttpRequest) -> bytes:
    """Return the content of the file in a multipart form."""
    found = re.search(rb"boundary=\"?([^\s\";]+)", request.head)
    if found is None:
        raise ValueError("expected a multipart form")
    for part in request.body.split(b"--" + found[1]):
        head, _, content = part.partition(b"\r\n\r\n")
        if b"filename=" in head:
            return content.removesuffix(b"\r\n")
    raise ValueError("the form has no file")


def _json(value: JsonObject) -> bytes:
    return http_response(200, json.dumps(value).encode())


def _jsonl(lines: Iterable[JsonObject]) -> bytes:
    return "".join(json.dumps(line) + "\n" for line in lines).encode()
