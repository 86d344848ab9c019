"""`rag-eval generate` with a model: estimate first, budgets kept, voices as asked, cache used."""

import json

import pytest
from typer.testing import CliRunner

from llamaindex_rag_eval.cli.app import app
from tests.server import LoopbackServer
from tests.testset.corpora import documents
from testset import GoldenSet

FAULTLESS = "tests.server.writer_responders:FAULTLESS"


@pytest.fixture(scope="module")
def server():
    with LoopbackServer(responders=FAULTLESS) as running:
        yield running


@pytest.fixture
def command(server, tmp_path):
    docs = tmp_path / "docs"
    docs.mkdir()
    for entry in documents(16):
        (docs / entry.doc_id).write_text(entry.text, encoding="utf-8")
    server.reset()
    llm = f"openai-like:{server.url}:gpt-4o-mini"
    begin = ["generate", str(docs), "-o", str(tmp_path / "g.jsonl"), "--llm", llm]

    def run(*options: object):
        return CliRunner().invoke(app, [*begin, *map(str, options)])

    return run


def test_a_dry_run_tells_calls_tokens_and_dollars_by_stage_and_asks_nothing(
    command, server, tmp_path
):
    done = command("--size", 5, "--dry-run", "--json")
    assert done.exit_code == 0, done.output
    told = json.loads(done.stdout)
    assert set(told) == {"personas", "facts", "write", "check", "total"}
    assert told["write"]["calls"] >= 5
    assert told["total"]["cost"] > 0
    assert server.stats().calls == 0
    assert not (tmp_path / "g.jsonl").exists()


def test_voices_types_and_languages_are_as_asked(command, tmp_path):
    people = tmp_path / "people.txt"
    people.write_text("A miller.\n\n", encoding="utf-8")
    liked = tmp_path / "liked.txt"
    liked.write_text("What of the mill?\n", encoding="utf-8")
    done = command(
        *("--size", 4, "--types", "single_hop,reasoning", "--personas", people, "--style"),
        *("formal", "--seed-examples", liked, "--card", tmp_path / "card.md", "--quiet"),
    )
    assert done.exit_code == 0, done.output
    golden = GoldenSet.read(tmp_path / "g.jsonl")
    assert {item.type for item in golden} == {"single_hop", "reasoning"}
    assert {item.axes.persona for item in golden} == {"A miller."}
    assert {item.axes.style for item in golden} == {"formal"}
    assert "single_hop" in (tmp_path / "card.md").read_text(encoding="utf-8")
    assert not (tmp_path / "g.jsonl.journal").exists()


def test_a_spent_budget_leaves_what_was_done_and_the_journal_to_go_on_from(
    command, server, tmp_path
):
    done = command("--size", 12, "--max-calls", 70)
    assert done.exit_code == 1
    assert "the budget of 70 calls is spent" in done.output
    part = GoldenSet.read(tmp_path / "g.jsonl")
    assert 0 < len(part) < 12
    assert command("--size", 12).exit_code == 0
    assert len(GoldenSet.read(tmp_path / "g.jsonl")) == 12
    assert server.stats().answered_again == 0


def test_replies_in_the_cache_are_not_paid_for_again(command, server, tmp_path):
    cache = tmp_path / "cache.db"
    assert command("--size", 4, "--cache", cache).exit_code == 0
    first = (tmp_path / "g.jsonl").read_bytes()
    spent = server.stats().calls
    assert command("--size", 4, "--cache", cache).exit_code == 0
    assert server.stats().calls == spent
    assert (tmp_path / "g.jsonl").read_bytes() == first


def test_a_budget_without_a_model_is_refused(tmp_path):
    done = CliRunner().invoke(app, ["generate", str(tmp_path), "--max-calls", "3"])
    assert done.exit_code == 2
    assert "need --llm" in done.output
