"""`rag-eval demo`: the whole job in one command."""

from pathlib import Path

from tests.cli.command_line import DOCS, rag_eval


def test_the_demo_does_the_whole_job(tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = rag_eval("demo", DOCS, "-o", out, "--size", 4, "-m", "mrr,context_recall", "--quiet")
    assert done.exit_code == 0, done.output
    names = {path.name for path in out.iterdir()}
    assert {
        "golden.jsonl",
        "answers-windows.jsonl",
        "answers-sections.jsonl",
        "scores.csv",
        "report.html",
    } <= names
    assert not [name for name in names if name.endswith((".journal", ".part"))]
