"""LangSmith, against a contract on loopback that we wrote after its documentation."""

import inspect
from collections.abc import Iterator

import pytest

from llamaindex_rag_eval.errors import InputError, OutputError
from llamaindex_rag_eval.integrations.langsmith import LangSmith, evaluators
from llamaindex_rag_eval.models import EmbeddedOracle
from tests.integrations.contracts import LangSmithApi, serving
from tests.integrations.published import QUESTIONS, answered_run


@pytest.fixture
def api(monkeypatch: pytest.MonkeyPatch) -> Iterator[LangSmithApi]:
    made = LangSmithApi()
    with serving(made) as url:
        monkeypatch.setenv("LANGSMITH_ENDPOINT", f"{url}/api")  # as self-hosted installations say
        monkeypatch.setenv("LANGSMITH_API_KEY", "ls-test")
        yield made


def test_evaluators_have_the_form_that_evaluate_takes() -> None:
    faithfulness, ndcg = evaluators(["faithfulness", "ndcg@10"], EmbeddedOracle())
    # Source: "How to define a code evaluator": arguments by name, and a mapping back.
    assert list(inspect.signature(faithfulness).parameters) == [
        *("inputs", "outputs", "reference_outputs"),
    ]
    assert (faithfulness.__name__, ndcg.__name__) == ("faithfulness", "ndcg")
    outputs = {"answer": "It stands on the shelf.", "contexts": ["It stands on the shelf."]}
    found = faithfulness(inputs={"question": "Where?"}, outputs=outputs, reference_outputs={})
    assert found["key"] == "faithfulness"
    assert 0.5 < found["score"] <= 1
    lacking = ndcg(inputs={"question": "Where?"}, outputs=outputs, reference_outputs={})
    assert (lacking["key"], lacking["score"]) == ("ndcg@10", None)
    assert lacking["comment"].startswith("failed: MissingFieldError")


def test_a_run_is_an_experiment_with_scores_reasons_and_means(api: LangSmithApi) -> None:
    run = answered_run()
    published = LangSmith().log_run(run, dataset="hall", link="https://host/r.html")
    assert published.data == {"experiment": "atlas", "dataset": "hall", "answers": 3}
    (body,) = api.uploaded
    shelf = body["results"][0]
    assert shelf["actual_outputs"]["answer"] == "It stands on the left shelf."
    faithfulness = shelf["evaluation_scores"][0]
    assert faithfulness["score"] == run.values("faithfulness")["shelf"]
    assert (faithfulness["value"], bool(faithfulness["comment"])) == ("pass", True)
    assert shelf["run_metadata"]["evidence"] == "https://host/r.html#question=shelf"
    mean = body["summary_experiment_scores"][0]
    assert (mean["key"], mean["score"]) == ("faithfulness", run.summary()[0].mean)
    assert mean["comment"].startswith("95% interval ")
    assert body["results"][2]["error"] == "EngineError: timed out"


def test_a_dataset_comes_back_whole_and_grows(api: LangSmithApi) -> None:
    langsmith = LangSmith()
    langsmith.log_dataset(QUESTIONS[:2], "hall")
    assert langsmith.log_dataset(QUESTIONS, "hall").data["questions"] == 1
    assert list(langsmith.read_dataset("hall")) == list(QUESTIONS)
    assert {example["split"] for example in api.examples.values()} == {"dev", "base"}


def test_what_is_not_there_is_named(api: LangSmithApi) -> None:
    with pytest.raises(InputError, match="LangSmith has no dataset 'nowhere'"):
        LangSmith().read_dataset("nowhere")


def test_a_server_that_is_away_is_named() -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LANGSMITH_API_KEY", "ls-test")
        away = LangSmith("http://127.0.0.1:9")
        with pytest.raises(
            OutputError, match=r"does not answer at http://127.0.0.1:9.*running"
        ) as e:
            away.read_dataset("hall")
    assert "ls-test" not in str(e.value)
