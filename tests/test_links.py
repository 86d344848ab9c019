"""Links to other sites: which there are, and which lead nowhere."""

import asyncio
import re
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from docs_pages.links import external_links, faults_of
from docs_pages.pages import pages, with_site_links

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


def test_links_within_the_repository_lead_somewhere_as_github_shows_them() -> None:
    broken = []
    for page in (*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")):
        text = re.sub(r"```.*?```|`[^`\n]*`", "", page.read_text("utf-8"), flags=re.DOTALL)
        for link in re.findall(r"\]\((?!https?:|mailto:|#)([^)\s]+)", text):
            path, _, anchor = link.partition("#")
            target = page.parent / path
            if not target.exists() or (anchor and anchor not in _anchors(target)):
                broken.append(f"{page.relative_to(ROOT)}: {link}")
    assert broken == []


def _anchors(page: Path) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", page.read_text("utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_links_out_of_docs_lead_to_the_pages_of_the_site() -> None:
    made = pages(ROOT)
    for page in ROOT.glob("docs/*.md"):
        markdown = with_site_links(page.read_text("utf-8"))
        assert "](../" not in markdown, page.name
    site = with_site_links("[a](../CONTRIBUTING.md#recipes) [b](../llamaindex_rag_eval/metrics)")
    assert site == "[a](contributing.md#recipes) [b](metrics/index.md)"
    assert {"contributing.md", "changelog.md", "metrics/answer_verdict.md"} <= made.keys()
