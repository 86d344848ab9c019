"""`rag-eval init`: the project that it writes works, and nothing is overwritten."""

import json
import sys
from pathlib import Path

import pytest
import yaml

from tests import prepared
from tests.cli.command_line import rag_eval

ROOT = Path(__file__).parents[2]

FILES = {
    ".github/workflows/rag-eval.yml",
    ".gitignore",
    "docs/handbook.md",
    "my_engine.py",
    "questions.jsonl",
    "rag-eval.toml",
    "test_rag.py",
}


def files_in(folder: Path) -> set[str]:
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()}


def test_the_project_works_from_its_documents_to_its_gate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = rag_eval("init", tmp_path / "project", "--json")
    assert set(json.loads(made.stdout)["written"]) == FILES == files_in(tmp_path / "project")
    monkeypatch.chdir(tmp_path / "project")

    for command in ("generate", "add", "run", "evaluate", "gate", "report", "card"):
        done = rag_eval(command)
        assert done.exit_code == 0, f"{command}: {done.output}"

    assert {"golden.jsonl", "answers.jsonl", "scores.csv", "report.html"} <= files_in(Path())
    assert len(Path("answers.jsonl").read_text("utf-8").splitlines()) == 10 + 5


def test_its_tests_pass(tmp_path: Path) -> None:
    rag_eval("init", tmp_path)

    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:asyncio"]
    done = prepared.run(command, cwd=tmp_path)

    assert "5 passed" in done.stdout, done.stdout


def test_its_workflow_has_the_parts_of_one() -> None:
    place = ROOT / "llamaindex_rag_eval" / "cli" / "new_project" / "workflow.yml.tmpl"
    workflow = yaml.safe_load(place.read_text("utf-8"))

    assert workflow[True] == "pull_request"  # YAML 1.1 reads `on` so
    assert workflow["permissions"] == {"contents": "read"}
    for job in workflow["jobs"].values():
        assert all(("uses" in step) != ("run" in step) for step in job["steps"])
        assert all("${{" not in step.get("run", "") for step in job["steps"])


def test_what_is_there_stays_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "my_engine.py").write_text("mine")

    made = rag_eval("init", tmp_path)

    assert made.exit_code == 0
    assert "left as it was: my_engine.py" in made.stdout
    assert (tmp_path / "my_engine.py").read_text() == "mine"
    assert files_in(tmp_path) == FILES - {"docs/handbook.md", "questions.jsonl", "test_rag.py"}


def test_a_place_that_cannot_be_written_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")

    done = rag_eval("init", tmp_path / "file")

    assert done.exit_code == 2
    assert "is a file; expected a folder" in done.stderr
