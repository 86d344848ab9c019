"""Anthropic's Message Batches: requests in one body, results as lines."""

import json
import random
import re
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone

from tests.server.batches import Answer, BatchOptions
from tests.server.connection import HttpRequest
from tests.server.messages import MESSAGES, body_of
from tests.server.responder import JsonObject
from tests.server.wire import error_response, http_response

ENDINGS = {"expired": "expired", "cancelled": "canceled"}


@dataclass
class Batch:
    """One batch; it is answered when it was looked at often enough."""

    identity: str
    requests: list[JsonObject]
    created: datetime
    polls: int
    ending: str
    lines: list[JsonObject] | None = None

    def as_json(self, address: str) -> JsonObject:
        kinds = [line["result"]["type"] for line in self.lines or ()]
        waiting = len(self.requests) if self.lines is None else 0
        return {
            "id": self.identity,
            "type": "message_batch",
            "processing_status": "in_progress" if self.lines is None else "ended",
            "request_counts": {
                "processing": waiting,
                "succeeded": kinds.count("succeeded") + len(self.requests) - waiting - len(kinds),
                **{kind: kinds.count(kind) for kind in ("errored", "canceled", "expired")},
            },
            "created_at": self.created.isoformat(),
            "expires_at": (self.created + timedelta(days=1)).isoformat(),
            "ended_at": None if self.lines is None else self.created.isoformat(),
            "cancel_initiated_at": None,
            "archived_at": None,
            "results_url": None
            if self.lines is None
            else f"{address}{MESSAGES}/batches/{self.identity}/results",
        }


class MessageBatches:
    """Keeps batches, and answers requests for them."""

    def __init__(self, options: BatchOptions, answer: Answer) -> None:
        self._options = options
        self._answer = answer
        self._batches: dict[str, Batch] = {}
        self._random = random.Random(options.seed)

    def handles(self, request: HttpRequest) -> bool:
        return request.path.startswith(f"{MESSAGES}/batches")

    def respond(self, request: HttpRequest) -> bytes:
        host = re.search(rb"\r\nhost:[ \t]*(\S+)", request.head, re.IGNORECASE)
        address = f"http://{host[1].decode() if host else ''}"
        path = request.path.partition("?")[0].removeprefix(f"{MESSAGES}/batches").strip("/")
        match (request.method, *(path.split("/") if path else ())):
            case ("POST",):
                return _json(self._begin(json.loads(request.body)["requests"]).as_json(address))
            case ("GET",):
                listed = [batch.as_json(address) for batch in reversed(self._batches.values())]
                ends = {"first_id": None, "last_id": None}
                return _json({"data": listed, "has_more": False, **ends})
            case ("GET", name) if name in self._batches:
                return _json(self._look_at(self._batches[name]).as_json(address))
            case ("GET", name, "results") if name in self._batches:
                lines = self._batches[name].lines or ()
                return http_response(200, "".join(f"{json.dumps(li)}\n" for li in lines).encode())
        return error_response(404, f"Unknown request: {request.method} {request.path}")

    def _begin(self, requests: list[JsonObject]) -> Batch:
        number = len(self._batches)
        endings = self._options.endings
        ending = endings[number] if number < len(endings) else "completed"
        now = datetime.now(timezone.utc)
        batch = Batch(f"msgbatch_{number + 1}", requests, now, self._options.polls, ending)
        self._batches[batch.identity] = batch
        return batch

    def _look_at(self, batch: Batch) -> Batch:
        batch.polls -= 1
        if batch.polls < 0 and batch.lines is None:
            requests = list(batch.requests)
            self._random.shuffle(requests)
            reached = len(requests) if batch.ending not in ENDINGS else len(requests) // 2
            batch.lines = [
                self._line(request)
                for request in requests[:reached]
                if self._random.random() >= self._options.lost
            ]
            for request in requests[reached:]:
                result = {"type": ENDINGS[batch.ending]}
                batch.lines.append({"custom_id": request["custom_id"], "result": result})
        return batch

    def _line(self, request: JsonObject) -> JsonObject:
        body = json.dumps(request["params"]).encode()
        head = f"POST {MESSAGES} HTTP/1.1\r\n\r\n".encode()
        status, reply = body_of(self._answer(HttpRequest("POST", MESSAGES, head, body)))
        result = {"type": "succeeded", "message": reply}
        if status != 200:
            result = {"type": "errored", "error": reply}
        return {"custom_id": request["custom_id"], "result": result}


def _json(value: JsonObject) -> bytes:
    return http_response(200, json.dumps(value).encode())
