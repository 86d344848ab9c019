"""`rag-eval stability`: how far a judge agrees with itself."""

from pathlib import Path

from tests.cli.command_line import rag_eval


def test_rules_always_judge_the_same(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"query": "q", "response": "r"}\n', encoding="utf-8")
    result = rag_eval("stability", str(answers))
    assert result.exit_code == 2
    assert "--llm" in result.stderr


def test_an_embedding_model_alone_judges_the_same_too(tmp_path: Path) -> None:
    answers = tmp_path / "answers.jsonl"
    answers.write_text('{"query": "q", "response": "r"}\n', encoding="utf-8")
    result = rag_eval("stability", answers, "--embed", "openai-like:http://localhost:1/v1:m")
    assert (result.exit_code, "--llm" in result.stderr) == (2, True)
