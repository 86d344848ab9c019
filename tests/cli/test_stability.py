"""`rag-eval stability`: how far a judge agrees with itself."""

from pathlib import Path

from tests.cli.command_line import rag_eval


def test_rules_always_judge_the_same(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"query": "q", "response": "r"}\n', encoding="utf-8")
    result = rag_eval("stability", str(answers))
    assert result.exit_code == 2
    assert "--llm" in result.stderr
