"""`rag-eval traces`: what a tracing tool recorded becomes answers, scores and golden items."""

import json
from pathlib import Path

from tests.cli.command_line import rag_eval
from tests.traces.recorded import LANGFUSE, OPENINFERENCE, otlp


def test_traces_become_answers_that_are_scored_and_grow_a_golden_set(tmp_path: Path):
    traces, other = tmp_path / "traces.json", tmp_path / "langfuse.json"
    traces.write_text(json.dumps(otlp(*OPENINFERENCE)))
    other.write_text(json.dumps({**LANGFUSE, "input": "Is S-123456 in?"}))
    out, golden = tmp_path / "answers.jsonl", tmp_path / "golden.jsonl"

    done = rag_eval("more", "traces", traces, other, "-o", out, "--mask", "STAFF=S-[0-9]{6}")

    assert done.exit_code == 0, done.output
    assert "2 answers of 2 traces" in done.stdout
    queries = [json.loads(line)["query"] for line in out.read_text().splitlines()]
    assert queries == ["What holds 5 l?", "Is [STAFF 1] in?"]
    scored = rag_eval("evaluate", out, "-m", "faithfulness", "-o", tmp_path / "s.csv")
    assert scored.exit_code == 0, scored.output
    assert "2 questions added" in rag_eval("golden", "add", golden, out).stdout


def test_wrong_options_and_files_are_named(tmp_path: Path):
    traces = tmp_path / "traces.json"
    traces.write_text('{"resourceSpans": []}')
    out = tmp_path / "answers.jsonl"

    for options, said in (
        (["--mask", "S-[0-9]"], "--mask expects NAME=REGEX"),
        (["--mask", "S=x", "--keep-personal-data"], "exclude each other"),
        ([], "none of 0 traces asks a question"),
    ):
        done = rag_eval("more", "traces", traces, "-o", out, *options)
        assert done.exit_code == 2
        assert said in " ".join(done.stderr.split())
    assert "is one of the traces" in rag_eval("more", "traces", traces, "-o", traces).stderr
    assert "`rag-eval more traces` reads traces" in rag_eval("evaluate", traces).stderr
    assert not out.exists()
