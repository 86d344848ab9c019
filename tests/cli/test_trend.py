"""`rag-eval trend`: a metric over the stored runs."""

import json
from pathlib import Path

import pytest

from tests.cli.command_line import rag_eval, run_file


@pytest.mark.usefixtures("store")
def test_a_trend_shows_each_run_and_the_change() -> None:
    result = rag_eval("trend", "faithfulness")
    assert result.stdout.index("main") < result.stdout.index("next")
    assert "+0.250" in result.stdout
    points = json.loads(rag_eval("trend", "faithfulness", "--tag", "ci", "--json").stdout)
    assert [point["change"] for point in points] == [None, 1 / 4]
    assert points[0]["finding"] is None
    assert points[1]["finding"] in result.stdout
    assert rag_eval("trend", "nonsense").exit_code == 2


def test_a_trend_marks_runs_over_other_questions(store: Path, tmp_path: Path) -> None:
    rag_eval("runs", "--add", run_file(tmp_path, "more", faithfulness=[1.0] * 5))
    assert "other questions" in rag_eval("trend", "faithfulness", "--store", str(store)).stdout
