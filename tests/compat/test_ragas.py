"""ragas's documentation, "Evaluate a simple RAG", with other import lines; and the edges."""

import math
from dataclasses import dataclass, field

import pandas as pd
import pytest

from llamaindex_rag_eval.compat import ragas
from llamaindex_rag_eval.compat.ragas import (
    EvaluationDataset,
    FactualCorrectness,
    Faithfulness,
    LlamaIndexLLMWrapper,
    LLMContextRecall,
    RougeScore,
    SingleTurnSample,
    evaluate,
    faithfulness,
)
from llamaindex_rag_eval.errors import InputError, MissingFieldError
from llamaindex_rag_eval.judge import Judge
from llamaindex_rag_eval.metrics.registry import METRICS, metric_class
from llamaindex_rag_eval.models import EmbeddedOracle

ROWS = [
    {
        "user_input": "Where does the Orla go?",
        "retrieved_contexts": ["The ferry Orla goes to Bergen.", "Tickets cost 12 euros."],
        "response": "The ferry Orla goes to Bergen.",
        "reference": "The ferry Orla goes to Bergen.",
    },
    {
        "user_input": "What does a ticket cost?",
        "retrieved_contexts": ["Tickets cost 12 euros."],
        "response": "A dog needs a lead.",
        "reference": "Tickets cost 12 euros.",
    },
]


def test_the_quick_start_runs_as_it_stands() -> None:
    dataset = EvaluationDataset.from_list(ROWS)
    metrics = [LLMContextRecall(), Faithfulness(), FactualCorrectness()]

    result = evaluate(dataset=dataset, metrics=metrics, llm=Judge(EmbeddedOracle()))

    right, wrong = result["faithfulness"]
    assert right > 0.9 > 0.5 > wrong
    assert list(result.scores[0]) == [
        "context_recall",
        "faithfulness",
        "factual_correctness(mode=f1)",
    ]
    assert result["factual_correctness"] == result["factual_correctness(mode=f1)"]
    assert f"'faithfulness': {(right + wrong) / 2:.4f}" in repr(result)


def test_a_frame_has_the_columns_of_ragas() -> None:
    frame = evaluate(EvaluationDataset.from_list(ROWS), [RougeScore()]).to_pandas()

    assert isinstance(frame, pd.DataFrame)
    assert {"user_input", "retrieved_contexts", "response", "reference"} <= set(frame.columns)
    assert frame["rouge_score(mode=fmeasure)"].iloc[0] == 1


def test_a_sample_can_be_scored_by_itself() -> None:
    sample = SingleTurnSample.model_validate(ROWS[0])

    assert Faithfulness().single_turn_score(sample) > 0.9
    assert (RougeScore().score(**ROWS[0]).value or 0) == 1


def test_the_metrics_of_old_versions_are_there_in_small_letters() -> None:
    result = evaluate(EvaluationDataset.from_list(ROWS), [faithfulness])

    assert list(result.scores[0]) == ["faithfulness"]


def test_every_class_that_has_kin_here_can_be_imported() -> None:
    names = [kind.kin["ragas"] for kind in METRICS if kind.kin.get("ragas", " ").isidentifier()]

    assert len(names) > 30
    for name in names:
        found = getattr(ragas, name)
        assert (type(found) if name.islower() else found).__name__ == name
        assert name in dir(ragas)


def test_what_is_undefined_is_nan_and_does_not_lower_the_mean() -> None:
    rows = [ROWS[0], {**ROWS[1], "response": ""}]

    result = evaluate(EvaluationDataset.from_list(rows), [Faithfulness()])

    scored, undefined = result["faithfulness"]
    assert math.isnan(undefined)
    assert repr(result) == f"{{'faithfulness': {scored:.4f}}}"


def test_settings_and_names_are_passed_on() -> None:
    recall = FactualCorrectness(mode="recall")

    assert recall.name == "factual_correctness(mode=recall)"
    assert ragas.AspectCritic(name="kind", definition="Is it kind, or not?").name == "kind"


def talk(made: object, wanted: object) -> ragas.MultiTurnSample:
    messages = [{"type": "ai", "tool_calls": made}]
    row = {"user_input": messages, "reference_tool_calls": wanted}
    return ragas.MultiTurnSample.model_validate(row)


