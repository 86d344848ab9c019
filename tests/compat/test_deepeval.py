"""DeepEval's documentation, its quick start, with other import lines; and the edges."""

import re
from typing import Any

import pytest

from llamaindex_rag_eval.compat import deepeval
from llamaindex_rag_eval.compat.deepeval import (
    AnswerRelevancyMetric,
    ContextualPrecisionMetric,
    ContextualRecallMetric,
    ContextualRelevancyMetric,
    EvaluationDataset,
    FaithfulnessMetric,
    GEval,
    Golden,
    HallucinationMetric,
    LLMTestCase,
    LLMTestCaseParams,
    assert_test,
    evaluate,
)
from llamaindex_rag_eval.errors import InputError, MissingFieldError, NeedsModelError
from llamaindex_rag_eval.judge import Critique, Grade, GradeOf, Judge
from llamaindex_rag_eval.judge.topics import Topics, TurnTopics
from llamaindex_rag_eval.metrics.spec import parse_spec
from llamaindex_rag_eval.models import ScriptedOracle

ORLA = LLMTestCase(
    input="Where does the ferry Orla go?",
    actual_output="The ferry Orla goes to Bergen.",
    expected_output="The ferry Orla goes to Bergen.",
    retrieval_context=["The ferry Orla goes to Bergen.", "Tickets cost 12 euros."],
    context=["The ferry Orla goes to Bergen."],
)
WRONG = LLMTestCase(
    input="What does a ticket cost?",
    actual_output="A ticket costs 90 euros.",
    expected_output="A ticket costs 12 euros.",
    retrieval_context=["A ticket costs 12 euros."],
    context=["A ticket costs 12 euros."],
)
ALL = (
    AnswerRelevancyMetric,
    ContextualPrecisionMetric,
    ContextualRecallMetric,
    ContextualRelevancyMetric,
    FaithfulnessMetric,
    HallucinationMetric,
)


def graded(level: int) -> Judge:
    return Judge(ScriptedOracle(*[Grade(level=level, reason="It says so.")] * 9))


def correctness(level: int, **settings: Any) -> GEval:
    return GEval(
        name="Correctness",
        criteria="Determine if the 'actual output' is correct based on the 'expected output'.",
        evaluation_params=[LLMTestCaseParams.ACTUAL_OUTPUT, LLMTestCaseParams.EXPECTED_OUTPUT],
        evaluation_steps=["Compare them."],
        model=graded(level),
        **settings,
    )


def test_the_quick_start_runs_as_it_stands() -> None:
    assert_test(ORLA, [correctness(8, threshold=0.5), FaithfulnessMetric(threshold=0.7)])


def test_a_failed_assertion_says_metric_score_threshold_and_why() -> None:
    with pytest.raises(AssertionError) as failed:
        assert_test(WRONG, [correctness(3, threshold=0.5), FaithfulnessMetric(threshold=0.7)])

    first, second = str(failed.value).splitlines()
    assert first == "FAILED: Correctness [GEval] is 0.3 (threshold 0.5). It says so."
    assert re.match(r"FAILED: Faithfulness is 0\.\d+ \(threshold 0\.7\)\. 0 of 1 claims", second)


def test_a_metric_keeps_what_it_found_last() -> None:
    metric = FaithfulnessMetric(threshold=0.7)

    assert metric.measure(ORLA) == metric.score
    assert metric.is_successful()
    assert metric.reason
    metric.measure(WRONG)
    assert not metric.is_successful()
    assert metric.__name__ == "Faithfulness"


def test_the_threshold_of_hallucination_is_the_most_that_passes() -> None:
    metric = HallucinationMetric(threshold=0.5)

    metric.measure(ORLA)
    assert (metric.score, metric.is_successful()) == (0, True)
    metric.measure(WRONG)
    assert (metric.score, metric.is_successful()) == (1, False)


