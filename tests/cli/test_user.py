"""`rag-eval run --user`: a simulated user goes on asking."""

import json
from pathlib import Path

import pytest

from llamaindex_rag_eval.cli.judging import Limits
from llamaindex_rag_eval.cli.run import User
from llamaindex_rag_eval.errors import InputError
from tests.cli.command_line import rag_eval


def test_a_script_in_the_questions_is_spoken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "echo_app.py").write_text("def answer(question):\n    return 'yes'\n")
    monkeypatch.syspath_prepend(tmp_path)
    questions, out = tmp_path / "questions.jsonl", tmp_path / "answers.jsonl"
    questions.write_text('{"question": "Is it heavy?", "script": ["Sure?", "Thanks."]}\n')

    done = rag_eval(
        *("run", questions, "--engine", "echo_app:answer", "--user", "script"),
        *("--turns", 2, "-o", out),
    )

    assert done.exit_code == 0, done.output
    talk = json.loads(out.read_text())
    assert [m["content"] for m in talk["messages"]] == ["Is it heavy?", "yes", "Sure?", "yes"]
    assert talk["metadata"]["simulation"]["ended"] == "turns"


def test_a_model_has_a_budget_and_nobody_is_no_model(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "none")
    found = User(user="openai:gpt-4o-mini", turns=3).simulated(Limits(max_calls=5, max_cost=0.1))
    assert found is not None
    assert (found.turns, found.oracle is not None) == (3, True)
    assert User().simulated(Limits()) is None
    with pytest.raises(InputError, match="expected 'script', or an LLM"):
        User(user="nobody").simulated(Limits())
