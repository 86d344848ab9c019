"""`rag-eval runs`, `show` and `trend`: runs that are kept, from the command line."""

import json
from pathlib import Path

import pytest

from llamaindex_rag_eval.runs.run import Run
from tests.cli.runs_in_files import invoked, run_file


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a store of two runs, which all commands use."""
    path = tmp_path / "runs.db"
    monkeypatch.setenv("RAG_EVAL_STORE", str(path))
    for name, values in (("main", [1.0, 0.5, 0.75]), ("next", [1.0, 1.0, 1.0])):
        file = run_file(tmp_path, name, faithfulness=values)
        assert invoked("runs", "--add", file, "--name", name, "--tag", "ci").exit_code == 0
    return path


@pytest.mark.usefixtures("store")
def test_lists_the_newest_first() -> None:
    result = invoked("runs")
    assert result.exit_code == 0
    assert result.stdout.index("next") < result.stdout.index("main")
    assert "faithfulness 0.750" in result.stdout
    rows = json.loads(invoked("runs", "--json").stdout)
    assert [(row["name"], row["means"]) for row in rows] == [
        ("next", {"faithfulness": 1.0}),
        ("main", {"faithfulness": 0.75}),
    ]


@pytest.mark.usefixtures("store")
def test_lists_by_name_and_no_more_than_asked() -> None:
    assert [r["name"] for r in json.loads(invoked("runs", "--name", "main", "--json").stdout)] == [
        "main"
    ]
    assert "1 older runs are not shown" in invoked("runs", "--last", "1").stdout


@pytest.mark.usefixtures("store")
def test_forgets_a_run() -> None:
    assert "deleted 'next'" in invoked("runs", "--delete", "last").stderr
    assert [row["name"] for row in json.loads(invoked("runs", "--json").stdout)] == ["main"]
    assert invoked("runs", "--delete", "next").exit_code == 2


def test_an_empty_store_says_how_to_fill_it(tmp_path: Path) -> None:
    result = invoked("runs", "--store", str(tmp_path / "new.db"))
    assert "rag-eval runs --add FILE" in result.stdout


@pytest.mark.usefixtures("store")
def test_shows_a_run_by_what_it_is_called() -> None:
    assert "0.750" in invoked("show", "last~1").stdout
    data = json.loads(invoked("show", "main", "--json").stdout)
    assert (data["name"], data["samples"]) == ("main", 3)
    assert data["metrics"][0]["mean"] == 3 / 4


@pytest.mark.usefixtures("store")
def test_writes_a_kept_run_to_a_file(tmp_path: Path) -> None:
    out = tmp_path / "again.jsonl"
    assert invoked("show", "main", "--out", str(out)).exit_code == 0
    assert Run.read(out).values("faithfulness") == {"q0": 1.0, "q1": 0.5, "q2": 0.75}


@pytest.mark.usefixtures("store")
def test_what_nothing_is_called_is_a_message_and_not_a_traceback() -> None:
    result = invoked("show", "mian")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: no run is called 'mian'")


@pytest.mark.usefixtures("store")
def test_a_gate_compares_kept_runs() -> None:
    assert invoked("gate", "last", "--no-worse-than", "main").exit_code == 0


@pytest.mark.usefixtures("store")
def test_a_trend_shows_each_run_and_the_change() -> None:
    result = invoked("trend", "faithfulness")
    assert result.stdout.index("main") < result.stdout.index("next")
    assert "+0.250" in result.stdout
    points = json.loads(invoked("trend", "faithfulness", "--tag", "ci", "--json").stdout)
    assert [point["change"] for point in points] == [None, 1 / 4]
    assert invoked("trend", "nonsense").exit_code == 2


def test_a_trend_marks_runs_over_other_questions(store: Path, tmp_path: Path) -> None:
    invoked("runs", "--add", run_file(tmp_path, "more", faithfulness=[1.0] * 5))
    assert "other questions" in invoked("trend", "faithfulness", "--store", str(store)).stdout