def test_every_metric_for_rag_scores_in_bulk_and_changes_no_metric() -> None:
    metrics = [kind() for kind in ALL]

    found = evaluate(EvaluationDataset(test_cases=[ORLA, WRONG]), metrics, hyperparameters={})

    assert [len(one.metrics_data) for one in found.test_results] == [6, 6]
    assert [data.name for data in found.test_results[0].metrics_data] == [
        "Answer Relevancy",
        "Contextual Precision",
        "Contextual Recall",
        "Contextual Relevancy",
        "Faithfulness",
        "Hallucination",
    ]
    assert not found.test_results[1].success
    assert str(found).startswith(
        f"{sum(one.success for one in found.test_results)} of 2 test cases"
    )
    assert {metric.score for metric in metrics} == {None}


def test_two_metrics_that_differ_in_their_thresholds_alone_are_both_answered() -> None:
    found = evaluate(
        [WRONG], [HallucinationMetric(threshold=0.5), HallucinationMetric(threshold=1)]
    )

    assert [data.success for data in found.test_results[0].metrics_data] == [False, True]


def test_strict_mode_passes_the_best_score_alone() -> None:
    nearly = correctness(9, strict_mode=True)

    nearly.measure(ORLA)
    assert (nearly.score, nearly.threshold, nearly.is_successful()) == (0, 1, False)
    assert HallucinationMetric(strict_mode=True).threshold == 0


def test_g_eval_shows_the_judge_what_the_parameters_name() -> None:
    metric = correctness(8)

    metric.measure(ORLA)

    assert isinstance(metric.model, Judge)
    (asked,) = metric.model.oracle.inner.asked  # type: ignore[attr-defined]  # a scripted one
    assert isinstance(asked, GradeOf)
    assert (asked.reference, asked.contexts) == (ORLA.expected_output, ())


def test_a_field_that_is_missing_is_named_as_deepeval_does() -> None:
    with pytest.raises(MissingFieldError, match="'FaithfulnessMetric' needs 'retrieval_context'"):
        FaithfulnessMetric().measure(LLMTestCase(input="Where?", actual_output="There."))


def test_an_unknown_setting_and_g_eval_without_criteria_are_refused() -> None:
    with pytest.raises(InputError, match="'FaithfulnessMetric' has no option 'colour'"):
        FaithfulnessMetric(colour="red", include_reason=True)
    with pytest.raises(InputError, match="'evaluate' has no option 'colour'"):
        evaluate([ORLA], [FaithfulnessMetric()], colour="red")
    with pytest.raises(InputError, match="needs 'criteria' or 'evaluation_steps'"):
        GEval(name="Kindness", evaluation_params=[])


def test_g_eval_without_a_model_says_that_it_needs_one() -> None:
    metric = GEval(name="Kindness", criteria="Is it kind?", evaluation_params=[])

    with pytest.raises(NeedsModelError, match="LLM"):
        evaluate([ORLA], [metric])


def test_a_data_set_keeps_goldens_apart_from_test_cases() -> None:
    dataset = EvaluationDataset(goldens=[Golden(input="Where?")])

    for golden in dataset.goldens:
        dataset.add_test_case(LLMTestCase(input=golden.input, actual_output="There."))

    assert [case.actual_output for case in dataset] == ["There."]


def test_a_metric_that_needs_a_model_says_so_at_once() -> None:
    metric = GEval("tone", [LLMTestCaseParams.ACTUAL_OUTPUT], criteria="It is kind.")
    case = LLMTestCase(input="a", actual_output="b")
    for ask in (lambda: metric.measure(case), lambda: evaluate([case], [metric])):
        with pytest.raises(NeedsModelError, match="needs a model, as model='gpt-4o-mini'"):
            ask()


def test_a_metric_of_ones_own_that_fails_ends_no_other() -> None:
    class Broken(deepeval.BaseMetric):  # type: ignore[name-defined,misc]
        def measure(self, test_case: LLMTestCase) -> float:
            raise ZeroDivisionError("no words")

    class Silent(deepeval.BaseMetric):  # type: ignore[name-defined,misc]
        """Defines no `measure`."""

    case = LLMTestCase(input="Where?", actual_output="There.", retrieval_context=["There."])
    result = deepeval.evaluate([case], [Broken(), Silent(), FaithfulnessMetric()])
    broken, silent, faithful = result.test_results[0].metrics_data
    assert (broken.name, broken.success, broken.score) == (Broken.__qualname__, False, None)
    assert "no words" in str(broken.error)
    assert "defines no `measure(test_case)`" in str(silent.error)
    assert faithful.success
    with pytest.raises(ZeroDivisionError):
        deepeval.assert_test(case, [Broken()])


