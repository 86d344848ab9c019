"""Pipelines: the runs of engines, answers and runs."""

import os
from pathlib import Path

from llamaindex_rag_eval.data.dataset import EvaluationDataset
from llamaindex_rag_eval.decisions.pipelines import score_pipelines
from tests.report.runs import run_of_scores, sample


async def test_answers_are_scored_by_the_metrics_of_the_run_beside_them() -> None:
    run = run_of_scores("r", {"exact_match": [1.0]}, samples=[sample("q0")])
    reports: list[tuple[str, int, int]] = []
    runs = await score_pipelines(
        {"finished": run, "answers": EvaluationDataset([sample("q0")])},
        progress=lambda name, done, total: reports.append((name, done, total)),
    )
    assert [info.spec for info in runs[1].metrics] == ["exact_match"]
    assert runs[0].results == run.results
    assert reports == [("answers", 1, 1)]


async def test_a_run_that_lacks_a_named_metric_is_scored_again(tmp_path: Path) -> None:
    run = run_of_scores("r", {"exact_match": [1.0]}, samples=[sample("q0")])
    runs = await score_pipelines({"a": run, "b": run}, metrics=["token_f1"], out=tmp_path)
    assert [info.spec for info in runs[0].metrics] == ["token_f1"]
    assert sorted(os.listdir(tmp_path)) == ["1-a.jsonl", "2-b.jsonl"]
