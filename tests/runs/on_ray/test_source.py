"""Sources: the rows of files, in the same order each time."""

import json
from pathlib import Path

import pandas as pd
import pytest

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.errors import DatasetError
from llamaindex_rag_eval.runs.on_ray.source import samples_at

TEXTS = [f'question {number}: «{"ü" * (number % 7)}»\nline two, "quoted"' for number in range(57)]


def queries(where: Path | str) -> list[str]:
    return [sample.query for sample, error in samples_at(str(where)) if error is None]


@pytest.mark.parametrize("kind", ["jsonl", "csv", "parquet"])
def test_the_rows_are_those_of_the_data_set(tmp_path, kind):
    path = tmp_path / f"a.{kind}"
    if kind == "parquet":
        pd.DataFrame({"query": TEXTS}).to_parquet(path, row_group_size=25)
    else:
        EvaluationDataset.from_rows({"query": text} for text in TEXTS).write(path)
    assert [sample for sample, _ in samples_at(str(path))] == list(EvaluationDataset.read(path))
    assert queries(path) == TEXTS


def test_a_folder_is_read_in_the_order_of_its_files(tmp_path):
    for name, query in (("b.jsonl", "2"), ("a.csv", "1"), ("_plan.jsonl", "3"), ("c.txt", "4")):
        text = json.dumps({"query": query}) if name.endswith("jsonl") else f"query\n{query}"
        (tmp_path / name).write_text(text + "\n")
    assert queries(tmp_path) == ["1", "2"]
    assert queries(f"file://{tmp_path}") == ["1", "2"]


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("a.txt", "x", r"expected '\.parquet', '\.jsonl' or '\.csv' files"),
        ("a.parquet", "no Parquet", "cannot be read"),
        ("a.csv", "", "expected a header line"),
    ],
)
def test_a_file_that_is_none_is_an_error(tmp_path, name, text, message):
    (tmp_path / name).write_text(text)
    with pytest.raises(DatasetError, match=message):
        queries(tmp_path / name)


def test_a_missing_file_and_an_unknown_system_are_errors(tmp_path):
    with pytest.raises(DatasetError, match="there is no such file"):
        queries(tmp_path / "no.jsonl")
    with pytest.raises(DatasetError, match="no file system can be reached"):
        queries("nowhere://bucket/a.jsonl")


def test_a_bad_row_is_the_error_of_its_row(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"query": "?"}\n{broken\n{"id": "x"}\n')
    (good, none), (_, broken), (_, empty) = samples_at(str(tmp_path / "a.jsonl"))
    assert (good.query, none) == ("?", None)
    assert "expected one JSON object" in str(broken)
    assert "expected 'query'" in str(empty)
