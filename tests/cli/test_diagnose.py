"""`rag-eval diagnose`: from a golden set and an engine to where answers are lost."""

import json
import re
from pathlib import Path

import pytest

from llamaindex_rag_eval import EvaluationDataset
from tests.cli.command_line import rag_eval
from tests.diagnosis.planted import questions
from tests.report.runs import run_of_scores
from tests.server import LoopbackServer
from tests.server.responder import JsonObject
from tests.server.writer_responders import FAULTLESS

ENGINE = "tests.diagnosis.planted:faulty"


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    path = tmp_path / "golden.jsonl"
    EvaluationDataset(questions({}, 8)).write_jsonl(path)
    return path


def test_it_says_where_answers_are_lost_and_writes_a_page(golden: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    ended = rag_eval("--json", "diagnose", golden, "--engine", ENGINE, "-o", out)
    assert ended.exit_code == 0, ended.stderr
    said = json.loads(ended.stdout)
    counts = {entry["cause"]: entry["count"] for entry in said["causes"]}
    assert counts == {"cut": 1, "misread": 1}
    assert said.pop("diagnosis") == str(out / "diagnosis.json")
    whole = json.loads((out / "diagnosis.json").read_text(encoding="utf-8"))
    assert said.items() <= whole.items()
    assert len(whole["lost"]) == 2
    assert "lost" not in said
    assert "Where answers are lost" in (out / "diagnosis.html").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("reference", "code", "why"),
    [({"reference": " "}, 0, ""), ({}, 1, "1 failed: 'answer_verdict' needs 'reference'")],
    ids=["undefined", "failed"],
)
def test_a_verdict_that_failed_is_reported_and_one_that_is_undefined_is_no_failure(
    reference: dict[str, str], code: int, why: str, golden: Path, tmp_path: Path
) -> None:
    with golden.open("a") as file:
        file.write(json.dumps({"question": "What does pump P3 weigh today?", **reference}))
    out = tmp_path / "out"
    ended = rag_eval("--json", "diagnose", golden, "--engine", ENGINE, "-o", out)
    assert (ended.exit_code, json.loads(ended.stdout)["unjudged"]) == (code, 1)
    assert why in ended.stderr


def test_a_dry_run_asks_nothing_and_a_budget_that_is_spent_is_an_error(
    golden: Path, tmp_path: Path
) -> None:
    with LoopbackServer() as server:
        llm = f"openai-like:{server.url}:gpt-4o-mini"
        command = ["diagnose", golden, "--engine", ENGINE, "-o", tmp_path / "out", "--llm", llm]
        dry = rag_eval("--json", *command, "--dry-run")
        assert server.stats().calls == 0
        assert json.loads(dry.stdout)["engine_calls"] == 8 + 8 * 6
        ended = rag_eval(*command, "--max-calls", "3")
    assert ended.exit_code == 2, ended.output
    assert "no answer has a verdict" in ended.stderr


def test_batch_files_are_written_where_verdicts_are_pending(golden: Path, tmp_path: Path) -> None:
    llm = "openai-like:http://127.0.0.1:9/v1:gpt-4o-mini"
    command = ["diagnose", golden, "--engine", ENGINE, "-o", tmp_path / "out", "--llm", llm]
    ended = rag_eval(*command, "--batch", tmp_path / "batch")
    assert "put the reply file into" in ended.stderr
    assert [*(tmp_path / "batch").glob("*.jsonl")]


@pytest.fixture
def labelled(tmp_path: Path) -> tuple[Path, Path]:
    """Return a run and labels of its answers."""
    run, labels = tmp_path / "scores.jsonl", tmp_path / "labels.jsonl"
    run_of_scores("main", {"answer_verdict": [0.0, 0.0, 1.0]}).to_jsonl(run)
    rows = [{"id": f"q{n}", "label": 0, "why": "wrong \x1b[31munit"} for n in range(2)]
    labels.write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    return run, labels


