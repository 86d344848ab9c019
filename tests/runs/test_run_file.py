"""The file of a run: what it holds is found at once, and what is broken is named."""

import json
import os
from pathlib import Path

import pytest

from llamaindex_rag_eval.errors import DatasetError
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.run_file import StoredSamples
from tests.report.runs import run_of_scores


def written(path: Path) -> Path:
    return run_of_scores("r", {"m": [1.0, 0.5], "n": [0.0, 0.25]}).to_jsonl(path / "run.jsonl")


def changed(path: Path, number: int, line: str) -> Path:
    lines = path.read_text().splitlines()
    lines[number] = line
    path.write_text("\n".join(lines) + "\n")
    return path


def test_samples_and_results_are_those_that_were_written(tmp_path: Path):
    given = run_of_scores("r", {"m": [1.0, 0.5], "n": [0.0, 0.25]})
    found = Run.read(given.to_jsonl(tmp_path / "run.jsonl"))
    assert isinstance(found.samples, StoredSamples)
    assert found.samples == given.samples
    assert found.samples[1] == given.samples[1]
    assert found.samples[:1] == given.samples[:1]
    assert found.results == given.results
    assert found.summary() == given.summary()
    assert found == given


def test_a_run_is_read_to_its_end_after_its_file_was_replaced(tmp_path: Path):
    path = written(tmp_path)
    found = Run.read(path)
    (tmp_path / "other").write_text("{}\n")
    os.replace(tmp_path / "other", path)
    assert found.results[1].score == 0.0
    assert Run.from_bytes(b"".join(f"{line}\n".encode() for line in found.lines())) == found


@pytest.mark.parametrize(
    ("number", "line", "expected"),
    [
        (1, "no JSON", "line 2: expected one JSON object"),
        (1, '{"sample": {"id": 7}}', "line 2: not a line of a run: id is 7"),
        (3, '{"result": {"sample_id": "q0", "metric": "m", "score": "1"}}', "score is '1'"),
        (3, '{"result": {"sample_id": "q0", "metric": "m", "status": "odd"}}', "status is 'odd'"),
        (3, '{"other": 1}', "line 4: not a line of a run"),
        (0, '{"sample": {"id": "q9"}}', "expected a run, as `rag-eval evaluate` writes it"),
    ],
)
def test_a_line_that_is_wrong_is_named(tmp_path: Path, number: int, line: str, expected: str):
    with pytest.raises(DatasetError, match=expected):
        Run.read(changed(written(tmp_path), number, line))


def test_a_sample_that_cannot_be_read_is_named_when_it_is_looked_at(tmp_path: Path):
    path = changed(written(tmp_path), 1, '{"sample": {"id": "q0", "contexts": 7}}')
    with pytest.raises(DatasetError, match="the sample 'q0' is broken"):
        Run.read(path).to_pandas()


def test_a_result_of_a_metric_or_sample_that_the_run_lacks_is_left_out(tmp_path: Path):
    path = written(tmp_path)
    with path.open("a") as file:
        file.write(json.dumps({"result": {"sample_id": "q9", "metric": "m", "score": 1.0}}) + "\n")
    assert len(Run.read(path).rows) == 4


def test_half_a_line_at_the_end_is_skipped_only_where_a_run_goes_on(tmp_path: Path):
    path = written(tmp_path)
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(DatasetError, match="line 7: expected one JSON object"):
        Run.read(path)
    assert len(Run.read(path, tolerant=True).rows) == 3
