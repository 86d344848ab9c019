"""A run: its table is safe for spreadsheets, and its file holds all of it."""

import json
from pathlib import Path

import pytest

from llamaindex_rag_eval.data.sample import SingleTurnSample
from llamaindex_rag_eval.errors import DatasetError, InputError
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.models import EmbeddedOracle
from llamaindex_rag_eval.runs.evaluate import evaluate
from llamaindex_rag_eval.runs.run import Run
from tests.report.runs import run_of_scores, sample
from tests.runs.evaluations import Length, samples


def test_the_table_has_a_row_a_sample_and_the_csv_is_safe_for_spreadsheets(tmp_path: Path):
    hostile = SingleTurnSample(id="h", query="=HYPERLINK(1)", response="+1", contexts=("-x",))
    run = evaluate([hostile], metrics=[Length()])
    frame = run.to_pandas()
    assert frame.loc[0, "length"] == 2.0
    assert frame.loc[0, "length status"] == "scored"
    text = run.to_csv(tmp_path / "scores.csv").read_text()
    assert "'=HYPERLINK(1)" in text
    assert "'+1" in text


def test_a_run_survives_its_file(tmp_path: Path):
    run = evaluate(samples(), metrics=[Faithfulness()], judge=EmbeddedOracle(), name="mine")
    back = Run.read(run.to_jsonl(tmp_path / "r.jsonl"))
    assert back.name == "mine"
    assert back.samples == run.samples
    assert back.values("faithfulness") == run.values("faithfulness")
    assert back.results[0].evidence == run.results[0].evidence
    assert json.loads((tmp_path / "r.jsonl").read_text().splitlines()[0])["run"]["dataset"]


def test_a_run_refuses_two_samples_with_one_id() -> None:
    with pytest.raises(InputError, match="1 ids stand twice in the run, the first is 'q0'"):
        run_of_scores("r", {"m": [1.0, 0.5]}, samples=[sample("q0"), sample("q0")])


def test_a_file_that_is_nested_too_deeply_is_an_error_with_its_line(tmp_path: Path) -> None:
    path = run_of_scores("r", {"m": [1.0]}).to_jsonl(tmp_path / "run.jsonl")
    deep = '{"sample": {"id": "x", "metadata": ' + '{"a": ' * 200_000 + "1" + "}" * 200_002
    path.write_text(path.read_text() + deep, encoding="utf-8")
    with pytest.raises(DatasetError, match="line 4"):
        Run.read(path)
