"""Links to other sites: which there are, and which lead nowhere."""

import asyncio
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from docs_pages.links import external_links, faults_of

ROOT = Path(__file__).parents[1]


class Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        status = {"/here": 200, "/moved": 301, "/members": 403}.get(self.path, 404)
        self.send_response(status)
        self.send_header("Location", "/here")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        del format, args


@pytest.fixture
def site() -> Iterator[str]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Pages)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_address[1]}"
    server.shutdown()
    server.server_close()
    thread.join()


def test_addresses_of_docs_and_code_are_found_without_examples() -> None:
    found = external_links(ROOT)
    assert found["https://arxiv.org/abs/2309.15217"].startswith("llamaindex_rag_eval/metrics/")
    assert [one for one in found if one.startswith(("https://host", "https://localhost"))] == []
    assert [one for one in found if one.endswith((".", ",", ")"))] == []


def test_what_is_gone_is_told_from_what_is_moved_or_not_shown(site: str) -> None:
    pages = [f"{site}/{name}" for name in ("here", "moved", "members", "gone")]
    gone = asyncio.run(faults_of([*pages, "http://127.0.0.1:9/"]))
    assert gone.pop("http://127.0.0.1:9/").startswith("ConnectError")
    assert gone == {f"{site}/gone": "HTTP 404"}
