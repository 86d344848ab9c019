"""Commands over batch files: exit code 4 until the replies are there, then the result of online."""

import importlib.util
from pathlib import Path

import pytest

from llamaindex_rag_eval.data.sample import Fact
from tests.benchmarks.suite_cost import made_samples
from tests.cli.command_line import rag_eval
from tests.requirement import require
from tests.server import LoopbackServer
from tests.testset.corpora import documents, table_of
from testset import GoldenSet

JUDGE = "tests.models.responders:RESPONDERS"
WRITER = "tests.server.writer_responders:FAULTLESS"


def same_as_online(tmp_path: Path, *words: object) -> str:
    """Return what a command prints over batch files, after the same words online print the same."""
    online = rag_eval(*words)
    assert online.exit_code in (0, 1), online.output
    batch = (*words, "--batch", tmp_path / "batch")
    first = rag_eval(*batch)
    assert first.exit_code == 4, first.output
    assert "round-1.requests.jsonl" in first.stderr
    assert first.stdout == ""
    done = rag_eval(*batch, "--batch-submit")
    assert done.exit_code == online.exit_code, done.output
    assert done.stdout == online.stdout
    return done.stdout


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    from llamaindex_rag_eval.data.dataset import EvaluationDataset

    return EvaluationDataset(made_samples(3)).write(tmp_path / "answers.jsonl")


def test_answers_are_scored_and_compared_as_online(tmp_path: Path, answers: Path) -> None:
    from llamaindex_rag_eval.data.dataset import EvaluationDataset

    other = EvaluationDataset(made_samples(4)[1:]).write(tmp_path / "other.jsonl")
    with LoopbackServer(responders=JUDGE) as server:
        llm = f"openai-like:{server.url}:m"
        words = ("compare", answers, other, "-m", "faithfulness", "--llm", llm, "--json")
        assert '"metrics"' in same_as_online(tmp_path, *words)


def test_a_golden_set_is_written_in_rounds(tmp_path: Path) -> None:
    docs, out = tmp_path / "docs", tmp_path / "golden.jsonl"
    docs.mkdir()
    for entry in documents(8):
        (docs / entry.doc_id).write_text(entry.text, encoding="utf-8")
    with LoopbackServer(responders=WRITER) as server:
        llm = f"openai-like:{server.url}:gpt-4o-mini"
        asked = ("generate", docs, "-o", out, "--size", 3, "--llm", llm)
        words = (*asked, "--batch", tmp_path / "batch")
        first = rag_eval(*words)
        assert first.exit_code == 4, first.output
        assert not out.exists()
        assert first.stderr.strip().splitlines()[-1].startswith("send ")
        done = rag_eval(*words, "--batch-submit")
    assert done.exit_code == 0, done.output
    assert len(GoldenSet.read(out)) == 3
    assert not out.with_name("golden.jsonl.journal").exists()


def test_items_whose_documents_changed_are_checked_again_by_batch_files(tmp_path: Path) -> None:
    docs, golden = tmp_path / "docs", tmp_path / "golden.jsonl"
    docs.mkdir()
    text = table_of("pumps", "Weight")
    (docs / "pumps.md").write_text(text, encoding="utf-8")
    rag_eval("generate", docs, "-o", golden, "--size", 2)
    items = GoldenSet.read(golden).items
    by_model = items[0].created.model_copy(update={"models": {"writer": "a model"}})
    plans = "She drew the plans."
    claims = {"reference_facts": (Fact(text=plans),), "reference": plans}
    changes = {**claims, "created": by_model}
    GoldenSet(tuple(item.model_copy(update=changes) for item in items)).write(golden)
    (docs / "pumps.md").write_text(text.replace(" kg |", " kg when dry |"), encoding="utf-8")
    with LoopbackServer(responders=WRITER) as server:
        llm = f"openai-like:{server.url}:m"
        words = (
            "golden",
            "refresh",
            golden,
            docs,
            "-o",
            tmp_path / "new.jsonl",
            "--llm",
            llm,
            "--json",
        )
        same_as_online(tmp_path, *words)


def test_a_budget_of_calls_and_batch_files_exclude_one_another(tmp_path: Path) -> None:
    words = ("generate", tmp_path, "--llm", "openai-like:http://localhost:1/v1:m")
    done = rag_eval(*words, "--batch", tmp_path / "batch", "--max-calls", 3)
    assert done.exit_code == 2
    assert "--batch excludes --max-calls" in done.stderr


def test_sending_batch_files_needs_their_folder(answers: Path) -> None:
    done = rag_eval("evaluate", answers, "--batch-submit")
    assert (done.exit_code, "--batch-submit needs --batch" in done.stderr) == (2, True)


def test_a_model_of_anthropic_by_name_is_asked_by_message_batches(
    tmp_path: Path, answers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require(importlib.util.find_spec("anthropic"), "llama-index-llms-anthropic")
    with LoopbackServer(responders=JUDGE) as server:
        monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-test-0123456789")
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.url.removesuffix("/v1"))
        words = ("evaluate", answers, "-o", tmp_path / "scores.csv", "-m", "faithfulness")
        llm = ("--llm", "anthropic:claude-sonnet-4-5", "--batch", tmp_path / "batch")
        done = rag_eval(*words, *llm, "--batch-submit")
        assert done.exit_code == 0, done.output
        assert server.stats().by_endpoint.keys() == {"messages"}
    assert "round-1.requests.jsonl: ended, 3 of 3 requests" in done.stderr
    assert "scored" in (tmp_path / "scores.csv").read_text(encoding="utf-8")


def test_files_are_written_without_a_key_and_sent_with_one(
    tmp_path: Path, answers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    words = ("evaluate", answers, "-m", "answer_verdict", "--llm", "openai:gpt-4o-mini")
    batch = (*words, "-o", tmp_path / "scores.csv", "--batch", tmp_path / "batch")
    waiting = rag_eval(*batch)
    assert (waiting.exit_code, "Next: " in waiting.stdout) == (4, False)
    assert (tmp_path / "batch" / "round-1.requests.jsonl").is_file()
    for needing in (
        (*batch, "--batch-submit"),
        (*batch, "--embed", "openai:text-embedding-3-small"),
    ):
        done = rag_eval(*needing)
        assert (done.exit_code, "needs a key" in done.stderr) == (2, True)
