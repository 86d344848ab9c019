"""`--labels` of `compare`, `gate` and `report`: figures by people beside those of the judge."""

import json
from pathlib import Path

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.decisions.labels import answer_digest
from llamaindex_rag_eval.runs.run import Run
from tests.cli.command_line import rag_eval, run_file


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str, Path]:
    """Return two runs of 60 questions, and 25 labels that count for both."""
    runs = [run_file(tmp_path, name, faithfulness=[1.0, 0.5] * 30) for name in ("<b>old", "new")]
    labels = tmp_path / "labels.jsonl"
    lines = [
        json.dumps(
            {
                "id": sample.id,
                "metric": "faithfulness",
                "label": number % 2,
                "answer": answer_digest(sample.response),
            }
        )
        for run in runs
        for number, sample in enumerate(Run.read(run).samples[:25])
        if isinstance(sample, SingleTurnSample)
    ]
    labels.write_text("\n".join(lines))
    return runs[0], runs[1], labels


def test_compare_shows_means_and_difference_by_people(files: tuple[str, str, Path]) -> None:
    old, new, labels = files
    data = json.loads(rag_eval("compare", old, new, "--labels", labels, "--json").stdout)
    assert [mean["labels"] for mean in data["by_people"][0]["means"]] == [25, 25]
    assert data["by_people"][0]["difference"]["value"] == 0
    shown = " ".join(rag_eval("compare", old, new, "--labels", labels).stdout.split())
    assert "faithfulness of new: 0.75 by the judge, corrected by people about 0.4" in shown
    assert "faithfulness ↑ (by people) " in shown
    assert "(by people)" not in rag_eval("compare", old, new).stdout
    plain = json.loads(rag_eval("compare", old, new, "--json").stdout)
    assert "by_people" not in plain
    assert "by_people" not in plain["decisions"][0]
    assert data["decisions"][0]["by_people"] == data["by_people"]
    assert "new may be worse by up to" in shown
    assert "25 and 25 labels of people may miss one below" in shown


def test_gate_decides_by_labels_and_its_limits_by_the_judge(files: tuple[str, str, Path]) -> None:
    old, new, labels = files
    limit = ("--min", "faithfulness=.7")
    plain = json.loads(rag_eval("gate", new, *limit, "--json").stdout)
    data = json.loads(rag_eval("gate", new, *limit, "--labels", labels, "--json").stdout)
    assert [entry["metric"] for entry in data.pop("by_people")] == ["faithfulness"]
    assert data == plain
    shown = rag_eval("gate", new, *limit, "--labels", labels).stdout
    assert "faithfulness of new: 0.75 by the judge, corrected by people" in " ".join(shown.split())
    # The judge gave the same scores to 60 questions; 25 labels leave more open.
    assert rag_eval("gate", new, "--no-worse-than", old).exit_code == 0
    ended = rag_eval("gate", new, "--no-worse-than", old, "--labels", labels)
    assert ended.exit_code == 5
    assert "corrected by 25 and 25 labels of people" in " ".join(ended.stdout.split())


def test_an_engine_that_is_still_to_be_asked_has_no_labels(files: tuple[str, str, Path]) -> None:
    old, _, labels = files
    ended = rag_eval(
        "gate", "golden.jsonl", "--engine", "a:b", "--no-worse-than", old, "--labels", labels
    )
    assert ended.exit_code == 2
    assert "asks for answers that nobody has labelled" in " ".join(ended.stderr.split())


def test_a_report_says_it_below_the_scores_and_escapes_names(
    files: tuple[str, str, Path], tmp_path: Path
) -> None:
    old, new, labels = files
    page = tmp_path / "r.html"
    for runs, texts in (
        ([new], ["faithfulness of new: 0.75 by the judge, corrected by people about"]),
        (
            [old, new],
            [
                "new minus &lt;b&gt;old: +0.00 by the judge, corrected by people about +0.00",
                "corrected by people's labels",
            ],
        ),
        (
            [old, new, new],
            ["faithfulness of new (2): 0.75 by the judge, corrected by people about"],
        ),
    ):
        assert rag_eval("report", *runs, "-o", page, "--labels", labels).exit_code == 0
        assert all(text in page.read_text() for text in texts)
        assert "<b>old" not in page.read_text().split('<script type="application/json"')[0]
    assert rag_eval("report", new, "-o", page).exit_code == 0
    assert "by people" not in page.read_text()


def test_a_file_of_labels_that_is_absent_ends_the_command(files: tuple[str, str, Path]) -> None:
    ended = rag_eval("compare", files[0], files[1], "--labels", "absent.jsonl")
    assert (ended.exit_code, ended.stdout) == (2, "")
    assert "absent.jsonl" in ended.stderr
