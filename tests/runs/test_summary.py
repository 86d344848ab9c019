"""The summary of a run, as a value, as JSON, and as a table for notebooks."""

import json
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.table import Table

from llamaindex_rag_eval import compare
from llamaindex_rag_eval.metrics.result import Result, Score
from llamaindex_rag_eval.report.html import html_report
from llamaindex_rag_eval.report.tables import comparison_table, run_table
from llamaindex_rag_eval.runs.provenance import MetricInfo, Provenance
from llamaindex_rag_eval.runs.run import Run
from llamaindex_rag_eval.runs.summary import MetricSummary
from tests.report.runs import run_of_scores, sample


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
        "effective_n": 2,
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


VERDICTS = ("right", "wrong", "not_attempted")


def run_of_verdicts(*verdicts: str) -> Run:
    """Return a run of one metric, right being 1; "" is undefined."""
    samples = [sample(f"q{number}") for number in range(len(verdicts))]
    pairs = zip(samples, verdicts, strict=True)
    scores = [(one, Score(float(v == "right") if v else None, verdict=v)) for one, v in pairs]
    info = MetricInfo(spec="v", verdicts=VERDICTS)
    return Run(
        samples=tuple(samples),
        results=tuple(Result.from_score("v", one, score) for one, score in scores),
        provenance=Provenance(metrics=(info,)),
    )


def test_the_shares_of_verdicts_are_over_the_scored_samples(tmp_path: Path) -> None:
    run = run_of_verdicts("right", "", "not_attempted", "right", "right")
    shares = {"right": 3 / 4, "wrong": 0, "not_attempted": 1 / 4}
    assert run.summary()[0].shares == shares
    assert run.summary()[0].as_json()["shares"] == shares
    assert MetricSummary.from_json(run.summary()[0].as_json()).shares == shares
    again = Run.read(run.to_jsonl(tmp_path / "run.jsonl"))
    assert again.summary()[0].shares == shares


def test_a_table_of_the_samples_has_a_column_of_verdicts() -> None:
    frame = run_of_verdicts("right", "wrong").to_pandas()
    assert list(frame["v verdict"]) == ["right", "wrong"]


def test_a_comparison_shows_the_shares_of_the_questions_that_both_have() -> None:
    a, b = run_of_verdicts("right", "", "wrong"), run_of_verdicts("wrong", "right", "wrong")
    comparison = compare(a.named("a"), b.named("[b]"))
    shares = {
        "a": {"right": 1 / 2, "wrong": 1 / 2, "not_attempted": 0},
        "[b]": {"right": 0, "wrong": 1, "not_attempted": 0},
    }
    assert comparison.shares("v") == shares
    assert comparison.as_json()["metrics"][0]["shares"] == shares  # type: ignore[index, call-overload]
    shown = "v, [b]: 0% right, 100% wrong, 0% not attempted"
    assert shown in printed(comparison_table(comparison))
    assert "0% right, 100% wrong, 0% not attempted" in html_report(comparison)
    assert "50% right, 50% wrong, 0% not attempted" in html_report(a)
    assert "v: 50% right, 50% wrong, 0% not attempted" in printed(run_table(a))


def printed(table: Table) -> str:
    console = Console(width=120, file=StringIO(), record=True)
    console.print(table)
    return console.export_text()
