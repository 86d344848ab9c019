"""Sources: each row is in one block, and its block is the same each time."""

import json
from pathlib import Path

import pandas as pd
import pytest

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.data.file_system import system_at
from llamaindex_rag_eval.errors import DatasetError
from llamaindex_rag_eval.runs.on_ray.source import (
    Block,
    blocks_of,
    files_at,
    pieces_of,
    samples_in,
)

TEXTS = [f'question {number}: «{"ü" * (number % 7)}»\nline two, "quoted"' for number in range(57)]


def read(where: Path | str, *, rows: int = 10, piece_bytes: int = 300) -> list[Block]:
    system = system_at(where)[0]
    pieces = pieces_of(system, files_at(str(where)), piece_bytes)
    return [block for piece in pieces for block in blocks_of(system, piece, rows)]


def queries(blocks: list[Block]) -> list[str]:
    return [sample.query for block in blocks for sample in samples_in(block)]


@pytest.fixture(params=["jsonl", "csv", "parquet"])
def file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / f"a.{request.param}"
    dataset = EvaluationDataset.from_rows({"query": text} for text in TEXTS)
    if request.param == "parquet":
        pd.DataFrame({"query": TEXTS}).to_parquet(path, row_group_size=25)
        return path
    return dataset.write(path)


@pytest.mark.parametrize("piece_bytes", [1, 100, 301, 10**6])
def test_each_row_is_in_one_block(file, piece_bytes):
    blocks = read(file, piece_bytes=piece_bytes)
    assert queries(blocks) == TEXTS
    assert blocks == read(file, piece_bytes=piece_bytes)
    assert max(len(samples_in(block)) for block in blocks) <= 10


def test_a_folder_is_read_in_the_order_of_its_files(tmp_path):
    for name, query in (("b.jsonl", "2"), ("a.csv", "1"), ("_plan.jsonl", "3"), ("c.txt", "4")):
        text = json.dumps({"query": query}) if name.endswith("jsonl") else f"query\n{query}"
        (tmp_path / name).write_text(text + "\n")
    assert queries(read(tmp_path)) == ["1", "2"]
    assert queries(read(f"file://{tmp_path}")) == ["1", "2"]


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
        read(tmp_path / name)


def test_a_missing_file_and_an_unknown_place_are_errors(tmp_path):
    with pytest.raises(DatasetError, match="there is no such file"):
        files_at(str(tmp_path / "no.jsonl"))
    with pytest.raises(DatasetError, match="no file system can be reached"):
        files_at("nowhere://bucket/a.jsonl")


def test_a_bad_row_is_the_error_of_its_row(tmp_path):
    (tmp_path / "a.jsonl").write_text('{"query": "?"}\n{broken\n{"id": "x"}\n')
    good, broken, empty = samples_in(read(tmp_path / "a.jsonl", piece_bytes=10**6)[0])
    assert good.query == "?"
    assert "expected one JSON object" in str(broken)
    assert "expected 'query'" in str(empty)
