"""`rag-eval runs show`: a stored run, printed or written to a file."""

import json
from pathlib import Path

import pytest

from llamaindex_rag_eval.runs.run import Run
from tests.cli.command_line import rag_eval


@pytest.mark.usefixtures("store")
def test_shows_a_run_by_what_it_is_called() -> None:
    assert "0.750" in rag_eval("runs", "show", "last~1").stdout
    data = json.loads(rag_eval("runs", "show", "main", "--json").stdout)
    assert (data["name"], data["samples"]) == ("main", 3)
    assert data["metrics"][0]["mean"] == 3 / 4


@pytest.mark.usefixtures("store")
def test_writes_a_kept_run_to_a_file(tmp_path: Path) -> None:
    out = tmp_path / "again.jsonl"
    assert rag_eval("runs", "show", "main", "--out", str(out)).exit_code == 0
    assert Run.read(out).values("faithfulness") == {"q0": 1.0, "q1": 0.5, "q2": 0.75}


@pytest.mark.usefixtures("store")
def test_what_nothing_is_called_is_a_message_and_not_a_traceback() -> None:
    result = rag_eval("runs", "show", "mian")
    assert result.exit_code == 2
    assert result.stderr.startswith("error: no run is called 'mian'")
