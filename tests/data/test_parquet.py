"""Parquet files of samples: nested columns or JSON, nulls as fields that were not given."""

import sys
from pathlib import Path

import pandas as pd
import pytest

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.errors import DatasetError, InputError

ROWS: list[dict[str, object]] = [
    {"id": "1", "query": "?", "contexts": ["a", "b"], "metadata": {"session_id": "s"}},
    {"id": "2", "messages": [{"role": "user", "content": "Hi"}]},
]


def test_nested_columns_are_read(tmp_path: Path) -> None:
    pd.DataFrame(ROWS).to_parquet(tmp_path / "a.parquet")
    assert EvaluationDataset.read(tmp_path / "a.parquet") == EvaluationDataset.from_rows(ROWS)


def test_json_in_a_column_of_texts_is_read(tmp_path: Path) -> None:
    pd.DataFrame([{"query": "?", "contexts": '["a", "b"]'}]).to_parquet(tmp_path / "a.parquet")
    assert EvaluationDataset.read(tmp_path / "a.parquet")[0].texts == ("a", "b")


def test_what_is_no_parquet_or_no_sample_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_text("no Parquet")
    with pytest.raises(DatasetError, match="cannot be read"):
        EvaluationDataset.read(tmp_path / "a.parquet")
    pd.DataFrame([{"query": "?"}, {"x": 1}]).to_parquet(tmp_path / "b.parquet")
    with pytest.raises(DatasetError, match=r"b\.parquet', line 2: expected 'query'"):
        EvaluationDataset.read(tmp_path / "b.parquet")


def test_without_pyarrow_it_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(InputError, match=r"pip install 'llamaindex-rag-eval\[parquet\]'"):
        EvaluationDataset.read(tmp_path / "a.parquet")
