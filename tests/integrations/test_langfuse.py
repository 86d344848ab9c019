"""Langfuse, against a contract on loopback that we wrote after the reference of its API."""

from collections.abc import Iterator
from datetime import datetime, timezone

import pytest

from llamaindex_rag_eval.errors import InputError, OutputError
from llamaindex_rag_eval.integrations.langfuse import Langfuse
from llamaindex_rag_eval.traces.read import read_traces
from tests.integrations.contracts import LangfuseApi, serving
from tests.integrations.published import QUESTIONS, answered_run
from tests.traces.recorded import ANSWER, LANGFUSE, QUESTION


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[LangfuseApi]:
    made = LangfuseApi()
    with serving(made) as url:
        monkeypatch.setenv("LANGFUSE_HOST", url)
        monkeypatch.setenv("LANGFUSE_PUBLIC_KEY", "pk-test")
        monkeypatch.setenv("LANGFUSE_SECRET_KEY", "sk-test")
        yield made


def test_scores_go_onto_their_traces_with_reason_and_evidence(api: LangfuseApi) -> None:
    run = answered_run(trace_id="trace-", observation_id="span-")
    published = Langfuse().log_run(run, link="https://host/report.html")
    # Two metrics on two answers; the third question was not answered.
    assert published.data == {"scores": 4, "traces": 2}
    by_name = {s["name"]: s for s in api.scores.values() if s["traceId"] == "trace-0"}
    first = by_name["faithfulness"]
    assert first["observationId"] == "span-0"
    assert first["value"] == run.values("faithfulness")["shelf"]
    assert first["comment"].startswith("pass: ")
    assert first["metadata"]["evidence"] == "https://host/report.html#question=shelf"


def test_scores_that_are_sent_again_replace_the_first(api: LangfuseApi) -> None:
    run = answered_run(trace_id="trace-")
    for _ in range(2):
        Langfuse().log_run(run)
    assert len(api.scores) == 4
    assert len({score["timestamp"] for score in api.scores.values()}) == 1


def test_a_run_without_traces_is_refused(api: LangfuseApi) -> None:
    with pytest.raises(InputError, match="no scored sample of this run has a 'trace_id'"):
        Langfuse().log_run(answered_run())
    assert api.calls == []


def test_a_dataset_comes_back_whole_over_several_pages(api: LangfuseApi) -> None:
    for _ in range(2):
        Langfuse().log_dataset(QUESTIONS, "hall")
    back = {sample.id: sample for sample in Langfuse().read_dataset("hall")}  # in any order
    assert back == {sample.id: sample for sample in QUESTIONS}


def test_a_busy_server_is_asked_again(api: LangfuseApi) -> None:
    api.busy = 1
    langfuse = Langfuse()
    waited: list[float] = []
    langfuse._api._wait = waited.append
    langfuse.log_dataset(QUESTIONS[:1], "hall")
    assert waited == [1]


def test_a_wrong_key_is_one_line_without_the_key(
    api: LangfuseApi, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANGFUSE_SECRET_KEY", "sk-wrong")
    with pytest.raises(
        OutputError, match=r"refused POST .* with 401.*LANGFUSE_SECRET_KEY"
    ) as caught:
        Langfuse().log_dataset(QUESTIONS, "hall")
    assert "sk-wrong" not in str(caught.value)


def test_a_missing_key_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LANGFUSE_PUBLIC_KEY", raising=False)
    with pytest.raises(InputError, match="set the environment variable LANGFUSE_PUBLIC_KEY"):
        Langfuse()


def test_traces_since_a_time_come_with_their_observations(api: LangfuseApi) -> None:
    steps = LANGFUSE["observations"]
    listed = {**LANGFUSE, "observations": [step["id"] for step in steps]}  # as the list gives it
    earlier = {**listed, "id": "lf-0", "timestamp": "2023-11-13T00:00:00.000Z"}
    api.traces, api.observations = [earlier, listed], [*steps]

    spans = Langfuse().read_spans(datetime(2023, 11, 14, tzinfo=timezone.utc))

    [sample] = read_traces(spans).samples
    assert (sample.id, sample.query, sample.response) == ("lf-1", QUESTION, ANSWER)
    assert sample.contexts == (ANSWER,)
