"""Phoenix: a real server, and the client that users have."""

import json
import time
import uuid
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import httpx
import pytest

from llamaindex_rag_eval.errors import InputError, OutputError
from llamaindex_rag_eval.integrations.phoenix import Phoenix, evaluators
from llamaindex_rag_eval.metrics.faithfulness import Faithfulness
from llamaindex_rag_eval.models import EmbeddedOracle
from llamaindex_rag_eval.traces.read import read_traces
from tests.cli.command_line import rag_eval
from tests.integrations.published import QUESTIONS, answered_run
from tests.integrations.servers import phoenix_server

pytestmark = pytest.mark.filterwarnings("ignore")  # those of Phoenix and what it imports


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with phoenix_server() as running:
        yield running


@pytest.fixture
def client(url: str) -> Any:
    from phoenix.client import Client

    return Client(base_url=url)


def test_a_run_is_an_experiment_with_scores_reasons_and_evidence(url: str, client: Any) -> None:
    run = answered_run()
    published = Phoenix(url).log_run(run, dataset="hall", link="https://host/r.html")
    found = client.experiments.get_experiment(experiment_id=published.data["experiment_id"])
    assert len(found["task_runs"]) == 3
    # Two metrics on each of three questions.
    assert len(found["evaluation_runs"]) == 6
    scored = [e for e in found["evaluation_runs"] if e.name == "faithfulness" and e.result]
    values = {e.result["score"] for e in scored if e.result.get("score") is not None}
    assert values == set(run.values("faithfulness").values())
    said = {e.result["explanation"] for e in scored}
    assert any(one.endswith("Evidence: https://host/r.html#question=shelf") for one in said)
    assert found["experiment_metadata"]["faithfulness"].startswith(f"{run.summary()[0].mean:.3f} (")


def holds(client: Any, spans: list[str]) -> bool:
    """Return whether all of these spans can be read."""
    try:
        there = client.spans.get_spans(project_identifier="app", limit=1000)
    except httpx.HTTPStatusError:  # there is no such project yet
        return False
    return {*spans} <= {span["context"]["span_id"] for span in there}


def test_spans_that_answers_were_read_from_are_annotated_once(url: str, client: Any) -> None:
    spans = [uuid.uuid4().hex[:16] for _ in range(3)]
    now = datetime.now(timezone.utc).isoformat()
    client.spans.log_spans(
        project_identifier="app",
        spans=[
            {
                "name": "ask",
                "context": {"trace_id": uuid.uuid4().hex, "span_id": span},
                "span_kind": "CHAIN",
                "start_time": now,
                "end_time": now,
                "status_code": "OK",
                "attributes": {},
            }
            for span in spans
        ],
    )
    while not holds(client, spans):  # Phoenix takes them in later
        time.sleep(0.05)
    read = answered_run()
    samples = [
        sample.model_copy(update={"metadata": {"span_id": span}})
        for sample, span in zip(read.samples, spans, strict=True)
    ]
    run = type(read)(samples, read.results, read.provenance, "traced")
    for _ in range(2):
        published = Phoenix(url).log_run(run, link="https://host/r.html")
    assert published.data["annotations"] == 6
    found = client.spans.get_span_annotations(span_ids=spans, project_identifier="app")
    assert len(found) == 6
    first = next(a for a in found if (a["span_id"], a["name"]) == (spans[0], "faithfulness"))
    assert first["result"]["score"] == run.values("faithfulness")["shelf"]
    reason = "1 of 1 claims supported (mean probability 0.91)."
    assert first["result"]["explanation"].startswith(reason)
    assert first["metadata"]["evidence"] == "https://host/r.html#question=shelf"
    assert first["annotator_kind"] == "CODE"


def test_spans_since_a_time_are_read_as_traces(url: str, client: Any) -> None:
    now = datetime.now(timezone.utc)
    client.spans.log_spans(
        project_identifier="live",
        spans=[
            {
                "name": "ask",
                "context": {"trace_id": uuid.uuid4().hex, "span_id": uuid.uuid4().hex[:16]},
                "span_kind": "CHAIN",
                "start_time": (now - timedelta(hours=hours)).isoformat(),
                "end_time": (now - timedelta(hours=hours)).isoformat(),
                "status_code": "OK",
                "attributes": {
                    "input.value": f"Who came {hours} hours ago?",
                    "output.value": "Ada.",
                },
            }
            for hours in (1, 30)
        ],
    )
    tool = Phoenix(url, "live")
    spans: Sequence[Any] = ()
    while not spans:  # Phoenix stores spans, and makes their project, a moment after it took them
        with suppress(OutputError):
            spans = tool.read_spans(now - timedelta(days=1))
        time.sleep(0.1)
    assert [sample.asked for sample in read_traces(spans).samples] == ["Who came 1 hours ago?"]


def test_metrics_are_evaluators_of_its_experiments(url: str, client: Any) -> None:
    Phoenix(url).log_dataset(QUESTIONS[:1], "asked")
    dataset = client.datasets.get_dataset(dataset="asked")
    contexts = ["The Atlas stands on the left shelf."]

    def ask(example: object) -> dict[str, object]:
        return {"answer": "It stands on the left shelf.", "contexts": contexts}

    done = client.experiments.run_experiment(
        dataset=dataset,
        task=ask,
        evaluators=evaluators([Faithfulness(threshold=0.5), "context_recall"], EmbeddedOracle()),
        print_summary=False,
    )
    results = {one.name: one.result for one in done["evaluation_runs"]}
    assert results["faithfulness"]["label"] == "pass"
    assert results["context_recall"]["score"] > 0.5
    lacking = evaluators(["ndcg@10"])["ndcg@10"](
        input={"question": "q"}, output="a", expected={}, metadata={}
    )
    assert (lacking.get("score"), lacking["label"]) == (None, "failed")


def test_a_dataset_comes_back_whole(url: str) -> None:
    server = Phoenix(url)
    for _ in range(2):
        server.log_dataset(QUESTIONS, "whole")
    assert list(server.read_dataset("whole")) == list(QUESTIONS)


def test_what_is_not_there_is_one_line(url: str) -> None:
    with pytest.raises(InputError, match="nowhere"):
        Phoenix(url).read_dataset("nowhere")


def test_the_command_publishes_a_golden_set(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PHOENIX_ENDPOINT", url)
    run = answered_run().to_jsonl(tmp_path / "scores.jsonl")
    done = rag_eval("more", "publish", run, "--to", "phoenix", "--dataset", "commanded", "--json")
    assert done.exit_code == 0, done.output
    assert json.loads(done.stdout)["answers"] == 3
    out = tmp_path / "back.jsonl"
    done = rag_eval("more", "fetch", "commanded", "--from", "phoenix", "-o", out)
    assert "3 questions in" in done.stdout, done.output
