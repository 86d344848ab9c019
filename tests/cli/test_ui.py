"""`rag-eval ui`: it says what to do where there is nothing to show, and prints its address."""

import signal
import socket
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from llamaindex_rag_eval.decisions.policy import Policy
from llamaindex_rag_eval.ui import server
from tests.cli.command_line import rag_eval, run_file
from tests.prepared import Process

START = "from llamaindex_rag_eval.__main__ import main; main()"


@pytest.fixture(autouse=True)
def no_store(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RAG_EVAL_STORE", raising=False)


def test_a_folder_without_runs_says_how_to_store_one_and_makes_nothing(tmp_path: Path) -> None:
    shown = rag_eval("ui", tmp_path)
    assert shown.exit_code == 2
    assert "rag-eval evaluate answers.jsonl --keep" in shown.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_missing_folder_and_a_store_without_runs_are_errors_in_words(tmp_path: Path) -> None:
    assert "is no folder" in rag_eval("ui", tmp_path / "none").stderr
    assert "no run is stored" in rag_eval("ui", tmp_path, "--store", tmp_path / "none.db").stderr
    assert not (tmp_path / "none.db").exists()


def test_where_no_file_can_be_read_each_is_named(tmp_path: Path) -> None:
    for name, text in (("cut.jsonl", '{"ru'), ("late.jsonl", '{"run": {"versions"')):
        (tmp_path / name).write_text(text)
    shown = rag_eval("ui", tmp_path)
    assert shown.exit_code == 2
    for part in ("no file of", "cut.jsonl', line 1", "late.jsonl', line 1", "evaluate -o"):
        assert part in shown.stderr


def test_a_broken_store_of_what_was_read_is_named_and_may_be_deleted(tmp_path: Path) -> None:
    run_file(tmp_path, "scores", m=[0.5])
    (tmp_path / ".rag-eval").mkdir()
    (tmp_path / ".rag-eval" / "files.db").write_text("no database at all, but a text")
    shown = rag_eval("ui", tmp_path)
    assert shown.exit_code == 2
    assert "files.db' cannot be opened" in shown.stderr
    assert "delete it: it only holds what was read of files" in shown.stderr


def test_the_project_says_what_is_decided_by(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    policies: list[Policy] = []
    monkeypatch.setattr(server, "serve_ui", lambda *_, policy, **__: policies.append(policy))
    monkeypatch.chdir(tmp_path)
    run_file(tmp_path, "scores", m=[0.5])
    Path("rag-eval.toml").write_text("[gate]\nmargin = 0.2\nmin-questions = 7\nmax-missing = 0\n")
    rag_eval("ui")
    rag_eval("--no-project", "ui")
    assert [(policy.margin, policy.questions) for policy in policies] == [(0.2, 7), (None, 20)]


def test_a_password_is_not_shown(tmp_path: Path) -> None:
    url = "sqlite://me:secret@host/runs"
    assert "secret" not in rag_eval("ui", tmp_path, "--store", url).output


def test_a_port_that_is_taken_is_named(tmp_path: Path) -> None:
    run_file(tmp_path, "scores", m=[0.5, 0.25])
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        shown = rag_eval("ui", tmp_path, "--port", port)
    assert shown.exit_code == 2
    assert f"cannot listen on port {port}" in shown.stderr


def test_without_the_extra_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, server.__name__, None)
    shown = rag_eval("ui", tmp_path)
    assert shown.exit_code == 2
    assert "llamaindex-rag-eval[ui]" in shown.stderr


def test_it_serves_the_runs_in_files_and_changes_none(tmp_path: Path) -> None:
    file = Path(run_file(tmp_path, "scores", m=[0.5, 0.25]))
    content = file.read_bytes()
    command = [sys.executable, "-c", START, "ui", str(tmp_path), "--quiet"]
    process = Process(command, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        address = process.stdout.readline().strip()
        assert address.startswith("http://127.0.0.1:")
        assert "1 run," in httpx.get(address).text
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate()
    assert file.read_bytes() == content
    assert sorted(p.name for p in tmp_path.iterdir()) == [".rag-eval", "scores.jsonl"]


def test_an_interruption_ends_the_page_without_an_error(tmp_path: Path) -> None:
    run_file(tmp_path, "scores", m=[0.5])
    command = [sys.executable, "-c", START, "ui", str(tmp_path), "--quiet"]
    process = Process(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert httpx.get(process.stdout.readline().strip()).status_code == 200
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate()
    assert (process.returncode, errors) == (0, "")