def test_models_by_their_class_have_their_address() -> None:
    local = deepeval.LocalModel(model="llama3:8b", base_url="http://localhost:1/v1", api_key="k")
    assert (local.model, local.api_base, local.api_key) == (
        "llama3:8b",
        "http://localhost:1/v1",
        "k",
    )


TALK = deepeval.ConversationalTestCase(
    turns=[
        deepeval.Turn(role="user", content="What does a ticket cost?"),
        deepeval.Turn(role="assistant", content="It costs 12 euros."),
    ]
)


@pytest.mark.parametrize(
    ("name", "settings", "asked_for"),
    [
        ("NonAdviceMetric", {"advice_types": ["legal", "medical"]}, "kinds: legal, medical."),
        ("RoleViolationMetric", {"role": "a clerk of the ferry"}, "a clerk of the ferry."),
        ("PIILeakageMetric", {}, "no personal data"),
    ],
)
def test_what_must_not_be_said_is_a_guideline(
    name: str, settings: dict[str, Any], asked_for: str
) -> None:
    for verdict in (True, False):
        oracle = ScriptedOracle(Critique(verdict=verdict))
        metric = getattr(deepeval, name)(model=Judge(oracle), **settings)
        assert metric.measure(ORLA) == float(verdict)
        assert metric.is_successful() is verdict
        request: Any = oracle.asked[0]
        assert asked_for in request.definition
    for own in settings:
        with pytest.raises(InputError, match=f"'{name}' needs '{own}'"):
            getattr(deepeval, name)()


def test_topics_are_those_of_the_metric() -> None:
    turns = (TurnTopics(topics=(1,), declined=False),)
    oracle = ScriptedOracle(*[Topics(turns=turns)] * 2)
    settings = {"model": Judge(oracle), "threshold": 1}
    adherence = deepeval.TopicAdherenceMetric(relevant_topics=["times", "fares"], **settings)
    assert adherence.measure(TALK) == 1
    request: Any = oracle.asked[0]
    assert request.topics == ("times", "fares")
    # In one evaluation each metric of conversations sees the fields of its own.
    other = deepeval.TurnRelevancyMetric(model=graded(3))
    (row,) = evaluate([TALK], [other, adherence]).test_results
    assert [(data.name, data.error) for data in row.metrics_data] == [
        ("Turn Relevancy", None),
        ("Topic Adherence", None),
    ]


def test_a_whole_conversation_is_graded_by_criteria_of_ones_own() -> None:
    oracle = ScriptedOracle(*[Grade(level=8, reason="It is.")] * 2)
    metric = deepeval.ConversationalGEval(
        name="Kindness",
        criteria="The assistant is kind.",
        evaluation_steps=["Read what the assistant says."],
        model=Judge(oracle),
    )
    assert metric.measure(TALK) == 8 / 10
    request: Any = oracle.asked[0]
    assert "What does a ticket cost?" in request.response
    assert "It costs 12 euros." in request.response
    assert request.definition.endswith("The assistant is kind.")
    assert evaluate([TALK], [metric]).test_results[0].success


def test_the_score_of_ragas_is_the_mean_of_four() -> None:
    metric = deepeval.RagasMetric(threshold=0.5)
    four = [
        AnswerRelevancyMetric(),
        FaithfulnessMetric(),
        ContextualRecallMetric(),
        ContextualPrecisionMetric(),
    ]
    metric.measure(ORLA)
    parts = [parse_spec(part.metric.spec)[0] for part in four[1:]]
    assert {"answer_relevancy", *parts} == {part.spec for part in metric.metric.parts}
    assert 0 < (metric.score or 0) <= 1
