"""`rag-eval more prompts` and `evaluate --prompts`: in which words a model is asked."""

import json
from pathlib import Path

import pytest

from llamaindex_rag_eval import shipped_prompts
from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.judge import ClaimsOf
from tests.benchmarks.suite_cost import made_samples
from tests.cli.command_line import rag_eval
from tests.server import LoopbackServer
from tests.server.asked import prompt_text

RESPONDERS = "tests.models.responders:RESPONDERS"


def evaluate(folder: Path, *options: str) -> tuple[int, str]:
    answers = EvaluationDataset(made_samples(1)).write(folder / "answers.jsonl")
    out = str(folder / "scores.csv")
    done = rag_eval("evaluate", str(answers), "-m", "faithfulness", "-o", out, *options)
    return done.exit_code, done.output


def test_what_is_written_is_what_comes_along_and_what_is_there_is_kept(tmp_path: Path) -> None:
    mine = shipped_prompts("ja")[ClaimsOf].changed(instruction="Mine.")
    mine.save(tmp_path / "claims.json")
    result = rag_eval("more", "prompts", str(tmp_path), "--language", "ja", "--json")
    assert result.exit_code == 0
    assert set(json.loads(result.stdout)["prompts"]) == {p.stem for p in tmp_path.glob("*.json")}
    assert json.loads((tmp_path / "claims.json").read_text("utf-8"))["instruction"] == "Mine."
    assert json.loads((tmp_path / "support.json").read_text("utf-8"))["language"] == "ja"


def test_a_model_translates_them_once_and_is_then_asked_by_them(tmp_path: Path) -> None:
    folder = str(tmp_path / "prompts")
    with LoopbackServer(responders=RESPONDERS, record=True) as server:
        llm = ("--llm", f"openai-like:{server.url}:gpt-4o-mini")
        assert rag_eval("more", "prompts", folder, "--language", "Danish", *llm).exit_code == 0
        calls = server.stats().calls
        assert rag_eval("more", "prompts", folder, "--language", "Danish", *llm).exit_code == 0
        assert server.stats().calls == calls == len(list(Path(folder).glob("*.json")))
        code, _ = evaluate(tmp_path, "--prompts", folder, *llm)
        prompt = prompt_text(server.requests()[-1])
    assert code == 0
    kept = json.loads(Path(folder, "support.json").read_text("utf-8"))
    assert kept["instruction"].strip() in prompt


@pytest.mark.parametrize("language", ["de", "ja", "zh"])
def test_a_model_is_asked_in_a_language_that_comes_along(tmp_path: Path, language: str) -> None:
    with LoopbackServer(responders=RESPONDERS, record=True) as server:
        llm = f"openai-like:{server.url}:gpt-4o-mini"
        code, _ = evaluate(tmp_path, "--prompts", language, "--llm", llm)
        prompt = server.requests()[0]["messages"][0]["content"]
    assert code == 0
    assert prompt.startswith(shipped_prompts(language)[ClaimsOf].instruction.strip())


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--prompts", "ja"), "--prompts needs --llm"),
        (("--prompts", "xx", "--llm", "openai-like:http://127.0.0.1:9:m"), "en, de, ja, zh"),
    ],
)
def test_prompts_that_cannot_be_used_are_one_line_and_exit_code_2(
    tmp_path: Path, options: tuple[str, ...], message: str
) -> None:
    code, output = evaluate(tmp_path, *options)
    assert code == 2
    assert message in " ".join(output.split())


def test_a_language_that_does_not_come_along_needs_a_model(tmp_path: Path) -> None:
    result = rag_eval("more", "prompts", str(tmp_path), "--language", "Danish")
    assert result.exit_code == 2
    assert "--llm" in result.stderr
