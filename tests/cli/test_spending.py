"""What judging by an LLM costs, and how little of it: dry run, budgets, votes, cache."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from llamaindex_rag_eval import Run
from llamaindex_rag_eval.cli import app
from llamaindex_rag_eval.data.dataset import EvaluationDataset
from tests.benchmarks.suite_cost import made_samples
from tests.server import LoopbackServer

FOUR = "faithfulness,answer_relevancy,context_precision,context_recall"


@pytest.fixture(scope="module")
def server() -> Iterator[LoopbackServer]:
    with LoopbackServer(responders="tests.models.responders:RESPONDERS") as running:
        yield running


@pytest.fixture
def answers(tmp_path: Path, server: LoopbackServer) -> Path:
    server.reset()
    return EvaluationDataset(made_samples(3)).write(tmp_path / "answers.jsonl")


def evaluate(answers: Path, server: LoopbackServer, *options: str) -> tuple[int, str]:
    llm = f"openai-like:{server.url}:gpt-4o-mini"
    out = str(answers.with_name("scores.csv"))
    command = ["evaluate", str(answers), "-m", FOUR, "-o", out, "--llm", llm, *options]
    done = CliRunner().invoke(app, command)
    return done.exit_code, done.output


def test_a_dry_run_says_what_the_run_then_costs(answers: Path, server: LoopbackServer):
    code, said = evaluate(answers, server, "--dry-run", "--json")
    assert code == 0
    assert server.stats().calls == 0
    expected = json.loads(said)
    evaluate(answers, server)
    run = Run.read(answers.with_name("scores.jsonl"))
    spent = run.provenance.usage
    assert server.stats().calls == spent["calls"] == expected["calls"] == 6 * 3
    assert abs(spent["prompt_tokens"] / expected["prompt_tokens"] - 1) < 0.3
    assert set(spent["by_metric"]) == set(FOUR.split(","))
    assert spent["cost"] == pytest.approx(expected["cost"], rel=0.5)


def test_a_budget_of_calls_stops_cleanly_and_the_next_run_goes_on(
    answers: Path, server: LoopbackServer
):
    code, _ = evaluate(answers, server, "--max-calls", "7")
    assert code == 1
    assert server.stats().calls <= 7
    run = Run.read(answers.with_name("scores.jsonl"))
    assert all(row.status == "scored" for row in run.rows)
    assert any(summary.missing for summary in run.summary())
    assert "the budget of 7 calls is spent" in run.provenance.notes[-1]
    code, _ = evaluate(answers, server)
    assert code == 0
    assert len(Run.read(answers.with_name("scores.jsonl")).rows) == 4 * 3


def test_the_cache_is_looked_into_exported_and_cleared(
    answers: Path, server: LoopbackServer, tmp_path: Path
):
    cache = str(tmp_path / "replies.db")
    evaluate(answers, server, "--cache", cache)
    calls = server.stats().calls
    answers.with_name("scores.jsonl").unlink()
    code, said = evaluate(answers, server, "--cache", cache, "--dry-run")
    assert (code, said.startswith("0 calls")) == (0, True)
    evaluate(answers, server, "--cache", cache)
    assert server.stats().calls == calls
    run = CliRunner().invoke
    kept = json.loads(run(app, ["cache", "stats", cache, "--json"]).output)["by_request"]
    assert kept.pop("SimilaritiesOf") == 3  # by rule, without a call
    assert sum(kept.values()) == calls
    exported = tmp_path / "replies.jsonl"
    assert run(app, ["cache", "export", cache, "-o", str(exported)]).exit_code == 0
    assert len(exported.read_text().splitlines()) == calls + 3
    assert run(app, ["cache", "clear", cache, "--yes"]).exit_code == 0
    assert json.loads(run(app, ["cache", "stats", cache, "--json"]).output)["replies"] == 0
    absent = run(app, ["cache", "stats", str(tmp_path / "none.db")])
    assert (absent.exit_code, "no such cache" in absent.output) == (2, True)


def test_votes_are_odd_and_need_a_model(answers: Path, server: LoopbackServer):
    code, said = evaluate(answers, server, "--votes", "2")
    assert (code, "odd" in said) == (2, True)
    done = CliRunner().invoke(app, ["evaluate", str(answers), "--votes", "3"])
    assert (done.exit_code, "--votes needs --llm" in done.output) == (2, True)


def test_votes_are_all_asked(answers: Path, server: LoopbackServer):
    code, _ = evaluate(answers, server, "--votes", "3")
    assert code == 0
    assert server.stats().calls == 6 * 3 * 3


def test_a_price_table_of_ones_own_counts(answers: Path, server: LoopbackServer, tmp_path: Path):
    prices = tmp_path / "prices.json"
    prices.write_text('{"gpt-4o-mini": {"prompt": 1000000, "completion": 0}}')
    code, said = evaluate(answers, server, "--dry-run", "--json", "--prices", str(prices))
    expected = json.loads(said)
    assert (code, expected["cost"]) == (0, expected["prompt_tokens"])
    prices.write_text("[]")
    code, said = evaluate(answers, server, "--dry-run", "--prices", str(prices))
    assert (code, "dollars" in said) == (2, True)


def test_judging_again_says_what_the_judge_alone_moves(answers: Path, server: LoopbackServer):
    code, said = evaluate(answers, server, "--repeats", "3", "--json", "-q")
    assert code == 0
    found = json.loads(said)["stability"]
    assert [(one["repeats"], one["samples"]) for one in found] == [(3, 3)] * 4
    assert all(one["flip_rate"] == 0 for one in found)  # the server always answers the same
    assert server.stats().calls == 6 * 3 * 3
    again = [Run.read(answers.with_name(f"scores.judging-{number}.jsonl")) for number in (2, 3)]
    assert all(len(run.rows) == 4 * 3 for run in again)
    evaluate(answers, server, "--repeats", "3")
    assert server.stats().calls == 6 * 3 * 3  # every judging goes on from its file


def test_judging_again_shows_a_table_with_the_judge_s_share(answers: Path, server: LoopbackServer):
    code, said = evaluate(answers, server, "--repeats", "2")
    assert (code, "Judged 2 times:" in said, "judge share" in said) == (0, True, True)
    code, said = evaluate(answers, server, "--repeats", "2", "--dry-run")
    assert (code, said.startswith("Each of 2 judgings:")) == (0, True)


def test_rules_and_votes_are_not_judged_again(answers: Path, server: LoopbackServer):
    code, said = evaluate(answers, server, "--repeats", "2", "--votes", "3")
    assert (code, "--repeats and --votes" in said) == (2, True)
    done = CliRunner().invoke(app, ["evaluate", str(answers), "--repeats", "2"])
    assert (done.exit_code, "--repeats needs --llm" in done.output) == (2, True)
