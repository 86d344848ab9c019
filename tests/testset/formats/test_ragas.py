"""Ragas files have the fields of its samples."""

import ast
import csv
import json

import jsonschema

from tests.testset.formats.golden import CORPUS, GOLDEN, HOUR, WEIGHT
from testset.formats.exchange import export_golden, import_golden


def test_ragas_rows_have_the_fields_of_its_samples(tmp_path):
    (path,) = export_golden(GOLDEN, tmp_path / "r.jsonl", to="ragas")
    rows = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    text, none = {"type": "string"}, {"type": "null"}
    schema = {
        "type": "object",
        "additionalProperties": False,
        "required": ["user_input", "reference", "reference_contexts"],
        "properties": {
            "user_input": text,
            "reference": text,
            "reference_contexts": {"type": "array", "items": text},
            "persona_name": {"anyOf": [text, none]},
            "query_style": text,
            "query_length": {"enum": ["short", "medium", "long"]},
            "synthesizer_name": text,
        },
    }
    for row in rows:
        jsonschema.validate(row, schema)
    assert rows[1]["user_input"].startswith("user: A VT?\nassistant: Yes\nAnd its weight")


def test_ragas_csv_holds_lists_as_python_writes_them(tmp_path):
    (path,) = export_golden(GOLDEN, tmp_path / "r.csv", to="ragas")
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert ast.literal_eval(rows[1]["reference_contexts"]) == [
        f"[Pumps]\n{WEIGHT.quote}",
        HOUR.quote,
    ]
    back = import_golden(path, source="ragas", corpus=CORPUS).golden.items
    assert back[1].gold == ((WEIGHT,), (HOUR,))
    assert [item.type for item in back] == [item.type for item in GOLDEN]


def test_a_table_that_pandas_wrote_of_ragas_own_test_set_is_read(tmp_path):
    import pandas as pd

    path = tmp_path / "testset.csv"
    rows = {
        "user_input": ["How heavy is it, and when is it wound?"],
        "reference_contexts": [[WEIGHT.quote, HOUR.quote]],
        "reference": ["Both"],
        "synthesizer_name": ["multi_hop_specific_query_synthesizer"],
    }
    pd.DataFrame(rows).to_csv(path, index=False)
    (item,) = import_golden(path, source="ragas", corpus=CORPUS).golden
    assert (item.gold, item.type) == (((WEIGHT,), (HOUR,)), "multi_hop")