def test_settings_may_be_set_and_read_under_their_names_later() -> None:
    critic = ragas.AspectCritic(name="kind", definition="Is it kind?")
    critic.definition = "Is it rude?"
    assert (critic.definition, critic.name) == ("Is it rude?", "kind")
    accuracy = ragas.ToolCallAccuracy()
    assert accuracy.strict_order is True
    sample = talk(
        [{"name": "go", "args": {"to": "Bergen"}}], [{"name": "go", "args": {"to": "Berlin"}}]
    )
    assert accuracy.multi_turn_score(sample) == 0
    accuracy.arg_comparison_metric = ragas.NonLLMStringSimilarity()
    assert accuracy.multi_turn_score(sample) == 1 - 2 / 6  # two of six letters are others
    with pytest.raises(AttributeError, match="'AspectCritic' has no attribute 'colour'"):
        _ = critic.colour


def test_defaults_are_those_of_ragas() -> None:
    two = {"response": "Hello world", "reference": "hello world"}
    assert ragas.ExactMatch().score(**two).value == 0
    assert metric_class("exact_match")().evaluate(**two).score == 1
    calls = [{"name": "a"}, {"name": "b"}]
    sample = talk(calls, calls[::-1])
    assert ragas.ToolCallAccuracy().multi_turn_score(sample) == 0
    assert ragas.ToolCallAccuracy(strict_order=False).multi_turn_score(sample) == 1


def test_a_single_sample_has_the_number_of_ragas_where_ours_is_undefined() -> None:
    blank = {"response": "Some text", "reference": ""}
    result = ragas.RougeScore().score(**blank)
    assert (result.value, result.reason) == (0, "The reference has too few words.")
    assert ragas.StringPresence().single_turn_score(SingleTurnSample.model_validate(blank)) == 1
    assert math.isnan(evaluate([{**blank, "user_input": "?"}], [RougeScore()])["rouge_score"])
    assert ragas.RougeScore().score(response="a b", reference="a b").reason is None


def test_samples_and_rows_have_the_names_of_ragas() -> None:
    dataset = EvaluationDataset.from_list([{**ROWS[0], "colour": "red"}])
    sample = dataset[0]
    assert sample.user_input == ROWS[0]["user_input"]
    assert list(sample.retrieved_contexts) == ROWS[0]["retrieved_contexts"]
    with pytest.raises(AttributeError, match="'SingleTurnSample' has no attribute 'colour'"):
        _ = sample.colour
    assert ROWS[0].items() <= {**dataset.to_list()[0], "metadata": None}.items()
    assert {*ROWS[0]} <= {*dataset.to_pandas().columns}


def test_columns_that_are_ignored_or_optional_are_not_needed() -> None:
    columns = {"response", "reference:optional", "rubric:ignored"}

    @dataclass
    class Short(ragas.SingleTurnMetric):  # type: ignore[name-defined,misc]
        name: str = "short"
        _required_columns: dict[object, set[str]] = field(
            default_factory=lambda: {ragas.MetricType.SINGLE_TURN: columns}
        )

        async def _single_turn_ascore(self, sample: SingleTurnSample, callbacks: object) -> float:
            return float(sample.reference is None)

    assert Short().required_columns == {"SINGLE_TURN": {"response"}}
    both = {"response", "reference"}
    assert Short().get_required_columns(with_optional=True) == {"SINGLE_TURN": both}
    assert evaluate([{"response": "a"}], [Short()])["short"] == 1


def test_a_setting_or_a_metric_that_is_not_there_is_named() -> None:
    with pytest.raises(InputError, match="has no setting 'colour'"):
        FactualCorrectness(colour="red")
    with pytest.raises(AttributeError, match="'Fathfulness' here"):
        _ = ragas.Fathfulness
    with pytest.raises(InputError, match="has no option 'colour'"):
        evaluate(EvaluationDataset.from_list(ROWS), colour="red")


def test_two_metrics_of_one_name_are_refused_unless_one_is_renamed() -> None:
    dataset = EvaluationDataset.from_list(ROWS)

    with pytest.raises(InputError, match="two metrics have one name"):
        evaluate(dataset, [Faithfulness(), Faithfulness()])


def test_a_model_of_another_library_is_refused_with_what_helps() -> None:
    with pytest.raises(InputError, match="llama-index-llms-langchain"):
        LlamaIndexLLMWrapper("gpt-4o")  # type: ignore[arg-type]


def test_rows_without_a_field_are_refused_as_everywhere() -> None:
    rows = [{"user_input": "Where?", "response": "There."}]

    with pytest.raises(MissingFieldError):
        evaluate(EvaluationDataset.from_list(rows), [Faithfulness()])
