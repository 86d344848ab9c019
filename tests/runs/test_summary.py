"""The summary of a run, as a value, as JSON, and as a table for notebooks."""

import json

from llamaindex_rag_eval.runs.provenance import MetricInfo
from llamaindex_rag_eval.runs.summary import MetricSummary
from tests.report.runs import run_of_scores


def test_the_summary_as_json_is_read_back() -> None:
    (summary,) = run_of_scores("r", {"m": [1.0, 0.5, None]}).summary()
    data = json.loads(json.dumps(summary.as_json()))
    # (1 + 1/2) / 2; the interval is that of the summary
    assert data == {
        "metric": "m",
        "direction": "higher",
        "mean": 3 / 4,
        "low": summary.low,
        "high": summary.high,
        "scored": 2,
        "undefined": 1,
        "failed": 0,
        "missing": 0,
    }
    assert MetricSummary.from_json(data) == summary


def test_of_the_metric_only_spec_and_direction_are_in_the_json() -> None:
    metric = MetricInfo(spec="m", bounds=(1.0, 5.0), direction="lower", threshold=2.0)
    summary = MetricSummary(metric, None, None, None, scored=0, undefined=3, failed=0)
    found = MetricSummary.from_json(summary.as_json())
    assert found.metric == MetricInfo(spec="m", direction="lower")
    assert found.cells() == ("m", "–", "–", "0 / 3 / 0")


def test_a_notebook_shows_means_as_a_table_with_texts_escaped() -> None:
    html = run_of_scores("<r>", {"m": [1.0, 0.0]})._repr_html_()
    assert '<caption dir="auto">&lt;r&gt;</caption>' in html
    assert "<td>0.500</td>" in html
