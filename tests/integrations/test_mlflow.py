"""MLflow: a real tracking server, and the client that users have."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from llamaindex_rag_eval.errors import OutputError
from llamaindex_rag_eval.integrations.mlflow import MLflow, scorers
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.models import EmbeddedOracle
from tests.cli.command_line import rag_eval
from tests.integrations.published import QUESTIONS, answered_run
from tests.integrations.servers import mlflow_server

pytestmark = pytest.mark.filterwarnings("ignore")  # those of MLflow and what it imports


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with pytest.MonkeyPatch.context() as patch, mlflow_server() as running:
        patch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
        patch.setenv("MLFLOW_ENABLE_ASYNC_TRACE_LOGGING", "false")
        patch.setenv("MLFLOW_GENAI_EVAL_MAX_WORKERS", "2")
        yield running


def traces_of(run_id: str) -> list[Any]:
    import mlflow

    where = [mlflow.get_run(run_id).info.experiment_id]
    found: list[Any] = mlflow.search_traces(run_id=run_id, locations=where, return_type="list")
    return found


def test_a_run_has_parameters_means_with_intervals_rows_and_report(url: str) -> None:
    import mlflow

    run = answered_run()
    published = MLflow(url, project="atlas").log_run(run)
    logged = mlflow.get_run(published.data["run_id"])
    assert published.url.startswith(f"{url}/#/experiments/")
    assert (logged.info.run_name, logged.data.params["samples"]) == ("atlas", "3")
    assert logged.data.params["dataset"] == run.provenance.dataset
    faithfulness = run.summary()[0]
    for name in ("mean", "low", "high", "scored", "undefined", "failed"):
        assert logged.data.metrics[f"faithfulness/{name}"] == getattr(faithfulness, name)
    files = mlflow.artifacts.list_artifacts(run_id=logged.info.run_id, artifact_path="rag-eval")
    assert {file.path for file in files} == {
        *("rag-eval/report.html", "rag-eval/rows.json", "rag-eval/run.jsonl"),
    }
    table = mlflow.load_table("rag-eval/rows.json", run_ids=[logged.info.run_id])
    assert list(table["id"]) == ["shelf", "key", "fee"]


def test_each_question_has_its_scores_with_reason_and_evidence(url: str) -> None:
    run = answered_run()
    published = MLflow(url).log_run(run, link="https://host/r.html")
    traces = {t.info.tags["rag_eval.sample"]: t for t in traces_of(published.data["run_id"])}
    assert set(traces) == {"shelf", "key", "fee"}
    given = {one.name: one for one in traces["shelf"].info.assessments}
    assert given["faithfulness"].feedback.value == run.values("faithfulness")["shelf"]
    assert given["faithfulness"].rationale == "1 of 1 claims supported (mean probability 0.91)."
    assert given["faithfulness"].metadata["evidence"] == "https://host/r.html#question=shelf"
    assert given["expected_response"].expectation.value == "On the left shelf."
    failed = next(a for a in traces["fee"].info.assessments if a.name == "faithfulness")
    assert (failed.feedback.value, bool(failed.feedback.error.error_message)) == (None, True)


def test_scores_go_onto_traces_that_answers_were_read_from(url: str) -> None:
    import mlflow

    server = MLflow(url)
    found = traces_of(server.log_run(answered_run()).data["run_id"])
    trace_id = found[0].info.trace_id
    read = answered_run().samples[0].model_copy(update={"metadata": {"trace_id": trace_id}})
    run = answered_run()
    again = type(run)((read, *run.samples[1:]), run.results, run.provenance, "again")
    assert server.log_run(again).data["trace_scores"] == 2
    names = [one.name for one in mlflow.get_trace(trace_id).info.assessments]
    assert names.count("faithfulness") == 2


def test_metrics_are_scorers_of_its_evaluation(url: str) -> None:
    import mlflow

    mlflow.set_tracking_uri(url)
    mlflow.set_experiment("scorers")
    contexts = ["The Atlas stands on the left shelf."]

    def retrieve(question: str) -> list[Any]:
        return [mlflow.entities.Document(page_content=text) for text in contexts]

    def answer(question: str) -> str:
        mlflow.trace(retrieve, span_type="RETRIEVER")(question)
        return "It stands on the left shelf."

    ready = scorers([Faithfulness(threshold=0.5), "context_recall", "ndcg@10"], EmbeddedOracle())
    rows = [
        {
            "inputs": {"question": "Where does the Atlas stand?"},
            "expectations": {"expected_response": "On the left shelf."},
        }
    ]
    done = mlflow.genai.evaluate(data=rows, predict_fn=mlflow.trace(answer), scorers=ready)
    assert done.metrics["faithfulness/mean"] > 0.5
    assert done.metrics["context_recall/mean"] > 0.5
    row = done.result_df.iloc[0]
    assert row["ndcg_at_10/value"] is None
    assert "needs 'contexts and gold" in row["ndcg_at_10/error_message"]


def test_a_dataset_comes_back_whole(url: str) -> None:
    server = MLflow(url)
    for _ in range(2):
        server.log_dataset(QUESTIONS, 'the "hall"')
    back = sorted(server.read_dataset('the "hall"'), key=lambda sample: sample.id)
    assert back == sorted(QUESTIONS, key=lambda sample: sample.id)


def test_what_is_not_there_is_one_line(url: str) -> None:
    with pytest.raises(OutputError, match="'nowhere' not found"):
        MLflow(url).read_dataset("nowhere")


def test_the_command_publishes_and_fetches(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MLFLOW_TRACKING_URI", url)
    run = answered_run().to_jsonl(tmp_path / "scores.jsonl")
    done = rag_eval("more", "publish", run, "--to", "mlflow", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["questions"] == 3
    MLflow(url).log_dataset(QUESTIONS, "asked")
    out = tmp_path / "back.jsonl"
    done = rag_eval("more", "fetch", "asked", "--from", "mlflow", "-o", out)
    assert "3 questions in" in done.stdout, done.output
