"""LangSmith and Langfuse on loopback: as much of their public APIs as we call.

Written by us after their public documentation, not recorded from them: https://docs.langchain.com/langsmith
and https://api.reference.langfuse.com. They check what the documentation demands of a request.
"""

import base64
import json
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Lock, Thread
from typing import Any
from urllib.parse import parse_qsl, urlsplit

Reply = tuple[int, Any]
PAGE = 2
"""Entries on a page where the server decides, so that every test turns pages."""


class Api:
    """Answers calls; `busy` of them are first turned away for a moment."""

    busy = 0

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []
        self._lock = Lock()

    def answer(
        self, method: str, path: str, headers: dict[str, str], query: dict[str, str], body: Any
    ) -> Reply:
        with self._lock:
            self.calls.append((method, path))
            if self.busy:
                self.busy -= 1
                return 429, {"message": "slow down"}
            if not self.allows(headers):
                return 401, {"message": "invalid credentials"}
            route: Callable[[dict[str, str], Any], Reply] | None = self.routes().get((method, path))
            return (404, {"message": f"no {path}"}) if route is None else route(query, body)

    def allows(self, headers: dict[str, str]) -> bool:
        raise NotImplementedError

    def routes(self) -> dict[tuple[str, str], Callable[[dict[str, str], Any], Reply]]:
        raise NotImplementedError


class LangfuseApi(Api):
    """Scores, datasets and their items."""

    def __init__(self) -> None:
        super().__init__()
        self.scores: dict[str, dict[str, Any]] = {}
        self.items: dict[str, dict[str, Any]] = {}
        self.datasets: set[str] = set()
        self.traces: list[dict[str, Any]] = []
        self.observations: list[dict[str, Any]] = []

    def allows(self, headers: dict[str, str]) -> bool:
        expected = base64.b64encode(b"pk-test:sk-test").decode()
        return headers.get("authorization") == f"Basic {expected}"

    def routes(self) -> dict[tuple[str, str], Callable[[dict[str, str], Any], Reply]]:
        return {
            ("POST", "/api/public/scores"): self._score,
            ("POST", "/api/public/v2/datasets"): self._dataset,
            ("POST", "/api/public/dataset-items"): self._item,
            ("GET", "/api/public/dataset-items"): self._items,
            ("GET", "/api/public/traces"): lambda query, _: self._since(
                self.traces, "timestamp", query["fromTimestamp"], query["page"]
            ),
            ("GET", "/api/public/observations"): lambda query, _: self._since(
                self.observations, "startTime", query["fromStartTime"], query["page"]
            ),
        }

    def _score(self, query: dict[str, str], body: Any) -> Reply:
        known = {"id", "traceId", "observationId", "name", "value", "dataType", "comment"}
        assert set(body) <= known | {"metadata", "timestamp"}
        assert isinstance(body["value"], float)
        assert body["dataType"] == "NUMERIC"
        self.scores[body["id"]] = body
        return 200, {"id": body["id"]}

    def _dataset(self, query: dict[str, str], body: Any) -> Reply:
        self.datasets.add(body["name"])
        return 200, {"id": "d", **body}

    def _item(self, query: dict[str, str], body: Any) -> Reply:
        assert body["datasetName"] in self.datasets
        self.items[body["id"]] = {**body, "status": "ACTIVE"}
        return 200, self.items[body["id"]]

    def _items(self, query: dict[str, str], body: Any) -> Reply:
        found = [i for i in self.items.values() if i["datasetName"] == query["datasetName"]]
        return self._page(found, int(query["page"]))

    def _since(self, records: list[dict[str, Any]], name: str, start: str, page: str) -> Reply:
        assert datetime.fromisoformat(start).tzinfo
        return self._page([r for r in records if r[name] >= start], int(page))

    def _page(self, found: list[dict[str, Any]], page: int) -> Reply:
        pages = -(-len(found) // PAGE)
        shown = found[(page - 1) * PAGE : page * PAGE]
        return 200, {"data": shown, "meta": {"page": page, "totalPages": pages}}


class LangSmithApi(Api):
    """Datasets, examples and uploaded experiments."""

    def __init__(self) -> None:
        super().__init__()
        self.datasets: dict[str, dict[str, Any]] = {}
        self.examples: dict[str, dict[str, Any]] = {}
        self.uploaded: list[dict[str, Any]] = []

    def allows(self, headers: dict[str, str]) -> bool:
        return headers.get("x-api-key") == "ls-test"

    def routes(self) -> dict[tuple[str, str], Callable[[dict[str, str], Any], Reply]]:
        api = "/api/v1"
        return {
            ("GET", f"{api}/datasets"): lambda query, _: (200, self._named(self.datasets, query)),
            ("POST", f"{api}/datasets"): self._dataset,
            ("GET", f"{api}/examples"): self._page,
            ("POST", f"{api}/examples/bulk"): self._bulk,
            ("POST", f"{api}/datasets/upload-experiment"): self._upload,
        }

    def _named(self, known: dict[str, dict[str, Any]], query: dict[str, str]) -> list[Any]:
        return [known[query["name"]]] if query["name"] in known else []

    def _dataset(self, query: dict[str, str], body: Any) -> Reply:
        made = {"id": str(uuid.uuid4()), "name": body["name"]}
        self.datasets[body["name"]] = made
        return 200, made

    def _page(self, query: dict[str, str], body: Any) -> Reply:
        found = [e for e in self.examples.values() if e["dataset_id"] == query["dataset"]]
        start = int(query["offset"])
        return 200, found[start : start + int(query["limit"])]

    def _bulk(self, query: dict[str, str], body: Any) -> Reply:
        for example in body:
            assert uuid.UUID(example["id"])
            if example["id"] in self.examples:
                return 409, {"detail": "exists"}
            self.examples[example["id"]] = example
        return 200, body

    def _upload(self, query: dict[str, str], body: Any) -> Reply:
        start, end = (_time(body[f"experiment_{edge}_time"]) for edge in ("start", "end"))
        made = self._dataset({}, {"name": body["dataset_name"]})[1]
        self.uploaded.append(body)
        for row in body["results"]:
            assert uuid.UUID(row["row_id"])
            assert start <= _time(row["start_time"]) <= _time(row["end_time"]) <= end
        return 200, {"dataset": made, "experiment": {"id": str(uuid.uuid4())}}


def _time(text: str) -> datetime:
    return datetime.fromisoformat(text)


@contextmanager
def serving(api: Api) -> Iterator[str]:
    """Serve an API on loopback, and yield where."""

    class Handler(BaseHTTPRequestHandler):
        def log_message(self, *message: object) -> None:
            """Print nothing."""

        def _answer(self) -> None:
            size = int(self.headers.get("content-length") or 0)
            body = json.loads(self.rfile.read(size)) if size else None
            at = urlsplit(self.path)
            headers = {key.lower(): value for key, value in self.headers.items()}
            status, reply = api.answer(
                self.command, at.path, headers, dict(parse_qsl(at.query)), body
            )
            data = json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        do_GET = do_POST = _answer

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
