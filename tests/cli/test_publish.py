"""`rag-eval more publish` and `rag-eval fetch`, against contracts on loopback."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from tests.cli.command_line import rag_eval
from tests.integrations.contracts import LangSmithApi, serving
from tests.integrations.published import QUESTIONS, answered_run


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[LangSmithApi]:
    made = LangSmithApi()
    with serving(made) as url:
        monkeypatch.setenv("LANGSMITH_ENDPOINT", url)
        monkeypatch.setenv("LANGSMITH_API_KEY", "ls-test")
        yield made


def test_a_run_is_published(api: LangSmithApi, tmp_path: Path) -> None:
    run = answered_run().to_jsonl(tmp_path / "scores.jsonl")
    done = rag_eval("more", "publish", run, "--to", "langsmith", "--dataset", "hall", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["answers"] == 3


def test_a_golden_set_is_published_and_fetched_with_its_gold(
    api: LangSmithApi, main_job: Path, tmp_path: Path
) -> None:
    golden, out = main_job / "golden.jsonl", tmp_path / "back.jsonl"
    done = rag_eval("more", "publish", golden, "--to", "langsmith")
    assert done.exit_code == 0, done.output
    assert rag_eval("more", "fetch", "golden", "--from", "langsmith", "-o", out).exit_code == 0
    from testset import GoldenSet

    assert EvaluationDataset.read(out) == EvaluationDataset.of(GoldenSet.read(golden))


def test_a_file_of_samples_is_published(api: LangSmithApi, tmp_path: Path) -> None:
    file = EvaluationDataset(QUESTIONS).write(tmp_path / "asked.jsonl")
    done = rag_eval("more", "publish", file, "--to", "langsmith")
    assert "3 new questions in dataset 'asked'" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ("last", "--to", "excel"),
            "no tool to publish to; expected mlflow, phoenix",
        ),
        (("nowhere.jsonl", "--to", "langsmith"), "file 'nowhere.jsonl': cannot be read"),
    ],
)
def test_wrong_use_is_one_line(arguments: tuple[str, ...], message: str, store: Path) -> None:
    done = rag_eval("more", "publish", *arguments)
    assert (done.exit_code, message in done.stderr) == (2, True), done.output


def test_a_key_that_is_not_set_is_named(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LANGSMITH_API_KEY", raising=False)
    done = rag_eval("more", "publish", "last", "--to", "langsmith")
    assert (done.exit_code, "LANGSMITH_API_KEY" in done.stderr) == (2, True), done.output
