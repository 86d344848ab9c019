"""`rag-eval more calibrate`: the judge against people, and the next samples to label."""

import csv
import json
from pathlib import Path

import pytest

from tests.cli.command_line import rag_eval, run_file


@pytest.fixture
def run(tmp_path: Path) -> str:
    return run_file(tmp_path, "r", faithfulness=[0.9, 0.8, 0.2, 0.1], other=[1.0, 0.0, 1.0, 0.0])


def labelled(folder: Path, *rows: str) -> str:
    path = folder / "labels.csv"
    path.write_text("\n".join(("id,metric,label", *rows)), encoding="utf-8")
    return str(path)


def test_says_how_the_judge_agrees_with_people(run: str, tmp_path: Path) -> None:
    rows = ("q0,faithfulness,1", "q1,faithfulness,0", "q2,faithfulness,0", "q3,faithfulness,0")
    labels = labelled(tmp_path, *rows)
    result = rag_eval("more", "calibrate", labels, "--run", run)
    assert result.exit_code == 0
    assert "Both say yes 1, only the judge 1, only people 0, both no 2." in result.stdout
    data = json.loads(rag_eval("more", "calibrate", labels, "--run", run, "--json").stdout)
    (metric,) = data["metrics"]
    assert metric["accuracy"]["value"] == 3 / 4
    assert metric["auc"]["value"] == 1
    # Four labels make the mean alone: one of four.
    assert metric["corrected"]["value"] == 1 / 4


def test_ten_labels_that_are_all_right_are_no_certainty(tmp_path: Path) -> None:
    run = run_file(tmp_path, "r", faithfulness=[1.0, 0.0] * 20)
    # The judge and people say yes to ten answers of twenty that it says yes to.
    labels = labelled(tmp_path, *(f"q{2 * n},faithfulness,1" for n in range(10)))
    shown = rag_eval("more", "calibrate", labels, "--run", run).stdout
    assert "1.000 to 1.000" not in shown
    assert "0.722 to 1.000" in next(x for x in shown.splitlines() if "mean by people" in x)


def test_labels_that_fit_nothing_are_named(run: str, tmp_path: Path) -> None:
    labels = labelled(tmp_path, "q0,faithfulness,1", "q9,faithfulness,1", "q1,nonsense,1")
    out = rag_eval("more", "calibrate", labels, "--run", run).stdout
    assert "Left out, labels of other questions or answers, as those of another run: 'q9'." in out
    assert "Labels of metrics that the run does not have: 'nonsense'." in out


def test_a_broken_label_is_a_message_that_says_where(run: str, tmp_path: Path) -> None:
    result = rag_eval(
        "more", "calibrate", labelled(tmp_path, "q0,faithfulness,maybe"), "--run", run
    )
    assert result.exit_code == 2
    assert "line 2, field 'label': expected a number" in result.stderr


def test_a_run_in_place_of_labels_is_called_that(run: str) -> None:
    done = rag_eval("more", "calibrate", run)
    assert done.exit_code == 2
    assert f"{run!r} is a run; expected labels by people" in done.stderr
    assert f"--run {run}" in done.stderr


def test_a_table_of_label_is_filled_in_and_read_back(run: str, tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.csv"
    words = ("--labels", tmp_path / "labels.jsonl", "--metric", "faithfulness", "--to-csv", sheet)
    command = ("label", run, "--size", 4, *words)
    assert rag_eval(*command).exit_code == 0
    with sheet.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["metric"] for row in rows} == {"faithfulness"}
    assert [row["chosen"] for row in rows] == ["random"] * 4
    with sheet.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows({**row, "label": "5"} for row in rows)
    found = rag_eval("more", "calibrate", str(sheet), "--run", run, "--scale", "1", "5", "--json")
    assert json.loads(found.stdout)["metrics"][0]["labels"] == 4
    assert rag_eval(*command).exit_code == 2


def test_a_sheet_without_labels_is_no_error(run: str, tmp_path: Path) -> None:
    result = rag_eval("more", "calibrate", labelled(tmp_path, "q0,faithfulness,"), "--run", run)
    assert result.exit_code == 0
    assert "nothing is labelled yet" in result.stderr
