"""Tables bring back every item, by CSV and by pandas."""

import json

import pytest

from llamaindex_rag_eval.errors import DatasetError
from tests.testset.formats.golden import GOLDEN, ITEMS
from testset.formats.exchange import export_golden
from testset.formats.table import from_pandas, to_pandas


def test_pandas_reads_the_csv_and_frames_come_back(tmp_path):
    import pandas as pd

    (path,) = export_golden(GOLDEN, tmp_path / "g.csv", to="csv")
    frame = pd.read_csv(path, keep_default_na=False)
    assert frame["question"].tolist() == [item.question for item in ITEMS]
    assert json.loads(frame["gold"][0])[0][0]["quote"] == "twelve zones"
    assert from_pandas(frame).items == ITEMS
    assert from_pandas(to_pandas(GOLDEN)).items == ITEMS
    with pytest.raises(DatasetError, match="question"):
        from_pandas(frame.drop(columns="question"))
