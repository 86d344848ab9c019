"""Fixtures of the tests of the command line."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from tests.benchmarks.suite_cost import made_samples
from tests.cli.command_line import SITES, rag_eval, run_file
from tests.server import LoopbackServer


@pytest.fixture(scope="session")
def main_job(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a golden set and the answers of both default engines."""
    folder = tmp_path_factory.mktemp("main-job")
    golden = folder / "golden.jsonl"
    done = rag_eval("generate", SITES, "-o", golden, "--size", 6, "--quiet")
    assert done.exit_code == 0, done.output
    for kind in ("bm25", "embedding"):
        answers = folder / f"answers-{kind}.jsonl"
        done = rag_eval(
            "run", golden, "--docs", SITES, "--retriever", kind, "-o", answers, "--quiet"
        )
        assert done.exit_code == 0, done.output
    return folder


@pytest.fixture(scope="module")
def server() -> Iterator[LoopbackServer]:
    """Return an OpenAI-like server that answers as a judge."""
    with LoopbackServer(responders="tests.models.responders:RESPONDERS") as running:
        yield running


@pytest.fixture
def answers(tmp_path: Path, server: LoopbackServer) -> Path:
    """Return a file of three samples with their answers; the server has answered nothing yet."""
    server.reset()
    return EvaluationDataset(made_samples(3)).write(tmp_path / "answers.jsonl")


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a database of two runs, which all commands use."""
    path = tmp_path / "runs.db"
    monkeypatch.setenv("RAG_EVAL_STORE", str(path))
    for name, values in (("main", [1.0, 0.5, 0.75]), ("next", [1.0, 1.0, 1.0])):
        file = run_file(tmp_path, name, faithfulness=values)
        assert rag_eval("runs", "--add", file, "--name", name, "--tag", "ci").exit_code == 0
    return path
