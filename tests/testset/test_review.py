"""Review: decisions that are kept, evidence in pieces, and a server that knows its guests."""

import json
import sys

import pytest
from starlette.testclient import TestClient

from llamaindex_rag_eval.errors import DatasetError, InputError
from tests.cli.runs_in_files import invoked
from testset import Check, GoldenItem, GoldenSet, GoldSpan
from testset.review import Decisions, Piece, evidence_of
from testset.review.server import review_app

TEXT = "The VT-240 has twelve zones. It weighs 40 kg."
TOKEN, PORT = "secret", 8123


def span(quote: str, text: str = TEXT) -> GoldSpan:
    start = text.index(quote)
    return GoldSpan.cut("pump.md", "", text, start, start + len(quote))


ITEMS = (
    GoldenItem(
        id="a",
        question="How many zones?",
        reference="Twelve",
        reference_facts=("It has twelve zones.",),
        gold=((span("twelve zones"),),),
        checks={"closed_book": Check(verdict="tagged"), "lint": Check(verdict="passed")},
    ),
    GoldenItem(id="b", question="How heavy?", reference="40 kg", gold=((span("40 kg"),),)),
)


@pytest.fixture
def golden(tmp_path):
    return GoldenSet(ITEMS, size=2).write(tmp_path / "golden.jsonl")


def states(path):
    return [(item.id, item.status) for item in GoldenSet.read(path)]


def test_a_decision_is_in_the_golden_set_and_its_log_at_once(golden):
    decisions = Decisions(golden)
    decisions.decide("a", "accept")
    decisions.decide("b", "reject")
    assert states(golden) == [("a", "accepted"), ("b", "rejected")]
    assert len(decisions.log.read_text().splitlines()) == 2


def test_an_edit_changes_the_wording_and_drops_facts_of_another_answer(golden):
    decisions = Decisions(golden)
    reworded = decisions.decide("a", "edit", question=" How many zones has it? ")
    assert reworded.reference_facts == ITEMS[0].reference_facts
    changed = decisions.decide("a", "edit", reference="12")
    assert (changed.question, changed.reference) == ("How many zones has it?", "12")
    assert (changed.reference_facts, changed.status, changed.id) == ((), "edited", "a")


def test_undo_takes_decisions_back_in_turn_also_after_a_restart(golden):
    decisions = Decisions(golden)
    decisions.decide("a", "edit", reference="12")
    decisions.decide("b", "reject")
    assert decisions.undo() == ITEMS[1]
    again = Decisions(golden)
    assert again.undo() == ITEMS[0]
    assert again.undo() is None
    assert GoldenSet.read(golden).items == ITEMS


def test_a_decision_written_before_a_kill_is_folded_in_and_half_a_line_is_dropped(golden):
    before = golden.read_bytes()
    decisions = Decisions(golden)
    decisions.decide("a", "accept")
    golden.write_bytes(before)  # as if killed between the two files
    with decisions.log.open("ab") as file:
        file.write(b'{"item_id":"b","act')
    again = Decisions(golden)
    again.fold()
    assert states(golden) == [("a", "accepted"), ("b", "auto")]
    again.decide("b", "accept")
    assert states(golden) == [("a", "accepted"), ("b", "accepted")]
    assert Decisions(golden).items == again.items


def test_a_decision_on_a_state_that_is_gone_stays_history(golden):
    Decisions(golden).decide("a", "accept")
    stale = ITEMS[0].model_copy(update={"status": "stale"})
    GoldenSet((stale, ITEMS[1])).write(golden)
    assert [item.status for item in Decisions(golden).items] == ["stale", "auto"]


def test_what_cannot_be_decided_is_refused(golden):
    decisions = Decisions(golden)
    with pytest.raises(InputError, match="'z'"):
        decisions.decide("z", "accept")
    with pytest.raises(InputError, match="question"):
        decisions.decide("a", "edit", question="  ")
    assert not decisions.log.exists()
    decisions.log.write_text("{}\n")
    with pytest.raises(DatasetError, match="line 1"):
        Decisions(golden)


def test_evidence_is_the_whole_text_in_pieces_with_its_spans_marked():
    item = ITEMS[0].model_copy(update={"gold": ((span("twelve zones"),), (span("zones. It"),))})
    (shown,) = evidence_of(item, {"pump.md": TEXT})
    assert shown.exact
    assert shown.pieces == (
        Piece("The VT-240 has "),
        Piece("twelve zones", 1),
        Piece(". It", 2),
        Piece(" weighs 40 kg."),
    )


def test_of_a_long_document_only_the_surroundings_are_shown():
    text = "a" * 9000 + "NEEDLE" + "b" * 9000 + "THREAD" + "c" * 9000
    gold = ((span("NEEDLE", text),), (span("THREAD", text),))
    (shown,) = evidence_of(ITEMS[0].model_copy(update={"gold": gold}), {"pump.md": text})
    expected = ["…", "a" * 1500, "NEEDLE", "b" * 1500, "\n…\n", "b" * 1500, "THREAD", "c" * 1500]
    assert [piece.text for piece in shown.pieces] == [*expected, "…"]
    assert [piece.text for piece in shown.pieces if piece.group] == ["NEEDLE", "THREAD"]


@pytest.mark.parametrize("texts", [{}, {"pump.md": "Another text altogether."}])
def test_without_its_document_evidence_is_the_quote_in_its_kept_surroundings(texts):
    (shown,) = evidence_of(ITEMS[1], texts)
    assert not shown.exact
    assert [piece.text for piece in shown.pieces if piece.group] == ["40 kg"]


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
    names = {verdict: f"item-{verdict}" for verdict in ("tagged", "passed", "skipped")}
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
    monkeypatch.delitem(sys.modules, "testset.review.server", raising=False)
    told = invoked("review", str(golden))
    assert told.exit_code == 2
    assert "llamaindex-rag-eval[review]" in told.stderr
