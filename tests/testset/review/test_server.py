"""The server answers only those who have the token, and takes only decisions in JSON."""

import json
import sys

import pytest
from starlette.testclient import TestClient

from tests.cli.command_line import rag_eval
from tests.testset.review.items import ITEMS, TEXT, states
from testset import Check, GoldenSet
from testset.golden.item import Verdict
from testset.review.decisions import Decisions
from testset.review.server import review_app

TOKEN, PORT = "secret", 8123


@pytest.fixture
def golden(tmp_path):
    return GoldenSet(ITEMS, size=2).write(tmp_path / "golden.jsonl")


@pytest.fixture
def client(golden):
    app = review_app(Decisions(golden), {"pump.md": TEXT}, token=TOKEN, port=PORT)
    with TestClient(app, base_url=f"http://127.0.0.1:{PORT}") as client:
        yield client


def test_the_server_lists_items_shows_one_and_takes_decisions(client, golden):
    rows = client.get(f"/{TOKEN}/api/items").json()
    assert [(row["id"], row["status"], row["doubts"]) for row in rows] == [
        ("a", "auto", ["closed_book"]),
        ("b", "auto", []),
    ]
    one = client.get(f"/{TOKEN}/api/items/a").json()
    assert one["evidence"][0]["pieces"][1] == {"text": "twelve zones", "group": 1}
    said = {"id": "b", "action": "accept"}
    assert client.post(f"/{TOKEN}/api/decisions", json=said).json()["status"] == "accepted"
    assert states(golden) == [("a", "auto"), ("b", "accepted")]
    assert client.post(f"/{TOKEN}/api/undo", json={}).json()["status"] == "auto"
    assert client.post(f"/{TOKEN}/api/undo", json={}).json() is None


def test_items_that_critics_disagree_on_are_in_doubt_and_no_others(golden):
    verdicts: tuple[Verdict, ...] = ("tagged", "passed", "skipped")
    names = {verdict: f"item-{verdict}" for verdict in verdicts}
    checked = [
        ITEMS[1].model_copy(
            update={"id": name, "checks": {"critics_agree": Check(verdict=verdict)}}
        )
        for verdict, name in names.items()
    ]
    GoldenSet(tuple(checked)).write(golden)
    app = review_app(Decisions(golden), {}, token=TOKEN, port=PORT)
    with TestClient(app, base_url=f"http://127.0.0.1:{PORT}") as client:
        rows = client.get(f"/{TOKEN}/api/items").json()
    assert {row["id"]: row["doubts"] for row in rows} == {
        "item-tagged": ["critics_agree"],
        "item-passed": [],
        "item-skipped": [],
    }


@pytest.mark.parametrize("path", ["/", "/api/items", "/wrong/", "/secre/api/items", f"/{TOKEN}"])
def test_without_the_token_nothing_is_told(client, path):
    reply = client.get(path)
    assert reply.status_code == 403
    assert TOKEN not in reply.text


@pytest.mark.parametrize("host", ["evil.example", f"evil.example:{PORT}", "127.0.0.1:1", ""])
def test_another_host_name_is_refused_even_with_the_token(client, host):
    assert client.get(f"/{TOKEN}/api/items", headers={"host": host}).status_code == 400


def test_forms_of_other_sites_and_oversized_requests_are_refused(client, golden):
    path, said = f"/{TOKEN}/api/decisions", json.dumps({"id": "a", "action": "reject"})
    as_json = {"content-type": "application/json"}
    form = client.post(path, content=said, headers={"content-type": "text/plain"})
    foreign = client.post(path, content=said, headers={**as_json, "origin": "http://evil.example"})
    large = client.post(path, content=" " * 1_000_001, headers=as_json)
    assert [form.status_code, foreign.status_code, large.status_code] == [415, 403, 413]
    own = {**as_json, "origin": f"http://localhost:{PORT}"}
    assert states(golden) == [("a", "auto"), ("b", "auto")]
    assert client.post(path, content=said, headers=own).status_code == 200


@pytest.mark.parametrize(
    "said",
    [{"id": "a"}, {"id": "a", "action": "burn"}, {"id": "z", "action": "accept"}, [], {"x": 1}],
)
def test_a_decision_that_makes_no_sense_is_refused_with_a_reason(client, said, golden):
    reply = client.post(f"/{TOKEN}/api/decisions", json=said)
    assert reply.status_code == 400
    assert reply.json()["error"]
    assert states(golden) == [("a", "auto"), ("b", "auto")]


def test_every_reply_forbids_inline_scripts_frames_and_caches(client):
    for path in ("/", f"/{TOKEN}/", f"/{TOKEN}/api/items", f"/{TOKEN}/page.js"):
        headers = client.get(path).headers
        assert "script-src 'self'" in headers["content-security-policy"]
        assert "unsafe" not in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["cache-control"] == "no-store"


def test_without_the_extra_the_command_says_what_to_install(golden, monkeypatch):
    monkeypatch.setitem(sys.modules, "uvicorn", None)
    for module in ("testset.review.server", "llamaindex_rag_eval._local_page"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    told = rag_eval("golden", "review", str(golden))
    assert told.exit_code == 2
    assert "llamaindex-rag-eval[review]" in told.stderr


def test_a_save_on_what_was_not_seen_is_refused_and_the_page_can_learn_of_it(client, golden):
    first = {"id": "a", "action": "accept", "reviewer": "Ada", "seen": 0}
    assert client.post(f"/{TOKEN}/api/decisions", json=first).json()["decisions"] == 1
    second = {"id": "a", "action": "reject", "reviewer": "Ben", "reason": "vague", "seen": 0}
    reply = client.post(f"/{TOKEN}/api/decisions", json=second)
    assert (reply.status_code, "Ada accepted it" in reply.json()["error"]) == (409, True)
    assert states(golden)[0] == ("a", "accepted")
    assert client.post(f"/{TOKEN}/api/decisions", json={**second, "seen": 1}).status_code == 200
    history = client.get(f"/{TOKEN}/api/items/a").json()["history"]
    assert history[1] == {"action": "reject", "reviewer": "Ben", "reason": "vague"}
    undo = client.post(f"/{TOKEN}/api/undo", json={"reviewer": "Ada"})
    assert (undo.status_code, "Ben rejected it" in undo.json()["error"]) == (409, True)


def test_evidence_is_located_in_its_document_or_refused(client, golden):
    gold = [[{"doc_id": "pump.md", "quote": "It weighs  40 kg"}]]
    said = {"id": "a", "action": "edit", "type": "table", "gold": gold}
    assert client.post(f"/{TOKEN}/api/decisions", json=said).status_code == 200
    item = GoldenSet.read(golden).items[0]
    assert (item.type, item.gold[0][0].quote) == ("table", "It weighs 40 kg")
    assert item.gold[0][0].start == TEXT.index("It weighs")
    gold[0][0]["quote"] = "It weighs nothing at all"
    reply = client.post(f"/{TOKEN}/api/decisions", json=said)
    assert (reply.status_code, "does not hold" in reply.json()["error"]) == (400, True)
