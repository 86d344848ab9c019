"""A Hugging Face dataset: Parquet by split, a card whose head says where it is, nothing lost."""

import json

import pytest
import yaml

from llamaindex_rag_eval.data.parquet import parquet_records
from tests.testset.formats.golden import GOLDEN, ITEMS, WEIGHT
from testset import export_golden
from testset.formats.format import metadata_of

pytest.importorskip("pyarrow")


def test_rows_by_split_and_a_card_that_names_the_files(tmp_path):
    items = (ITEMS[0].model_copy(update={"split": "dev"}), *ITEMS[1:])
    golden = type(GOLDEN)(items, size=3, facts={"hostile": "<script>"})
    files = export_golden(golden, tmp_path, to="huggingface")
    names = [path.relative_to(tmp_path).as_posix() for path in files]
    assert names == ["data/dev.parquet", "data/test.parquet", "README.md"]
    (first,) = parquet_records(files[0])
    second, third = parquet_records(files[1])
    assert (first["question"], list(first["documents"])) == ("How many zones?", ["pump parts.md"])
    assert second["contexts"][0] == f"[Pumps]\n{WEIGHT.quote}"
    assert json.loads(str(second["metadata"])) == metadata_of(ITEMS[1])
    assert list(third["contexts"]) == []
    _, head, card = files[2].read_text("utf-8").split("---\n", 2)
    config = yaml.safe_load(head)["configs"][0]
    assert [row["path"] for row in config["data_files"]] == names[:2]
    assert card.strip().startswith("# ")
    assert "<script>" not in card
