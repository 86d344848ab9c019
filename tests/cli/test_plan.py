"""`rag-eval more plan`: how many questions it takes."""

import json
from pathlib import Path

from tests.cli.command_line import rag_eval, run_file


def test_a_plan_says_how_many_questions_and_what_was_assumed() -> None:
    made = rag_eval("more", "plan", "-m", "mrr", "--effect", ".2", "-n", "30")
    assert made.exit_code == 0, made.output
    assert "shown by 30 questions" in made.stdout
    assert "Without a pilot" in made.stdout


def test_two_runs_are_a_pilot(tmp_path: Path) -> None:
    a = run_file(tmp_path, "a", m=[0.5, 1.0, 0.0, 1.0] * 5)
    b = run_file(tmp_path, "b", m=[1.0, 1.0, 0.0, 0.5] * 5)
    made = rag_eval("more", "plan", a, b, "--effect", ".2", "--json")
    data = json.loads(made.stdout)
    assert made == rag_eval(  # as it was formerly written
        "more", "plan", "--pilot", a, "--effect", ".2", "--pilot", b, "--json"
    )
    assert [one["metric"] for one in data["metrics"]] == ["m"]
    assert data["questions"] > 20
    (note,) = data["notes"]
    assert note.startswith("These numbers are rough, as the pilot has few questions with")


def test_a_plan_without_metrics_is_a_message() -> None:
    made = rag_eval("more", "plan")
    assert (made.exit_code, made.stderr) == (
        2,
        "error: a plan needs metrics, as -m faithfulness,mrr, or a pilot run that has some\n",
    )