def test_labels_alone_sort_wrong_answers_into_modes_that_a_report_shows(
    labelled: tuple[Path, Path], tmp_path: Path
) -> None:
    out = tmp_path / "out"
    ended = rag_eval("--json", "diagnose", *labelled, "-o", out)
    assert ended.exit_code == 0, ended.stderr
    assert [entry["id"] for entry in json.loads(ended.stdout)["modes"]] == ["q0", "q1"]
    modes = out / "modes.jsonl"
    modes.write_text(re.sub('"mode": "[^"]*"', '"mode": "units"', modes.read_text("utf-8")))
    ended = rag_eval("diagnose", *labelled, "-o", out)
    assert "units" in ended.stdout
    assert "\x1b[31m" not in ended.stdout
    rag_eval("report", labelled[0], "-o", tmp_path / "report.html")
    page = (tmp_path / "report.html").read_text("utf-8")
    assert '<th scope="row" dir="auto">units</th>' in page


def test_a_model_sorts_and_a_dry_run_says_what_it_costs(
    labelled: tuple[Path, Path], tmp_path: Path
) -> None:
    llm = ("--llm", "openai-like:http://127.0.0.1:9/v1:gpt-4o-mini", "-o", tmp_path / "out")
    dry = rag_eval("--json", "diagnose", *labelled, *llm, "--dry-run")
    assert (json.loads(dry.stdout)["engine_calls"], json.loads(dry.stdout)["calls"]) == (0, 1)
    ended = rag_eval("diagnose", *labelled, *llm, "--batch", tmp_path / "batch")
    assert "put the reply file into" in ended.stderr
    (requests,) = (tmp_path / "batch").glob("*.jsonl")
    assert "failure modes" in requests.read_text("utf-8")
    assert not (tmp_path / "out" / "modes.jsonl").exists()


def test_labels_need_a_run(golden: Path, labelled: tuple[Path, Path]) -> None:
    ended = rag_eval("diagnose", golden, labelled[1])
    assert ended.exit_code == 2
    assert "has no scores; labels need those of `evaluate`" in ended.stderr


def _declines(given: JsonObject, _: JsonObject) -> JsonObject:
    return {"reason": "by the words", "verdict": "do not say" in str(given["response"])}


JUDGE = {**FAULTLESS, "critique": _declines}


def test_later_rounds_of_batch_files_ask_what_the_earlier_ones_decide(
    golden: Path, tmp_path: Path
) -> None:
    with LoopbackServer(responders="tests.cli.test_diagnose:JUDGE") as server:
        llm = f"openai-like:{server.url}:gpt-4o-mini"
        command = ["--json", "diagnose", golden, "--engine", ENGINE, "--llm", llm]
        online = rag_eval(*command, "-o", tmp_path / "online")
        batch, out = tmp_path / "batch", tmp_path / "out"
        batched = [*command, "-o", out, "--batch", batch]
        assert rag_eval(*batched).exit_code == 4
        assert not [*out.glob("trial*")], "no trial before it is known which answers are wrong"
        requests = (batch / "round-1.requests.jsonl").read_text(encoding="utf-8")
        assert requests.count("\n") == 8
        done = rag_eval(*batched, "--batch-submit")
    assert (online.exit_code, done.exit_code) == (0, 0), done.output
    assert json.loads(done.stdout)["causes"] == json.loads(online.stdout)["causes"]
    counts = {entry["cause"]: entry["count"] for entry in json.loads(done.stdout)["causes"]}
    # this model sees no support in the evidence of a wrong trial, which the last round asks for
    assert counts == {"cut": 1, "golden_item": 1}
    assert len([*batch.glob("round-*.requests.jsonl")]) > 2


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], "expected either --engine MODULE:ATTRIBUTE or --docs FOLDER"),
        (["--engine", ENGINE, "--votes", "3"], "--votes needs --llm"),
        (["--engine", "nosuch:engine"], "no module 'nosuch'"),
        (["--engine", ENGINE, "--metric", "refusal"], "does not say whether an answer is right"),
    ],
)
def test_wrong_input_is_one_clear_line(golden: Path, options: list[str], sentence: str) -> None:
    ended = rag_eval("diagnose", golden, *options)
    assert ended.exit_code == 2
    assert sentence in ended.stderr
