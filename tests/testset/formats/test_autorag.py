"""AutoRAG folders hold questions and chunks."""

import sys

import pytest

from llamaindex_rag_eval.errors import InputError
from tests.testset.formats.golden import CORPUS, GOLDEN
from testset.formats.exchange import export_golden, import_golden


def test_parquet_files_keep_what_is_needed_and_what_will_do(tmp_path):
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    qa, corpus = export_golden(GOLDEN, tmp_path / "autorag", to="autorag", corpus=CORPUS)
    questions, passages = pandas.read_parquet(qa), pandas.read_parquet(corpus)
    assert questions["qid"].tolist() == ["a1", "b2"]  # the one without evidence stays out
    wanted = [[list(group) for group in row] for row in questions["retrieval_gt"]]
    pump, vent = passages["doc_id"]
    assert wanted == [[[pump]], [[pump], [vent]]]
    assert set(passages.columns) >= {"doc_id", "contents", "metadata", "path", "start_end_idx"}
    assert "last_modified_datetime" in passages["metadata"][0]
    back = import_golden(tmp_path / "autorag", source="autorag", corpus=CORPUS)
    assert [item.reference for item in back.golden] == ["Twelve", "40 kg, at 9"]
    assert back.golden.verify(CORPUS.texts) == ()


def test_without_pyarrow_parquet_says_what_to_install(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(InputError, match=r"llamaindex-rag-eval\[parquet\]"):
        export_golden(GOLDEN, tmp_path, to="autorag", corpus=CORPUS)
