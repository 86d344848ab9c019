"""DeepEval: goldens from files, written anew, answered, and scored."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from deepeval import evaluate
from deepeval.dataset import EvaluationDataset, Golden
from deepeval.metrics import ExactMatchMetric, PatternMatchMetric
from deepeval.test_case import LLMTestCase

dataset = EvaluationDataset(goldens=[Golden(input="Who?", expected_output="Ida", source_file="a")])
with TemporaryDirectory() as folder:
    Path(folder, "a.csv").write_text("query,right,texts\nWhere?,Bergen,one;two\n")
    Path(folder, "a.json").write_text(json.dumps([{"query": "When?", "expected_output": "At 9"}]))
    dataset.add_goldens_from_csv_file(
        file_path=f"{folder}/a.csv",
        input_col_name="query",
        expected_output_col_name="right",
        context_col_name="texts",
        context_col_delimiter=";",
    )
    dataset.add_goldens_from_json_file(file_path=f"{folder}/a.json", input_key_name="query")
    dataset.save_as(file_type="json", directory=folder, file_name="all")
    assert [row["input"] for row in json.loads(Path(folder, "all.json").read_text())] == [
        "Who?",
        "Where?",
        "When?",
    ]
assert dataset.goldens[1].context == ["one", "two"]
for golden in dataset.goldens:
    dataset.add_test_case(
        LLMTestCase(
            input=golden.input,
            actual_output=golden.expected_output,
            expected_output=golden.expected_output,
            additional_metadata={"from": golden.source_file},
        )
    )
metrics = [ExactMatchMetric(), PatternMatchMetric(pattern=r"(ida|bergen)", ignore_case=True)]
results = evaluate(dataset, metrics=metrics, ignore_errors=True, print_results=False).test_results
assert [row.success for row in results] == [True, True, False]
