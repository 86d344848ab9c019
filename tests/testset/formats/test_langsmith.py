"""LangSmith examples have stable ids."""

import json

from tests.testset.formats.golden import GOLDEN, HOUR, WEIGHT
from testset.formats.exchange import export_golden


def test_langsmith_examples_are_the_same_when_exported_twice(tmp_path):
    (first,) = export_golden(GOLDEN, tmp_path / "1.jsonl", to="langsmith")
    (again,) = export_golden(GOLDEN, tmp_path / "2.jsonl", to="langsmith")
    assert first.read_bytes() == again.read_bytes()
    row = json.loads(first.read_text("utf-8").splitlines()[1])
    assert set(row) == {"id", "inputs", "outputs", "metadata", "split"}
    assert row["outputs"] == {
        "answer": "40 kg, at 9",
        "contexts": [f"[Pumps]\n{WEIGHT.quote}", HOUR.quote],
    }
    assert row["split"] == "test"
